#ifndef CERTS_LOAD_CHECK_H
#define CERTS_LOAD_CHECK_H

#include "common/base/error.h"
#include "common/tls/identity.h"

/* What can be wrong with a certificate chain and key that OpenSSL has read: a check each, with its
 * own words. Certificates are counted from 1, in the order of the file. */
struct load_files {
    const char *cert_file, *key_file;
};

/* The key is the first certificate's. */
bool load_check_pair(const struct load_files *files, const struct identity *identity,
                     struct error *err) MUST_CHECK;
/* RSA and DSA keys have 1024 bits at least, an EC key lies on a named curve that TLS has. */
bool load_check_key(const struct load_files *files, const struct identity *identity,
                    struct error *err) MUST_CHECK;
/* Each certificate is issued by the next. */
bool load_check_chain(const struct load_files *files, const struct identity *identity,
                      struct error *err) MUST_CHECK;
/* Every certificate is valid now. */
bool load_check_dates(const struct load_files *files, const struct identity *identity,
                      struct error *err) MUST_CHECK;
/* OpenSSL takes the identity at this security level (SSL_CTX_set_security_level(3)). */
bool load_check_level(const struct load_files *files, const struct identity *identity, int level,
                      struct error *err) MUST_CHECK;

#endif
