#ifndef CLIENT_CASE_H
#define CLIENT_CASE_H

#include "common/tls/group.h"
#include "common/tls/kind.h"
#include "common/tls/suite.h"

#include <stddef.h>
#include <stdint.h>

enum measure {
    MEASURE_HANDSHAKE, /* new full handshakes, one after the other on each connection slot */
    MEASURE_BULK,      /* application bytes over kept connections */
};

enum direction {
    DIRECTION_DOWNLOAD, /* the server sends */
    DIRECTION_UPLOAD,   /* the client sends */
};

/* What is measured: measure x version x suite x certificate kind x group (x record size x direction
 * for bulk). Everything is pinned; the pointers go into const tables. */
struct test_case {
    char id[160]; /* "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519", bulk:
                     "…/16384/download" */
    enum measure measure;
    int version; /* TLS1_VERSION … TLS1_3_VERSION */
    const struct suite *suite;
    const struct certificate_kind *kind;
    const struct tls_group
        *group; /* NULL: the suite leaves none to choose (static RSA; DHE in TLS <= 1.2) */
    uint32_t record_size;     /* bulk: bytes of one SSL_write */
    enum direction direction; /* bulk */
};

const char *measure_name(enum measure measure);       /* "handshake" */
const char *direction_name(enum direction direction); /* "download" */

#endif
