#ifndef COMMON_TLS_SIGNATURE_H
#define COMMON_TLS_SIGNATURE_H

#include <stdbool.h>

/* The signature scheme's name (RFC 8446 section 4.2.3; for TLS < 1.2 made in the same way:
 * "rsa_pkcs1_md5_sha1") from OpenSSL's numbers as SSL_get_peer_signature_type_nid and
 * SSL_get_peer_signature_nid give them. One RSA-PSS number stands for two schemes: `pss_key` tells
 * whether the signer's key is bound to PSS. "" for type 0, "unknown" for a pair that no row has. */
const char *signature_name(int type, int digest, bool pss_key);

#endif
