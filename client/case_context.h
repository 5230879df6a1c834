#ifndef CLIENT_CASE_CONTEXT_H
#define CLIENT_CASE_CONTEXT_H

#include "client/case.h"
#include "client/credentials.h"
#include "common/base/error.h"

#include <openssl/ssl.h>
#include <stddef.h>

/* A client context that can negotiate nothing but the case: one version, one suite, the group (in
 * TLS <= 1.2 with an EC certificate its curve beside it, without which no ECDSA suite is shared)
 * and the kind's signature algorithms. Security level 0. `credentials` (NULL: none) say what is
 * verified and shown. Free with SSL_CTX_free. NULL: failed. */
SSL_CTX *case_context_new(const struct test_case *test_case, const struct credentials *credentials,
                          struct error *err) MUST_CHECK;

#define CASE_SERVER_NAME 288

/* The name for SNI and its Host: KIND.suitemark.test. */
void case_server_name(const struct test_case *test_case, char name[static CASE_SERVER_NAME]);

#endif
