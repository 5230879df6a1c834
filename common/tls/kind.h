#ifndef COMMON_TLS_KIND_H
#define COMMON_TLS_KIND_H

#include "common/tls/suite.h"

#include <stdbool.h>
#include <stddef.h>

/* Certificate kinds: key type and size of a leaf. One const table, a row a kind. */
struct certificate_kind {
    const char *name;     /* "ecdsa-p256" */
    const char *key_type; /* for EVP_PKEY_CTX_new_from_name: "RSA", "RSA-PSS", "EC", "ED25519",
                             "ED448", "DSA", "ML-DSA-65" */
    int bits;          /* of an RSA, DSA or EC key; for others what EVP_PKEY_get_bits says, or 0 */
    const char *curve; /* EC only: "P-256", as SSL_CTX_set1_groups_list takes it; else NULL */
    enum suite_auth auth; /* which TLS <= 1.2 suites it serves; AUTH_OTHER: none (TLS 1.3 only) */
    bool static_rsa;      /* may serve suites with static RSA exchange */
    int min_version, max_version;
    /* What a client puts into signature_algorithms to be served exactly this kind
     * (SSL_CTX_set1_sigalgs_list); the server's signature must be one of them. NULL: not usable in
     * that version. TLS < 1.2 has no such choice. */
    const char *sigalgs_12, *sigalgs_13;
    bool slow_key; /* making its key takes seconds: made in a thread of its own, with a progress
                      line */
};

extern const struct certificate_kind kind_table[];
extern const size_t kind_count;

const struct certificate_kind *kind_find(const char *name); /* any case; NULL if unknown */
const char *kind_nearest(const char *word);

/* Whether a leaf of this kind can serve this suite in this version; if not, *reason is a static
 * sentence such as "needs an RSA certificate". */
bool kind_serves(const struct certificate_kind *kind, const struct suite *suite, int version,
                 const char **reason);

#endif
