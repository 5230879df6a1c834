#ifndef COMMON_BASE_OPTION_VALUE_H
#define COMMON_BASE_OPTION_VALUE_H

#include "common/base/option.h"

/* One option's value, for option.c and option_help.c only. */

/* Reads `text` (NULL for a flag) into the row's field, and checks it. Scalars are overwritten,
 * lists grow. The reason names the option, the text and what is allowed. */
bool option_value_store(const struct option_row *row, void *into, const char *text,
                        struct error *err) MUST_CHECK;

/* The allowed range or the choices as a user would type them: "10ms to 1h", "at least 1", "table or
 * json"; nothing is added where all is allowed. */
void option_value_allowed(const struct option_row *row, struct text_buffer *buffer);

#endif
