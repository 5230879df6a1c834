#ifndef COMMON_TLS_SETTINGS_CONF_H
#define COMMON_TLS_SETTINGS_CONF_H

#include "common/base/error.h"
#include "common/tls/settings.h"

/* The user's COMMAND=VALUE words in the syntax of SSL_CONF_cmd(3)'s configuration files. */
bool settings_conf_apply(SSL_CTX *ctx, const struct tls_settings *settings,
                         struct error *err) MUST_CHECK;

#endif
