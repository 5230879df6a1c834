#ifndef COMMON_TLS_SETTINGS_ALPN_H
#define COMMON_TLS_SETTINGS_ALPN_H

#include "common/base/error.h"
#include "common/tls/settings.h"

/* Application protocols (RFC 7301) from a comma-separated list: offered by a client, chosen by a
 * server in its own order. A server without a common protocol goes on without one. */
bool settings_alpn_apply(SSL_CTX *ctx, const struct tls_settings *settings,
                         struct error *err) MUST_CHECK;

#endif
