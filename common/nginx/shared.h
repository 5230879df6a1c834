#ifndef COMMON_NGINX_SHARED_H
#define COMMON_NGINX_SHARED_H

#include "common/nginx/config.h"

/* Name-based servers on one socket. A connection starts with the settings of the socket's default
 * server; when the name in the ClientHello is known, nginx exchanges the context, and by then part
 * of the handshake is decided. Which settings of the other blocks are still in force was found by
 * experiment with nginx 1.22.1 on OpenSSL 3.0; tests/e2e/test_check_nginx_shared.sh repeats it. */
#define NGINX_SHARED_TRIED "nginx 1.22.1 with OpenSSL 3.0"

enum nginx_force {
    NGINX_FORCE_OWN,      /* the block's own */
    NGINX_FORCE_DEFAULT,  /* the default server's, whatever the block says */
    NGINX_FORCE_UP_TO_12, /* the block's own up to TLS 1.2, the default server's in TLS 1.3 */
    NGINX_FORCE_BOTH,     /* "off" of either block counts */
};

enum nginx_force nginx_shared_force(enum nginx_setting setting);
/* The same for one ssl_conf_command, by its first word in any case. */
enum nginx_force nginx_shared_force_command(const char *command);

#endif
