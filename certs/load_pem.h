#ifndef CERTS_LOAD_PEM_H
#define CERTS_LOAD_PEM_H

#include "common/base/error.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

/* PEM files as people have them: other blocks and text between them are passed over. Nothing ever
 * asks the terminal. What a failed call has put into its outputs is still the caller's to free. */

/* All certificates of a file: the first one, and a stack of the others (may be empty). */
bool load_pem_certificates(const char *path, X509 **first, STACK_OF(X509) * *others,
                           struct error *err) MUST_CHECK;

/* The first private key of a file, PKCS#8 or traditional; the pass phrase of an encrypted one is
 * a line of `pass_file`, which may be NULL: each that is not empty is tried. */
bool load_pem_key(const char *path, const char *pass_file, EVP_PKEY **key,
                  struct error *err) MUST_CHECK;

#endif
