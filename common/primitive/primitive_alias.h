#ifndef COMMON_PRIMITIVE_PRIMITIVE_ALIAS_H
#define COMMON_PRIMITIVE_PRIMITIVE_ALIAS_H

#include "common/primitive/primitive.h"

/* Whether OpenSSL knows the row's algorithm, or its curve, by this name too, in any case:
 * "id-aes128-GCM", "SHA-256", "prime256v1", "ecdsa-secp384r1", an object identifier. The row's own
 * name is none of these. */
bool primitive_alias_is(const struct primitive *row, const char *name);

/* Whether OpenSSL knows a type of key by this name too: "RSA" as "rsaEncryption". */
bool primitive_alias_is_key(const char *type, const char *name);

#endif
