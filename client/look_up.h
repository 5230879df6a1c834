#ifndef CLIENT_LOOK_UP_H
#define CLIENT_LOOK_UP_H

#include "client/interrupt.h"
#include "common/base/error.h"

#include <netdb.h>

/* The stream addresses of a host name or literal. A signal ends the wait, which may be long where a
 * name server is silent (`interrupt` may be NULL). Free with freeaddrinfo(3). */
bool look_up(const char *host, unsigned port, struct interrupt *interrupt, struct addrinfo **list,
             struct error *err) MUST_CHECK;

#endif
