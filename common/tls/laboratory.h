#ifndef COMMON_TLS_LABORATORY_H
#define COMMON_TLS_LABORATORY_H

#include "common/tls/settings.h"

/* suitemark-server's settings when nothing is configured: everything that the loaded library has,
 * at security level 0, without tickets and without resumption; ticket keys are the caller's to add.
 * Whoever measures the same handshake without a server takes these too. */
struct tls_settings laboratory_settings(void);

#endif
