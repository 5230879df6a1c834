#ifndef COMMON_TLS_HOLD_H
#define COMMON_TLS_HOLD_H

#include <openssl/ssl.h>
#include <stdbool.h>

/* Several small records in one system call and one segment. libssl writes each post-handshake
 * message (a session ticket) and each SSL_write by itself; a connection that knows it has more to
 * say holds them back until the end of its turn. The proof of what is gained is tests/bench/peers.
 *
 * It is a filter between libssl and its socket BIO: what is written while holding is kept, up to
 * 4 KiB, and BIO_flush does nothing. Larger writes go out at once, behind what is kept. */

enum hold_status {
    HOLD_EMPTY,   /* nothing is kept any more */
    HOLD_BLOCKED, /* again when the socket can be written */
    HOLD_LOST,    /* the connection is broken; what was kept is dropped, and reading tells why */
};

/* For one thread or many; NULL without memory. Must outlive the connections: BIO_meth_free. */
BIO_METHOD *hold_method_new(void);

/* Puts the filter on the writing side of an SSL that has its socket (SSL_set_fd), holding from the
 * start. The SSL owns it: what it keeps when that is freed is lost. NULL without memory. */
BIO *hold_attach(SSL *ssl, const BIO_METHOD *method);

/* While it is off, every write goes out at once (behind what is kept). */
void hold_set(BIO *hold, bool on);

/* Writes what is kept: before every wait, and before the end of stream. */
enum hold_status hold_flush(BIO *hold);

#endif
