#ifndef COMMON_TLS_SETTINGS_LISTS_H
#define COMMON_TLS_SETTINGS_LISTS_H

#include "common/base/error.h"
#include "common/tls/settings.h"

/* The lists of a context: suites of TLS <= 1.2 and of 1.3, groups, signature algorithms. Each is
 * read back or tried word by word, since OpenSSL drops words that it does not know as long as one
 * matches. */
bool settings_lists_apply(SSL_CTX *ctx, const struct tls_settings *settings,
                          struct error *err) MUST_CHECK;

#endif
