#ifndef CERTS_AUTHORITY_H
#define CERTS_AUTHORITY_H

#include "common/base/error.h"
#include "common/tls/identity.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

/* A test authority: one root, one RSA-2048 and one P-256 intermediate (RSA leaves are issued by the
 * first, all others by the second), so that a chain costs what a public one costs. All in memory;
 * keys are made anew for each authority. */
struct authority {
    X509 *root;
    EVP_PKEY *root_key;
    X509 *rsa_issuer, *ec_issuer;
    EVP_PKEY *rsa_issuer_key, *ec_issuer_key;
};

bool authority_init(struct authority *authority, struct error *err) MUST_CHECK;
void authority_cleanup(struct authority *authority);

/* Issues a leaf of `kind` with a new key: names KIND.suitemark.test, localhost, 127.0.0.1 and ::1;
 * serverAuth and clientAuth; valid from an hour ago for 90 days. The chain is leaf, intermediate.
 * Thread-safe for one authority that no thread changes. Free with identity_cleanup. */
bool authority_issue(const struct authority *authority, const struct certificate_kind *kind,
                     struct identity *identity, struct error *err) MUST_CHECK;

/* The same with a key that the caller has made; it becomes the identity's, also after a failure it
 * is not the caller's any more. */
bool authority_certify(const struct authority *authority, const struct certificate_kind *kind,
                       EVP_PKEY *key, struct identity *identity, struct error *err) MUST_CHECK;

/* The intermediate that signs leaves of this kind, and its key; both stay the authority's. */
X509 *authority_issuer_of(const struct authority *authority, const struct certificate_kind *kind);
EVP_PKEY *authority_issuer_key_of(const struct authority *authority,
                                  const struct certificate_kind *kind);

#endif
