#ifndef CLIENT_OPEN_SOCKET_H
#define CLIENT_OPEN_SOCKET_H

#include "common/tls/failure.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* Starts a non-blocking TCP connection with TCP_NODELAY, from `source` (NULL: the kernel's choice;
 * else with IP_BIND_ADDRESS_NO_PORT, so that the port is picked at connect and may be shared
 * between destinations). *connected says whether it is there already, as it mostly is on loopback;
 * else wait until it can be written, then open_socket_finish. -1: failed, *failure has the class
 * and the kernel's reason. */
int open_socket(const struct sockaddr *address, socklen_t length, const struct sockaddr *source,
                socklen_t source_length, bool *connected, struct failure *failure);

/* Whether a pending connection was made; false: *failure says why. The descriptor stays the
 * caller's. */
bool open_socket_finish(int fd, struct failure *failure);

/* Makes the coming close(2) a reset that leaves no TIME_WAIT on either side (SO_LINGER with time
 * 0). */
void open_socket_linger_none(int fd);

#endif
