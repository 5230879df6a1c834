#ifndef CLIENT_LINK_H
#define CLIENT_LINK_H

#include "client/interrupt.h"
#include "common/tls/failure.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* One blocking TLS connection with deadlines: for probes, trials and the control connection, never
 * for load. Zeroed is not valid: link_open sets it, also when it fails. */
struct link {
    int fd;
    SSL *ssl;
    struct interrupt *interrupt; /* a signal ends whatever it waits for; NULL: none does */
};

struct link_settings {
    const struct sockaddr *address;
    socklen_t address_length;
    SSL_CTX *context;
    const char *server_name; /* SNI; NULL or "": none */
    uint64_t connect_timeout_ns, handshake_timeout_ns;
    struct interrupt *interrupt; /* the link's; may be NULL */
};

/* Connects without TLS. -1: failed, or a signal came (`interrupt` may be NULL); *failure says why.
 */
int link_connect(const struct sockaddr *address, socklen_t length, uint64_t timeout_ns,
                 struct interrupt *interrupt, struct failure *failure);

/* Connects and completes a handshake. False: *failure says why; link->ssl, where not NULL, may
 * still be asked what the peer said so far. Always end with link_close. */
bool link_open(struct link *link, const struct link_settings *settings, struct failure *failure);

/* Reads at least one byte. False with FAILURE_NONE: the peer's close_notify or end of stream. */
bool link_read(struct link *link, void *buffer, size_t size, size_t *done, uint64_t timeout_ns,
               struct failure *failure);
bool link_write(struct link *link, const void *data, size_t length, uint64_t timeout_ns,
                struct failure *failure);

/* Sends close_notify; what the peer says after it can still be read. */
void link_send_close(struct link *link);
void link_close(struct link *link);

#endif
