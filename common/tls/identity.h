#ifndef COMMON_TLS_IDENTITY_H
#define COMMON_TLS_IDENTITY_H

#include "common/tls/kind.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

/* A leaf certificate, the certificates that are sent behind it, and its private key. Owned by
 * whoever made it; contexts take references. Zeroed is valid and empty. */
struct identity {
    char name[64];                       /* the kind's name, or the file that it came from */
    const struct certificate_kind *kind; /* NULL where it is none of the table's */
    X509 *leaf;
    STACK_OF(X509) * chain; /* issuers, nearest first, without the root; may be NULL */
    EVP_PKEY *key;
};

void identity_cleanup(struct identity *identity);

/* The kind of a key (type, and bits or curve), NULL where the table has none. */
const struct certificate_kind *identity_kind_of(const EVP_PKEY *key);

#endif
