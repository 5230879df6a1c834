#ifndef COMMON_TLS_VERSION_H
#define COMMON_TLS_VERSION_H

#include <openssl/ssl.h>
#include <stdbool.h>

/* Protocol versions are the wire's numbers: TLS1_VERSION (0x0301) to TLS1_3_VERSION (0x0304). */

/* "1.0" "1.1" "1.2" "1.3", also "TLSv1.3", "tls1.3", any case, and OpenSSL's "TLSv1" for 1.0; 0 for
 * anything else. */
int tls_version_parse(const char *text);
/* "1.3"; "?" for a number that is none of the four. */
const char *tls_version_name(int version);

#endif
