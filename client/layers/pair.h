#ifndef CLIENT_LAYERS_PAIR_H
#define CLIENT_LAYERS_PAIR_H

#include "client/case.h"
#include "client/layers/work.h"
#include "common/base/error.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>

/* A client and a server that speak TLS through two memory BIOs, each moved on by itself, so that
 * their CPU time can be told apart. Every step does what the programs do with a socket at that
 * point: SSL_new, handshake, close_notify, SSL_free. */

enum pair_end {
    PAIR_CLOSE, /* the client sends close_notify, the server answers */
    PAIR_DROP,  /* the client is gone after its handshake (--close rst) */
    PAIR_KEEP,  /* both stay open for records */
};

struct pair_settings {
    SSL_CTX *contexts[WORK_SIDES];
    const char *server_name; /* SNI */
    /* the client checks that exactly this was negotiated; NULL: not */
    const struct test_case *pins;
    enum pair_end end;
};

enum pair_state {
    PAIR_NEW,
    PAIR_HANDSHAKE,
    PAIR_CLOSING,
    PAIR_DONE, /* its SSL is freed, or kept open */
};

struct pair {
    BIO *pipes[WORK_SIDES]; /* by the side that reads */
    SSL *ssl[WORK_SIDES];
    enum pair_state state[WORK_SIDES];
};

/* Zeroed is valid for cleanup. False: no memory. */
bool pair_init(struct pair *pair);
void pair_cleanup(struct pair *pair);

/* Back to PAIR_NEW with empty pipes. */
void pair_reset(struct pair *pair);

/* Goes as far as this side can without the other. */
bool pair_step(struct pair *pair, enum work_side side, const struct pair_settings *settings,
               struct error *err) MUST_CHECK;

#endif
