#include "common/tls/suite.h"

#include <openssl/ssl.h>
#include <string.h>

/* A suite's name says all of it: TLS_<exchange>_WITH_<cipher>_<digest>, or TLS_<cipher>_<digest>
 * from TLS 1.3 on (RFC 5246 appendix A.5, RFC 8446 appendix B.4). */

static const struct exchange {
    const char *word;
    enum suite_exchange exchange;
    enum suite_auth auth;
    bool forward_secret;
} exchange_table[] = {
    {"NULL", EXCHANGE_NULL, AUTH_NONE, false},
    {"RSA", EXCHANGE_RSA, AUTH_RSA, false},
    {"DHE_RSA", EXCHANGE_DHE, AUTH_RSA, true},
    {"DHE_DSS", EXCHANGE_DHE, AUTH_DSS, true},
    {"DH_anon", EXCHANGE_DHE, AUTH_NONE, true},
    {"ECDHE_RSA", EXCHANGE_ECDHE, AUTH_RSA, true},
    {"ECDHE_ECDSA", EXCHANGE_ECDHE, AUTH_ECDSA, true},
    {"ECDH_anon", EXCHANGE_ECDHE, AUTH_NONE, true},
    {"PSK", EXCHANGE_PSK, AUTH_NONE, false},
    {"RSA_PSK", EXCHANGE_PSK, AUTH_RSA, false},
    {"DHE_PSK", EXCHANGE_PSK, AUTH_NONE, true},
    {"PSK_DHE", EXCHANGE_PSK, AUTH_NONE, true}, /* RFC 6655 spells two of its names so */
    {"ECDHE_PSK", EXCHANGE_PSK, AUTH_NONE, true},
    {"SRP_SHA", EXCHANGE_SRP, AUTH_NONE, true},
    {"SRP_SHA_RSA", EXCHANGE_SRP, AUTH_RSA, true},
    {"SRP_SHA_DSS", EXCHANGE_SRP, AUTH_DSS, true},
    {"ECCPWD", EXCHANGE_OTHER, AUTH_NONE, true},
};

static const struct exchange exchange_other = {"", EXCHANGE_OTHER, AUTH_OTHER, false};
static const struct exchange exchange_tls13 = {"", EXCHANGE_TLS13, AUTH_ANY, true};

/* The first row that the cipher's part of the name starts with counts. */
static const struct cipher {
    const char *word;
    const char *fetch; /* EVP_CIPHER_fetch's name; NULL where OpenSSL has none */
    bool aead;
    int max_version; /* of suites with it: DES and IDEA left with TLS 1.2 (RFC 5469), the export
                        ciphers with TLS 1.1 (RFC 4346) */
} cipher_table[] = {
    {"NULL", "NULL", false, TLS1_2_VERSION},
    {"RC4_128", "RC4", false, TLS1_2_VERSION},
    {"RC4_40", NULL, false, TLS1_VERSION},
    {"RC2_CBC_40", NULL, false, TLS1_VERSION},
    {"DES40_CBC", NULL, false, TLS1_VERSION},
    {"DES_CBC_40", NULL, false, TLS1_VERSION},
    {"DES_CBC", "DES-CBC", false, TLS1_1_VERSION},
    {"3DES_EDE_CBC", "DES-EDE3-CBC", false, TLS1_2_VERSION},
    {"IDEA_CBC", "IDEA-CBC", false, TLS1_1_VERSION},
    {"SEED_CBC", "SEED-CBC", false, TLS1_2_VERSION},
    {"AES_128_CBC", "AES-128-CBC", false, TLS1_2_VERSION},
    {"AES_256_CBC", "AES-256-CBC", false, TLS1_2_VERSION},
    {"AES_128_GCM", "AES-128-GCM", true, TLS1_2_VERSION},
    {"AES_256_GCM", "AES-256-GCM", true, TLS1_2_VERSION},
    {"AES_128_CCM", "AES-128-CCM", true, TLS1_2_VERSION},
    {"AES_256_CCM", "AES-256-CCM", true, TLS1_2_VERSION},
    {"CHACHA20_POLY1305", "ChaCha20-Poly1305", true, TLS1_2_VERSION},
    {"ARIA_128_CBC", "ARIA-128-CBC", false, TLS1_2_VERSION},
    {"ARIA_256_CBC", "ARIA-256-CBC", false, TLS1_2_VERSION},
    {"ARIA_128_GCM", "ARIA-128-GCM", true, TLS1_2_VERSION},
    {"ARIA_256_GCM", "ARIA-256-GCM", true, TLS1_2_VERSION},
    {"CAMELLIA_128_CBC", "CAMELLIA-128-CBC", false, TLS1_2_VERSION},
    {"CAMELLIA_256_CBC", "CAMELLIA-256-CBC", false, TLS1_2_VERSION},
    {"CAMELLIA_128_GCM", NULL, true, TLS1_2_VERSION},
    {"CAMELLIA_256_GCM", NULL, true, TLS1_2_VERSION},
    {"SM4_GCM", "SM4-GCM", true, TLS1_3_VERSION},
    {"SM4_CCM", "SM4-CCM", true, TLS1_3_VERSION},
    {"AEGIS_", NULL, true, TLS1_3_VERSION},
    {"KUZNYECHIK_MGM", NULL, true, TLS1_3_VERSION},
    {"MAGMA_MGM", NULL, true, TLS1_3_VERSION},
    {"SHA", "NULL", false, TLS1_3_VERSION}, /* integrity without encryption: RFC 9150 */
};

