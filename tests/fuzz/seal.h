#ifndef TESTS_FUZZ_SEAL_H
#define TESTS_FUZZ_SEAL_H

#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

/* One direction of TLS 1.3 record protection (RFC 8446, 5.2 and 7.3) for TLS_AES_128_GCM_SHA256: a
 * genuine client only writes what is right, this writes whatever it is told to. */

#define SEAL_SECRET   32
#define SEAL_OVERHEAD (5 + 1 + 16) /* header, inner type, tag */

struct seal {
    EVP_CIPHER_CTX *cipher;
    uint8_t secret[SEAL_SECRET], iv[12];
    uint64_t sequence;
};

/* Begins with a traffic secret; abort() when OpenSSL fails. May be called again for another. */
void seal_start(struct seal *seal, const uint8_t secret[static SEAL_SECRET]);
void seal_cleanup(struct seal *seal);

/* Writes one record of this inner type, `padding` zeros behind the payload, into `out`, which has
 * room for SEAL_OVERHEAD more; returns its length. A KeyUpdate, whole and alone, changes the keys
 * behind it, as it does at the other end. */
size_t seal_record(struct seal *seal, uint8_t *out, uint8_t type, const uint8_t *payload,
                   size_t length, size_t padding);

#endif
