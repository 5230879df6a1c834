#ifndef CLIENT_CHECK_ATTEMPT_H
#define CLIENT_CHECK_ATTEMPT_H

#include "client/load.h"
#include "common/base/error.h"
#include "common/tls/failure.h"
#include "common/tls/negotiated.h"

#include <stdbool.h>

/* One handshake of a client that offers exactly this. */
struct attempt_offer {
    int min_version, max_version;
    const char *ciphers, *ciphersuites; /* "": none */
    const char *groups;                 /* NULL: every group that the library has */
    const char *sigalgs;                /* NULL: the library's default */
};

struct attempt {
    bool done;                    /* the handshake was completed on our side */
    struct negotiated negotiated; /* when done */
    struct failure failure;       /* else */
};

/* `load` says where. False: the offer itself cannot be made with this library. */
bool attempt_run(const struct attempt_offer *offer, const struct load_settings *load,
                 struct attempt *attempt, struct error *err) MUST_CHECK;

#endif
