#ifndef COMMON_TLS_IO_H
#define COMMON_TLS_IO_H

#include "common/tls/failure.h"

#include <openssl/ssl.h>
#include <stddef.h>

/* Non-blocking TLS I/O, translated once: the only file that calls SSL_get_error. Every call clears
 * the thread's OpenSSL error queue first. */
enum io_status {
    IO_OK,         /* progress: the handshake is complete, or *done bytes were moved */
    IO_WANT_READ,  /* again when the socket can be read */
    IO_WANT_WRITE, /* again when the socket can be written */
    IO_CLOSED,     /* the peer's close_notify */
    IO_EOF,        /* end of stream without close_notify */
    IO_FAILED,     /* *failure says why; only SSL_free may follow */
};

/* SSL_do_handshake. IO_EOF and IO_CLOSED come as IO_FAILED here (closed early). `failure` may be
 * NULL in all of these when the caller does not care why. */
enum io_status tls_handshake(SSL *ssl, struct failure *failure);

enum io_status tls_read(SSL *ssl, void *buffer, size_t length, size_t *done,
                        struct failure *failure);
enum io_status tls_write(SSL *ssl, const void *data, size_t length, size_t *done,
                         struct failure *failure);

/* Sends close_notify (SSL_shutdown once): IO_OK when it has left. */
enum io_status tls_send_close(SSL *ssl, struct failure *failure);

#endif
