#ifndef TESTS_SUPPORT_MEMORY_PAIR_H
#define TESTS_SUPPORT_MEMORY_PAIR_H

#include "common/tls/io.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

/* A client and a server that speak TLS through two memory BIOs: handshakes without a network, a
 * thread or a wait. */
struct memory_pair {
    SSL *client, *server;
    struct failure client_failure, server_failure; /* of the last handshake */
};

/* The contexts stay the caller's. False when OpenSSL has no memory. */
bool memory_pair_init(struct memory_pair *pair, SSL_CTX *client, SSL_CTX *server);
void memory_pair_cleanup(struct memory_pair *pair);

/* Lets both sides take turns until both are done (true) or one has failed; the other side then has
 * had its turn to read the alert. Bounded. */
bool memory_pair_handshake(struct memory_pair *pair);

/* Moves `length` bytes from one side to the other and compares them. */
bool memory_pair_transfer(SSL *from, SSL *to, const void *data, size_t length);

#endif
