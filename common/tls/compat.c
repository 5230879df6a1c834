#include "common/tls/compat.h"

#include <stddef.h>

const char *compat_peer_signature_name(SSL *ssl)
{
#if COMPAT_OPENSSL_3_5
    const char *name = NULL;
    return SSL_get0_peer_signature_name(ssl, &name) == 1 ? name : NULL;
#else
    (void)ssl;
    return NULL;
#endif
}
