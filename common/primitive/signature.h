#ifndef COMMON_PRIMITIVE_SIGNATURE_H
#define COMMON_PRIMITIVE_SIGNATURE_H

#include "common/primitive/primitive.h"

#include <openssl/evp.h>

/* Inside the signature family. */

/* PSS with a salt as long as the digest. */
bool signature_set_pss(EVP_PKEY_CTX *ctx) MUST_CHECK;

/* Verifies a signature of a standard; *source is the standard's name, NULL where none is known for
 * the row. */
bool signature_vector_check(const struct primitive *row, const char **source,
                            struct error *err) MUST_CHECK;

#endif
