#ifndef CERTS_CERTIFICATE_H
#define CERTS_CERTIFICATE_H

#include "common/base/error.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

/* One X.509 version 3 certificate (RFC 5280), with a random serial number and both key
 * identifiers, valid from an hour ago, signed with SHA-256. */
struct certificate_request {
    const char *common_name;
    EVP_PKEY *key;        /* the subject's; only its public half goes in */
    const X509 *issuer;   /* NULL: self-signed */
    EVP_PKEY *issuer_key; /* RSA or EC; of a self-signed one the subject's own */
    int days;
    /* Values in the syntax of x509v3_config(5); NULL leaves the extension out. */
    const char *basic_constraints, *key_usage, *extended_key_usage, *alternative_names,
        *name_constraints;
};

/* The caller frees. NULL: failed. */
X509 *certificate_new(const struct certificate_request *request, struct error *err) MUST_CHECK;

#endif
