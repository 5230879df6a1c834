#ifndef COMMON_PRIMITIVE_FAMILIES_H
#define COMMON_PRIMITIVE_FAMILIES_H

#include "common/primitive/primitive.h"

/* The tables of the families, for primitive.c alone. */
struct primitive_table {
    const struct primitive *rows;
    size_t count;
};

extern const struct primitive_table cipher_primitives;
extern const struct primitive_table cipher_tls_primitives;
extern const struct primitive_table digest_primitives;
extern const struct primitive_table mac_primitives;
extern const struct primitive_table signature_primitives;
extern const struct primitive_table exchange_primitives;
extern const struct primitive_table decryption_primitives;
extern const struct primitive_table kem_primitives;
extern const struct primitive_table mcrypt_primitives;
extern const struct primitive_table yardstick_primitives;

#endif
