#ifndef COMMON_NGINX_LISTEN_H
#define COMMON_NGINX_LISTEN_H

#include "common/nginx/config.h"

/* Reads a `listen` directive, which has one argument at least; for config.c alone. `socket` is
 * new. Host names are not resolved and stay as they are written. */
void nginx_listen_read(const struct nginx_directive *directive, struct nginx_listen *listen);

#endif
