#ifndef COMMON_TLS_COMPAT_H
#define COMMON_TLS_COMPAT_H

/* The one place for differences between OpenSSL versions that need a symbol the headers may not
 * have. What can be asked of the library at run time is asked there instead. */

#include <openssl/opensslv.h>
#include <openssl/ssl.h>

#define COMPAT_OPENSSL_3_2 (OPENSSL_VERSION_NUMBER >= 0x30200000L)
#define COMPAT_OPENSSL_3_5 (OPENSSL_VERSION_NUMBER >= 0x30500000L)
#define COMPAT_OPENSSL_4_0 (OPENSSL_VERSION_NUMBER >= 0x40000000L)

/* SSL_get0_peer_signature_name: the scheme that the peer signed with, or NULL where nothing was
 * signed. Before 3.5, which has no such call, always NULL. */
const char *compat_peer_signature_name(SSL *ssl);

#endif
