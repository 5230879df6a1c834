#ifndef SERVER_LISTEN_ADDRESS_H
#define SERVER_LISTEN_ADDRESS_H

#include "common/base/error.h"

#include <stdint.h>
#include <sys/socket.h>

/* Where to listen, as a user types it. */
struct listen_address {
    char host[256]; /* name or literal address, without brackets */
    uint16_t port;  /* 0: the kernel chooses */
};

/* "host:port" or "[v6]:port". Refused with one line: no host (nobody shall listen on every address
 * by accident), no port, a port above 65535. Resolves nothing. */
bool listen_address_parse(const char *text, struct listen_address *address,
                          struct error *err) MUST_CHECK;

/* The first socket address of the host. */
bool listen_address_resolve(const struct listen_address *address, struct sockaddr_storage *socket,
                            socklen_t *length, struct error *err) MUST_CHECK;

/* "127.0.0.1:4433" or "[::1]:4433"; returns `text`. */
#define LISTEN_ADDRESS_TEXT 64
char *listen_address_format(char text[static LISTEN_ADDRESS_TEXT],
                            const struct sockaddr_storage *socket);

#endif
