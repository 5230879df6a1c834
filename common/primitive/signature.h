#ifndef COMMON_PRIMITIVE_SIGNATURE_H
#define COMMON_PRIMITIVE_SIGNATURE_H

#include "common/primitive/primitive.h"

#include <openssl/evp.h>

/* Inside the signature family. */

/* The digest that TLS signs with such a key: SHA-256, with large curves SHA-384 or SHA-512. */
const EVP_MD *signature_digest(EVP_PKEY *key);

bool signature_configure(EVP_PKEY_CTX *ctx, const EVP_MD *digest, bool pss) MUST_CHECK;

/* Verifies a signature of a standard; *source is the standard's name, NULL where none is known for
 * the row. */
bool signature_vector_check(const struct primitive *row, const char **source,
                            struct error *err) MUST_CHECK;

#endif
