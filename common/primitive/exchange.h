#ifndef COMMON_PRIMITIVE_EXCHANGE_H
#define COMMON_PRIMITIVE_EXCHANGE_H

#include "common/primitive/primitive.h"

/* Inside the exchange family. */

#define EXCHANGE_SECRET_MAX 1024

/* What `own` and the peer's value, as it came over the wire, give. */
typedef bool exchange_derivation(void *context, EVP_PKEY *own, const unsigned char *value,
                                 size_t value_length,
                                 unsigned char secret[static EXCHANGE_SECRET_MAX], size_t *length);

/* Compares with a vector of a standard; *source is the standard's name, NULL where none is known
 * for the row. */
bool exchange_vector_check(const struct primitive *row, exchange_derivation *derive, void *context,
                           const char **source, struct error *err) MUST_CHECK;

#endif
