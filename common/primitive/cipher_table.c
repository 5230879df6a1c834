#include "common/primitive/cipher.h"
#include "common/primitive/families.h"

#define PLAIN(row_name, openssl, mode)                                                             \
    .name = (row_name), .class = &cipher_plain_class, .fetched = (openssl), .detail = (mode)
#define AEAD(row_name, openssl, mode)                                                              \
    .name = (row_name), .class = &cipher_aead_class, .fetched = (openssl), .detail = (mode)
#define WHOLE(row_name, openssl, mode)                                                             \
    .name = (row_name), .class = &cipher_whole_class, .fetched = (openssl), .detail = (mode)
#define SMALL_BLOCK .block = 8
#define DEFAULT     .in_default = true
#define LEGACY      .legacy = true

static const struct primitive rows[] = {
    {PLAIN("aes-128-ecb", "AES-128-ECB", "ecb"), DEFAULT},
    {PLAIN("aes-192-ecb", "AES-192-ECB", "ecb")},
    {PLAIN("aes-256-ecb", "AES-256-ECB", "ecb")},
    {PLAIN("aes-128-cbc", "AES-128-CBC", "cbc"), DEFAULT},
    {PLAIN("aes-192-cbc", "AES-192-CBC", "cbc")},
    {PLAIN("aes-256-cbc", "AES-256-CBC", "cbc"), DEFAULT},
    {PLAIN("aes-128-ctr", "AES-128-CTR", "ctr"), DEFAULT},
    {PLAIN("aes-192-ctr", "AES-192-CTR", "ctr")},
    {PLAIN("aes-256-ctr", "AES-256-CTR", "ctr"), DEFAULT},
    {AEAD("aes-128-gcm", "AES-128-GCM", "gcm"), DEFAULT},
    {AEAD("aes-192-gcm", "AES-192-GCM", "gcm"), DEFAULT},
    {AEAD("aes-256-gcm", "AES-256-GCM", "gcm"), DEFAULT},
    {WHOLE("aes-128-ccm", "AES-128-CCM", "ccm"), DEFAULT},
    {WHOLE("aes-192-ccm", "AES-192-CCM", "ccm")},
    {WHOLE("aes-256-ccm", "AES-256-CCM", "ccm"), DEFAULT},
    {AEAD("aes-128-ocb", "AES-128-OCB", "ocb"), DEFAULT},
    {AEAD("aes-192-ocb", "AES-192-OCB", "ocb")},
    {AEAD("aes-256-ocb", "AES-256-OCB", "ocb"), DEFAULT},
    {PLAIN("aes-128-xts", "AES-128-XTS", "xts"), DEFAULT},
    {PLAIN("aes-256-xts", "AES-256-XTS", "xts"), DEFAULT},
    {WHOLE("aes-128-siv", "AES-128-SIV", "siv"), DEFAULT},
    {WHOLE("aes-192-siv", "AES-192-SIV", "siv")},
    {WHOLE("aes-256-siv", "AES-256-SIV", "siv"), DEFAULT},
    {WHOLE("aes-128-gcm-siv", "AES-128-GCM-SIV", "gcm-siv"), DEFAULT, .since = "3.2"},
    {WHOLE("aes-192-gcm-siv", "AES-192-GCM-SIV", "gcm-siv"), .since = "3.2"},
    {WHOLE("aes-256-gcm-siv", "AES-256-GCM-SIV", "gcm-siv"), DEFAULT, .since = "3.2"},
    {PLAIN("chacha20", "ChaCha20", "stream"), DEFAULT},
    {AEAD("chacha20-poly1305", "ChaCha20-Poly1305", "poly1305"), DEFAULT},
    {PLAIN("camellia-128-ecb", "CAMELLIA-128-ECB", "ecb")},
    {PLAIN("camellia-192-ecb", "CAMELLIA-192-ECB", "ecb")},
    {PLAIN("camellia-256-ecb", "CAMELLIA-256-ECB", "ecb")},
    {PLAIN("camellia-128-cbc", "CAMELLIA-128-CBC", "cbc"), DEFAULT},
    {PLAIN("camellia-192-cbc", "CAMELLIA-192-CBC", "cbc")},
    {PLAIN("camellia-256-cbc", "CAMELLIA-256-CBC", "cbc"), DEFAULT},
    {PLAIN("camellia-128-ctr", "CAMELLIA-128-CTR", "ctr")},
    {PLAIN("camellia-192-ctr", "CAMELLIA-192-CTR", "ctr")},
    {PLAIN("camellia-256-ctr", "CAMELLIA-256-CTR", "ctr")},
    {PLAIN("aria-128-cbc", "ARIA-128-CBC", "cbc")},
    {PLAIN("aria-192-cbc", "ARIA-192-CBC", "cbc")},
    {PLAIN("aria-256-cbc", "ARIA-256-CBC", "cbc")},
    {PLAIN("aria-128-ctr", "ARIA-128-CTR", "ctr")},
    {PLAIN("aria-192-ctr", "ARIA-192-CTR", "ctr")},
    {PLAIN("aria-256-ctr", "ARIA-256-CTR", "ctr")},
    {AEAD("aria-128-gcm", "ARIA-128-GCM", "gcm"), DEFAULT},
    {AEAD("aria-192-gcm", "ARIA-192-GCM", "gcm")},
    {AEAD("aria-256-gcm", "ARIA-256-GCM", "gcm"), DEFAULT},
    {WHOLE("aria-128-ccm", "ARIA-128-CCM", "ccm")},
    {WHOLE("aria-192-ccm", "ARIA-192-CCM", "ccm")},
    {WHOLE("aria-256-ccm", "ARIA-256-CCM", "ccm")},
    {PLAIN("3des-ecb", "DES-EDE3-ECB", "ecb"), SMALL_BLOCK},
    {PLAIN("3des-cbc", "DES-EDE3-CBC", "cbc"), SMALL_BLOCK, DEFAULT},
    {PLAIN("rc4", "RC4", "stream"), LEGACY},
    {PLAIN("des-ecb", "DES-ECB", "ecb"), SMALL_BLOCK, LEGACY},
    {PLAIN("des-cbc", "DES-CBC", "cbc"), SMALL_BLOCK, LEGACY},
    {PLAIN("blowfish-ecb", "BF-ECB", "ecb"), SMALL_BLOCK, LEGACY},
    {PLAIN("blowfish-cbc", "BF-CBC", "cbc"), SMALL_BLOCK, LEGACY},
    {PLAIN("cast5-ecb", "CAST5-ECB", "ecb"), SMALL_BLOCK, LEGACY},
    {PLAIN("cast5-cbc", "CAST5-CBC", "cbc"), SMALL_BLOCK, LEGACY},
    {PLAIN("seed-ecb", "SEED-ECB", "ecb"), LEGACY},
    {PLAIN("seed-cbc", "SEED-CBC", "cbc"), LEGACY},
};

const struct primitive_table cipher_primitives = {rows, sizeof rows / sizeof rows[0]};
