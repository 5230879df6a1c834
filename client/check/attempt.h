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
    bool done;  /* the handshake was completed on our side */
    bool asked; /* the server wants a certificate of the client, who has none: up to TLS 1.2 it may
                   end the handshake for that, after all has been negotiated */
    struct negotiated negotiated; /* when done or asked */
    struct failure failure;       /* when not done */
};

/* `load` says where. False: the offer itself cannot be made with this library. */
bool attempt_run(const struct attempt_offer *offer, const struct load_settings *load,
                 struct attempt *attempt, struct error *err) MUST_CHECK;

#endif
