#ifndef COMMON_TLS_SUITE_H
#define COMMON_TLS_SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cipher suites as facts: IANA's "TLS Cipher Suites" registry (RFC 8447) whole, so that "not in
 * this library" is told from a typo, with OpenSSL's names where OpenSSL has or had one
 * (ciphers(1)). SCSVs and reserved codes are left out. */

enum suite_exchange {
    EXCHANGE_TLS13, /* by the group, whatever the suite */
    EXCHANGE_RSA, /* static RSA: the client encrypts to the certificate's key; no forward secrecy */
    EXCHANGE_DHE,
    EXCHANGE_ECDHE,
    EXCHANGE_PSK, /* PSK, RSA_PSK, DHE_PSK, ECDHE_PSK */
    EXCHANGE_SRP,
    EXCHANGE_OTHER, /* static DH and ECDH, Kerberos, GOST, ECCPWD, export: never in OpenSSL 3 by
                       itself */
    EXCHANGE_NULL,  /* TLS_NULL_WITH_NULL_NULL */
};

enum suite_auth {
    AUTH_ANY,   /* TLS 1.3: by the certificate, whatever the suite */
    AUTH_RSA,   /* RSA; RSA-PSS keys too unless the exchange is static RSA */
    AUTH_ECDSA, /* EC keys, Ed25519 and Ed448 */
    AUTH_DSS,
    AUTH_NONE,  /* no certificate: anonymous, PSK alone, SRP alone */
    AUTH_OTHER, /* a certificate that no kind of ours is, or nothing that OpenSSL 3 has */
};

struct suite {
    uint16_t code;
    const char *iana;    /* "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" */
    const char *openssl; /* "ECDHE-RSA-AES128-GCM-SHA256"; NULL where OpenSSL never had the suite */
};

/* Derived from the IANA name; `cipher` is OpenSSL's fetchable name ("AES-128-GCM") or NULL. */
struct suite_facts {
    enum suite_exchange exchange;
    enum suite_auth auth;
    int min_version, max_version; /* TLS1_VERSION … TLS1_3_VERSION */
    bool aead, forward_secret;
    bool null_cipher;
    const char *cipher; /* static string: "AES-128-GCM", "ChaCha20-Poly1305", "CAMELLIA-128-CBC", …;
                           "NULL" */
};

extern const struct suite suite_table[]; /* codes strictly ascending */
extern const size_t suite_count;

/* By OpenSSL or IANA name, any case, also by the "EDH-…" names of OpenSSL 1.0; NULL when no
 * registry knows it. */
const struct suite *suite_find(const char *name);
const struct suite *suite_by_code(uint16_t code);

/* The name that OpenSSL would print: its own where it has one, else IANA's. */
const char *suite_name(const struct suite *suite);

struct suite_facts suite_facts(const struct suite *suite);

/* The nearest name of either kind to a word that suite_find does not know, or NULL. */
const char *suite_nearest(const char *word);

#endif
