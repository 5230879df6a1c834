#ifndef CLIENT_PINS_H
#define CLIENT_PINS_H

#include "client/case.h"
#include "common/tls/negotiated.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether a handshake gave exactly what its case pins: version, suite, certificate kind, group; and
 * did not resume. False: *what is a short text of the first difference. */
bool pins_match(const struct test_case *test_case, const struct negotiated *facts, char *what,
                size_t size);

/* The same for a live connection: by comparison with `expected`, the facts of the case's trial,
 * which is cheap enough for every connection; without it (NULL) by reading all facts. */
bool pins_hold(SSL *ssl, const struct test_case *test_case, const struct negotiated *expected,
               char *what, size_t size);

#endif
