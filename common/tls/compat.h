#ifndef COMMON_TLS_COMPAT_H
#define COMMON_TLS_COMPAT_H

/* The one place for differences between OpenSSL versions that need a symbol the headers may not
 * have. What can be asked of the library at run time is asked there instead. */

#include <openssl/opensslv.h>

#define COMPAT_OPENSSL_3_2 (OPENSSL_VERSION_NUMBER >= 0x30200000L)
#define COMPAT_OPENSSL_3_5 (OPENSSL_VERSION_NUMBER >= 0x30500000L)
#define COMPAT_OPENSSL_4_0 (OPENSSL_VERSION_NUMBER >= 0x40000000L)

#endif
