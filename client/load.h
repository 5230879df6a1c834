#ifndef CLIENT_LOAD_H
#define CLIENT_LOAD_H

#include "client/case.h"
#include "client/credentials.h"
#include "client/interrupt.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* How a handshake is proved to have been accepted by the server (METHOD 1). */
enum confirmation {
    CONFIRM_SERVER, /* suitemark-server's own counters, and its close_notify on every connection */
    CONFIRM_FINISHED, /* TLS <= 1.2 full handshake: the server's Finished follows ours */
    CONFIRM_RESPONSE, /* first byte of the answer to a request sent after our Finished */
    CONFIRM_CLOSE,    /* the peer's close_notify after ours */
};

/* Who closes how (METHOD 9). */
enum close_policy {
    CLOSE_SERVER, /* close_notify, wait for the server's FIN, then linger 0: no TIME_WAIT on either
                     side */
    CLOSE_FIN,    /* close_notify, then FIN: the client is the first closer and keeps TIME_WAIT */
    CLOSE_RST,    /* linger 0 right after the proof */
};

const char *confirmation_name(enum confirmation confirmation); /* "server" */
const char *close_policy_name(enum close_policy policy);       /* "server" */

#define LOAD_SOURCES_MAX 256

/* What shapes the load of every slot of a run; const for its whole length. */
struct load_settings {
    struct sockaddr_storage address;
    socklen_t address_length;
    char server_name[256]; /* SNI for targets that are not suitemark-server; "" : none */
    bool suitemark_names;  /* SNI is KIND.suitemark.test: the target is suitemark-server */
    char host[280];        /* Host header */
    char path[1024];       /* what a confirming request and bulk ask of a foreign target */
    unsigned threads;
    unsigned connections; /* in flight, all threads together; handshake */
    unsigned bulk_connections;
    enum confirmation confirm;
    enum close_policy close;
    unsigned tickets; /* tickets that the server was asked to send: they are read, their bytes
                         counted apart */
    uint64_t connect_timeout_ns, handshake_timeout_ns, close_timeout_ns;
    struct interrupt *interrupt; /* ends what goes before the load (probe, trials); NULL: nothing */
    const struct credentials *credentials;             /* NULL: nothing verified, nothing shown */
    struct sockaddr_storage sources[LOAD_SOURCES_MAX]; /* connections take turns over them */
    socklen_t source_length;
    unsigned source_count; /* 0: the kernel chooses */
    int pins[64];          /* CPU of thread i, -1: not pinned; threads beyond 64 are not pinned */
};

#endif
