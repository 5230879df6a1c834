#ifndef CLIENT_REPORT_FIELD_H
#define CLIENT_REPORT_FIELD_H

#include <jansson.h>
#include <stdbool.h>

/* Fields of a result document by dotted path, "server.cpu_us_per_handshake.median". A document may
 * come from a file: whatever is missing, null or of another type counts as not known. */
const json_t *field_at(const json_t *object, const char *path); /* NULL where not known */
const char *field_text(const json_t *object, const char *path); /* "" where not known */
bool field_number(const json_t *object, const char *path, double *value);
bool field_true(const json_t *object, const char *path);

#endif
