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
    bool confirm; /* ask for an answer where our side of the handshake proves nothing */
    bool inspect; /* look at the dates and the order of the server's certificates */
};

/* By what it is known that the server took the handshake too. A TLS 1.3 client is done before. */
enum attempt_proof {
    PROOF_NONE,     /* it was not asked, or said nothing */
    PROOF_FINISHED, /* up to TLS 1.2 */
    PROOF_RESPONSE, /* the first bytes of its answer to a request */
    PROOF_CLOSE,    /* its close_notify */
};

const char *attempt_proof_name(enum attempt_proof proof); /* "response"; "" for none */

struct attempt {
    bool done;     /* the handshake was completed on our side */
    bool asked;    /* the server wants a certificate of the client, who has none: it may end the
                      handshake for that after all has been negotiated, in TLS 1.3 when our side is
                      done */
    bool rejected; /* it has, after our side was done: then `done` is false */
    enum attempt_proof proof;
    int http_status;              /* of its answer; 0: none, or not HTTP */
    struct negotiated negotiated; /* when done, asked or rejected */
    struct failure failure;       /* when not done */
    struct error fault;           /* of the certificates, where the offer asks; "": none */
};

/* `load` says where. False: the offer itself cannot be made with this library. */
bool attempt_run(const struct attempt_offer *offer, const struct load_settings *load,
                 struct attempt *attempt, struct error *err) MUST_CHECK;

#endif
