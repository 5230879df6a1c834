#ifndef COMMON_TLS_NEGOTIATED_H
#define COMMON_TLS_NEGOTIATED_H

#include "common/tls/group.h"
#include "common/tls/suite.h"

#include <openssl/ssl.h>
#include <stdbool.h>

/* What one finished handshake negotiated, as the client sees it. Plain values: copied freely. */
struct negotiated {
    int version;
    uint16_t suite;     /* IANA code */
    char group[32];     /* "x25519", "p-256", "dh-2048" (DHE in TLS <= 1.2), "" for static RSA */
    char signature[32]; /* "rsa_pss_rsae_sha256", RFC 8446 names; "" where nothing was signed
                           (static RSA) */
    char certificate_type[16]; /* OpenSSL's key type name: "RSA", "RSA-PSS", "EC", "ED25519", … */
    int certificate_bits;
    char certificate_curve[16]; /* "p-256" for EC keys, else "" */
    bool resumed;
    /* OpenSSL's numbers behind the names, for negotiated_same only. */
    struct negotiated_ids {
        int group, digest, signature;
    } ids;
};

/* Reads all facts of a completed handshake. Client side; costs a microsecond or two. */
void negotiated_read(SSL *ssl, struct negotiated *facts);

/* A cheap check for every connection: version, suite, group, signature and certificate key exactly
 * as in `expected` (itself from negotiated_read of the case's first connection), and resumed or not
 * as expected->resumed says.
 * False: *what is a short text of the first difference, "suite AES256-GCM-SHA384 instead of …", at
 * most `size` bytes. */
bool negotiated_same(SSL *ssl, const struct negotiated *expected, char *what, size_t size);

#endif
