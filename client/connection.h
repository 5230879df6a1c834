#ifndef CLIENT_CONNECTION_H
#define CLIENT_CONNECTION_H

#include "client/case.h"
#include "client/exchange.h"
#include "client/load.h"
#include "client/tally.h"
#include "common/tls/failure.h"
#include "common/tls/negotiated.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>

/* One connection slot of a worker: connects, proves what was negotiated, lets the measure's load do
 * its part, closes by the policy, and reports to its owner, who may start it again. Raw events, SSL
 * on the descriptor. */

enum connection_state {
    CONNECTION_IDLE,
    CONNECTION_CONNECTING,
    CONNECTION_HANDSHAKING,
    CONNECTION_ACTIVE,         /* the load's part */
    CONNECTION_SENDING_CLOSE,  /* our close_notify */
    CONNECTION_AWAITING_CLOSE, /* the peer's close_notify */
    CONNECTION_AWAITING_FIN,   /* the peer's FIN */
};

/* How a load's step leaves the connection. */
enum load_step {
    STEP_READ,        /* again when there is something to read */
    STEP_WRITE,       /* again when there is room to write */
    STEP_YIELD,       /* again when whoever else is ready has had a turn */
    STEP_CLOSE,       /* its part is done */
    STEP_PEER_CLOSED, /* likewise, and the peer has said all that it will say */
    STEP_STOP,        /* ended by us in the middle: no failure, no completion */
    STEP_FAIL,        /* connection->failure says why */
};

struct connection;

/* A measure's part of a connection; called after the handshake and at every event until it says
 * otherwise. */
typedef enum load_step load_function(struct connection *connection);
load_function load_handshake_step; /* load_handshake.c */
load_function load_bulk_step;      /* load_bulk.c */

/* What the connections of one worker share during one slot. */
struct connection_job {
    struct event_base *base;
    SSL_CTX *context;
    const struct load_settings *load;
    const struct test_case *test_case;
    load_function *step;
    enum confirmation confirm;
    const char *server_name; /* SNI, "": none */
    const char *request;     /* NULL: the handshake needs none */
    size_t request_length;
    /* of the case's trial; NULL: only the case's own pins are checked */
    const struct negotiated *expected;
    const _Atomic int *phase; /* enum slot_phase */
    /* the worker's read (or upload) buffer: one, so that it stays in cache */
    unsigned char *buffer;
    size_t buffer_size;
    struct tally *tally;
    void (*ended)(struct connection *connection,
                  void *owner); /* it is IDLE again; failure.class says how it went */
    void *owner;
};

struct connection {
    const struct connection_job *job;
    struct event event;
    struct event resume; /* fires when it has yielded and the others have had their turn */
    short waiting_for;   /* EV_READ or EV_WRITE; 0: the event is not registered */
    enum connection_state state;
    int fd;
    SSL *ssl;
    unsigned source; /* which of load->sources it came from last */
    uint64_t deadline_ns;
    uint64_t mark_ns; /* when the current part of its latency began */
    uint64_t tcp_ns, tls_ns, first_byte_ns, last_byte_ns; /* 0: did not get there */
    bool counted; /* bulk: its first payload has been counted */
    bool ramped;
    bool stopped;
    bool close_failed;        /* our close_notify could not be sent */
    bool reached;             /* TCP was established: the server has seen it */
    unsigned attempts_failed; /* in a row, for the owner's back-off */
    uint64_t retry_ns;        /* the owner's: not before */
    struct exchange exchange;
    struct failure failure;
};

void connection_init(struct connection *connection, const struct connection_job *job);

/* Starts a new connection on an idle slot. May end at once (then `ended` has been called). */
void connection_start(struct connection *connection, uint64_t now_ns);

/* Ends it where it stands: bulk by the drain, or whatever is left after the last deadline. No
 * failure. */
void connection_stop(struct connection *connection);

/* Ends it as failed when its deadline has passed. */
void connection_check_deadline(struct connection *connection, uint64_t now_ns);

/* Frees what a connection still has; it must be idle. */
void connection_cleanup(struct connection *connection);

/* For loads: the part of the latency since the last mark, and a new mark. */
uint64_t connection_lap(struct connection *connection);

#endif
