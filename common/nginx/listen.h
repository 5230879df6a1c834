#ifndef COMMON_NGINX_LISTEN_H
#define COMMON_NGINX_LISTEN_H

#include "common/nginx/config.h"

/* For config.c alone. A `listen` directive has one argument at least. */

/* How many ports it names: "8000-8003" are four. Of a long range the first ones are read. */
unsigned nginx_listen_ports(const struct nginx_directive *directive);

/* Reads it for one of its ports, from 0. `socket` is new. Host names are not resolved and stay as
 * they are written, but for localhost. */
void nginx_listen_read(const struct nginx_directive *directive, unsigned port,
                       struct nginx_listen *listen);

#endif
