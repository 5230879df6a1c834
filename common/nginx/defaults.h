#ifndef COMMON_NGINX_DEFAULTS_H
#define COMMON_NGINX_DEFAULTS_H

#include "common/base/error.h"
#include "common/nginx/config.h"

#include <stdbool.h>

/* What nginx does where a configuration says nothing, by its version (nginx's CHANGES and the
 * manual of ngx_http_ssl_module). */

/* "1.22.1" is 1022001; also takes "nginx/1.22.1". 0: not a version. */
unsigned nginx_version_parse(const char *text);

/* The words of a setting that is absent, "" where it then does nothing. */
const char *nginx_default(enum nginx_setting setting, unsigned version);

/* Asks an nginx of this machine: "nginx -v". 0: there is none. */
unsigned nginx_version_installed(void);

#endif
