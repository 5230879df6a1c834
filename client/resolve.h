#ifndef CLIENT_RESOLVE_H
#define CLIENT_RESOLVE_H

#include "client/load.h"
#include "client/target.h"
#include "common/base/error.h"

#define ADDRESS_TEXT 64

/* Looks the target up and fills load->address with the first of its addresses (in getaddrinfo(3)'s
 * order, v6 and v4) that takes a TCP connection. `text` becomes "127.0.0.1:4433" or "[::1]:4433".
 */
bool resolve_target(const struct target *target, struct load_settings *load,
                    char text[static ADDRESS_TEXT], struct error *err) MUST_CHECK;

#endif
