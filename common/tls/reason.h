#ifndef COMMON_TLS_REASON_H
#define COMMON_TLS_REASON_H

#include "common/base/error.h"

/* OpenSSL's reason for the failure just seen: the text of the oldest entry of the thread's error
 * queue, which is then emptied. A static string, never NULL. */
const char *reason_take(void);

/* error_set with ": " and reason_take() behind the text; returns false, always. */
bool reason_error(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
