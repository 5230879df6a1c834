#ifndef CLIENT_TARGET_H
#define CLIENT_TARGET_H

#include "common/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* What the user typed as TARGET, taken apart; nothing is resolved here. */
struct target {
    char host[256]; /* name or literal address, without brackets */
    uint16_t port;
    char path[1024]; /* "/" unless an URL gave one */
    bool url;        /* https://…: an HTTPS server; default port 443, else 4433 */
    bool literal;    /* host is an IPv4 or IPv6 literal: no SNI (RFC 6066 section 3) */
    bool v6;
};

/* host, host:port, [v6], [v6]:port, v6 without brackets when no port follows,
 * https://host[:port][/path]. Refused with one line that says what and where: an empty host, a port
 * outside 1 to 65535, other schemes, userinfo, control characters and blanks. */
bool target_parse(const char *text, struct target *target, struct error *err) MUST_CHECK;

#endif
