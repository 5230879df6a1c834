#ifndef CLIENT_LOOPBACK_H
#define CLIENT_LOOPBACK_H

#include <stdbool.h>
#include <sys/socket.h>

/* Whether an address is this very host by its form: 127/8, ::1, and the first as a mapped IPv6
 * address. */
bool loopback_address(const struct sockaddr_storage *address);

#endif
