#include "common/tls/kind.h"

#include "common/base/text.h"

#include <openssl/ssl.h>

#define RSA_SIGALGS_12 "rsa_pss_rsae_sha256:rsa_pkcs1_sha256"
#define RSA_SIGALG_13  "rsa_pss_rsae_sha256"
#define RSA_PSS_SIGALG "rsa_pss_pss_sha256"
#define P256_SIGALG    "ecdsa_secp256r1_sha256"
#define P384_SIGALG    "ecdsa_secp384r1_sha384"
#define P521_SIGALG    "ecdsa_secp521r1_sha512"

/* Before TLS 1.2 the server signs with RSA PKCS #1, ECDSA or DSA and nothing else (RFC 4346
 * section 7.4.3, RFC 8422 section 5.4), which leaves out RSA-PSS, Ed25519 and Ed448 keys.
 * Slow keys: those whose making may take more than half a second of CPU (OpenSSL 3.0, median and
 * worst of 12 to 25: rsa-2048 0.15 and 0.38, rsa-3072 0.5 and 1.1, rsa-4096 1.4 and 2.7, dsa-2048
 * 0.28 and 0.57). */
const struct certificate_kind kind_table[] = {
    {.name = "rsa-2048",
     .key_type = "RSA",
     .bits = 2048,
     .auth = AUTH_RSA,
     .static_rsa = true,
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = RSA_SIGALGS_12,
     .sigalgs_13 = RSA_SIGALG_13},
    {.name = "rsa-3072",
     .key_type = "RSA",
     .bits = 3072,
     .auth = AUTH_RSA,
     .static_rsa = true,
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = RSA_SIGALGS_12,
     .sigalgs_13 = RSA_SIGALG_13,
     .slow_key = true},
    {.name = "rsa-4096",
     .key_type = "RSA",
     .bits = 4096,
     .auth = AUTH_RSA,
     .static_rsa = true,
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = RSA_SIGALGS_12,
     .sigalgs_13 = RSA_SIGALG_13,
     .slow_key = true},
    {.name = "rsa-pss-2048",
     .key_type = "RSA-PSS",
     .bits = 2048,
     .auth = AUTH_RSA,
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = RSA_PSS_SIGALG,
     .sigalgs_13 = RSA_PSS_SIGALG},
    {.name = "ecdsa-p256",
     .key_type = "EC",
     .bits = 256,
     .curve = "P-256",
     .auth = AUTH_ECDSA,
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = P256_SIGALG,
     .sigalgs_13 = P256_SIGALG},
    {.name = "ecdsa-p384",
     .key_type = "EC",
     .bits = 384,
     .curve = "P-384",
     .auth = AUTH_ECDSA,
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = P384_SIGALG,
     .sigalgs_13 = P384_SIGALG},
    {.name = "ecdsa-p521",
     .key_type = "EC",
     .bits = 521,
     .curve = "P-521",
     .auth = AUTH_ECDSA,
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = P521_SIGALG,
     .sigalgs_13 = P521_SIGALG},
    {.name = "ed25519",
     .key_type = "ED25519",
     .bits = 256,
     .auth = AUTH_ECDSA,
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = "ed25519",
     .sigalgs_13 = "ed25519"},
    {.name = "ed448",
     .key_type = "ED448",
     .bits = 456,
     .auth = AUTH_ECDSA,
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_12 = "ed448",
     .sigalgs_13 = "ed448"},
    {.name = "dsa-2048",
     .key_type = "DSA",
     .bits = 2048,
     .auth = AUTH_DSS,
     .min_version = TLS1_VERSION,
     .max_version = TLS1_2_VERSION,
     .sigalgs_12 = "DSA+SHA256",
     .slow_key = true},
    {.name = "ml-dsa-44",
     .key_type = "ML-DSA-44",
     .auth = AUTH_OTHER,
     .min_version = TLS1_3_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_13 = "mldsa44"},
    {.name = "ml-dsa-65",
     .key_type = "ML-DSA-65",
     .auth = AUTH_OTHER,
     .min_version = TLS1_3_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_13 = "mldsa65"},
    {.name = "ml-dsa-87",
     .key_type = "ML-DSA-87",
     .auth = AUTH_OTHER,
     .min_version = TLS1_3_VERSION,
     .max_version = TLS1_3_VERSION,
     .sigalgs_13 = "mldsa87"},
};

const size_t kind_count = sizeof kind_table / sizeof kind_table[0];

const struct certificate_kind *kind_find(const char *name)
{
    for (size_t i = 0; i < kind_count; i++)
        if (text_equal_nocase(kind_table[i].name, name))
            return &kind_table[i];
    return NULL;
}

static const char *kind_candidate(size_t index, const void *context)
{
    (void)context;
    return index < kind_count ? kind_table[index].name : NULL;
}

const char *kind_nearest(const char *word)
{
    return text_nearest(word, kind_candidate, NULL);
}
