#ifndef CERTS_KEY_H
#define CERTS_KEY_H

#include "common/base/error.h"
#include "common/tls/kind.h"

#include <openssl/evp.h>

/* A new private key of this kind; takes seconds for a kind whose row says slow_key. The caller
 * frees. NULL: failed. */
EVP_PKEY *key_new(const struct certificate_kind *kind, struct error *err) MUST_CHECK;

#endif
