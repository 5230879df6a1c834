#ifndef CLIENT_REQUEST_H
#define CLIENT_REQUEST_H

#include "client/case.h"
#include "client/load.h"

#include <stddef.h>

#define REQUEST_MAX 2048

/* The request that a connection of this case sends after its handshake, into `text`; its length, 0
 * when there is none (a handshake that is proved without one). */
size_t request_write(char text[static REQUEST_MAX], const struct test_case *test_case,
                     const struct load_settings *load, enum confirmation confirm);

#endif
