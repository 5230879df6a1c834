#ifndef COMMON_TLS_LEAN_LIBRARY_H
#define COMMON_TLS_LEAN_LIBRARY_H

#include "common/base/error.h"

#include <openssl/crypto.h>

/* A library context that is the default provider with most of its decoders left out: only those for
 * the public keys of peers' certificates (DER, SubjectPublicKeyInfo) are passed on. OpenSSL 3.0
 * tries every decoder that it has for each key of each certificate of each handshake, a third of
 * what a client spends. Unlike a stock client, so an option, and named in results. Made once in a
 * process, for its whole life: NULL on failure, else owned by libcrypto until exit. Not for threads
 * before it has returned once. */
OSSL_LIB_CTX *lean_library(struct error *err) MUST_CHECK;

#endif