static const struct cipher cipher_other = {"", NULL, false, TLS1_2_VERSION};

static const struct exchange *facts_exchange(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof exchange_table / sizeof exchange_table[0]; i++)
        if (strlen(exchange_table[i].word) == length &&
            memcmp(exchange_table[i].word, word, length) == 0)
            return &exchange_table[i];
    return &exchange_other;
}

static const struct cipher *facts_cipher(const char *words)
{
    for (size_t i = 0; i < sizeof cipher_table / sizeof cipher_table[0]; i++)
        if (strncmp(cipher_table[i].word, words, strlen(cipher_table[i].word)) == 0)
            return &cipher_table[i];
    return &cipher_other;
}

static bool facts_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* AEAD ciphers and MACs of the SHA-2 family came with TLS 1.2. Only the PSK suites of RFC 5487 and
 * RFC 5489 may have such a MAC before. GOST suites are TLS 1.2 too (RFC 9189). */
static bool facts_needs_tls12(const char *words, enum suite_exchange exchange, bool aead)
{
    bool sha2 = facts_ends_with(words, "_SHA256") || facts_ends_with(words, "_SHA384");
    bool gost = facts_ends_with(words, "_OMAC") || facts_ends_with(words, "_IMIT");

    return aead || gost || (sha2 && exchange != EXCHANGE_PSK);
}

struct suite_facts suite_facts(const struct suite *suite)
{
    const char *left = suite->iana + strlen("TLS_");
    const char *with = strstr(left, "_WITH_");
    const char *words = with ? with + strlen("_WITH_") : left;
    const struct cipher *cipher = facts_cipher(words);
    const struct exchange *exchange = &exchange_tls13;
    int min_version = TLS1_3_VERSION, max_version = TLS1_3_VERSION;

    /* RFC 9367's suites have "_WITH_" in their names and are TLS 1.3 all the same. */
    if (with && cipher->max_version < TLS1_3_VERSION) {
        exchange = facts_exchange(left, (size_t)(with - left));
        min_version = facts_needs_tls12(words, exchange->exchange, cipher->aead) ? TLS1_2_VERSION
                                                                                 : TLS1_VERSION;
        max_version = cipher->max_version;
    }
    return (struct suite_facts){
        .exchange = exchange->exchange,
        .auth = exchange->auth,
        .min_version = min_version,
        .max_version = max_version,
        .aead = cipher->aead,
        .forward_secret = exchange->forward_secret,
        .null_cipher = cipher->fetch && strcmp(cipher->fetch, "NULL") == 0,
        .cipher = cipher->fetch,
    };
}
