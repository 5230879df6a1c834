#ifndef COMMON_TLS_GROUP_H
#define COMMON_TLS_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Key-exchange groups: IANA's "TLS Supported Groups" that OpenSSL has in some version. */
struct tls_group {
    const char *name; /* as suitemark prints it: "x25519", "p-256", "ffdhe2048", "X25519MLKEM768" */
    const char *alias;   /* another name that is accepted: "secp256r1", or NULL */
    const char *openssl; /* as SSL_CTX_set1_groups_list takes it: "X25519", "P-256", … */
    uint16_t code;       /* on the wire (RFC 8446 section 4.2.7) */
    int nid;             /* as SSL_get_negotiated_group gives it on OpenSSL 3.0, or NID_undef */
    int min_version; /* first version that negotiates it: TLS1_VERSION for curves, TLS1_3_VERSION
                        for ffdhe and KEMs */
    int max_version; /* TLS1_2_VERSION for what TLS 1.3 dropped (brainpool, secp256k1), else
                        TLS1_3_VERSION */
};

extern const struct tls_group group_table[];
extern const size_t group_count;

/* By name, alias or OpenSSL's name in any case, or by OpenSSL's object name ("prime256v1"); NULL if
 * unknown. */
const struct tls_group *group_find(const char *name);
/* Also takes 0x1000000|code, SSL_get_negotiated_group's form; NULL if unknown. */
const struct tls_group *group_by_nid(int nid);
const char *group_nearest(const char *word);

#endif
