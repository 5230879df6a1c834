#ifndef COMMON_PRIMITIVE_RSA_BITS_H
#define COMMON_PRIMITIVE_RSA_BITS_H

#include "common/primitive/primitive.h"

/* `check` and `available` of the classes that work with RSA keys of any size. A larger key than
 * RSA_BITS_MAX would take minutes to make. */
#define RSA_BITS_MIN 512
#define RSA_BITS_MAX 8192

bool rsa_bits_available(const struct primitive *row, struct error *err);
bool rsa_bits_check(const struct primitive_case *what, struct error *err);

#endif
