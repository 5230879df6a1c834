#ifndef CLIENT_OUTPUT_H
#define CLIENT_OUTPUT_H

#include "client/options.h"
#include "common/base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* Whether -o FILE can be written, asked before anything is measured. NULL (standard output) always
 * can. */
bool output_check(const char *path, struct error *err) MUST_CHECK;

/* Writes the report: to standard output, or whole or not at all to `path`. JSON that goes to a file
 * leaves standard output free for the tables. */
bool output_write(const json_t *result, enum output_format format, const char *path,
                  struct error *err) MUST_CHECK;

#endif
