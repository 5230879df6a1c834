#ifndef COMMON_PRIMITIVE_VECTOR_KEY_H
#define COMMON_PRIMITIVE_VECTOR_KEY_H

#include <openssl/evp.h>
#include <stddef.h>

/* The keys that the vectors of standards name. */

/* A part of a key: OpenSSL's name of it, and the number in hexadecimal. */
struct vector_number {
    const char *name, *hex;
};

#define VECTOR_NUMBERS_MAX 4

/* A key of this type, in this group or on this curve (NULL: none), made of such numbers;
 * `selection` as EVP_PKEY_fromdata(3) takes it. The caller's; NULL after a failure. */
EVP_PKEY *vector_key_new(const char *type, const char *group, const struct vector_number *numbers,
                         size_t count, int selection);

#endif
