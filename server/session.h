#ifndef SERVER_SESSION_H
#define SERVER_SESSION_H

#include "common/http/head.h"
#include "common/tls/hold.h"
#include "common/tls/io.h"
#include "server/worker.h"

#include <event2/event_struct.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* One accepted connection, from accept to close. It belongs to one worker and frees itself. */

enum session_state {
    SESSION_HANDSHAKE,
    SESSION_HEAD,     /* reads a request's head */
    SESSION_ANSWER,   /* writes what `output` holds */
    SESSION_BODY_OUT, /* writes the rest of a /bytes body */
    SESSION_BODY_IN,  /* reads a /sink body */
    SESSION_CLOSE,    /* sends close_notify and our end of stream */
    SESSION_LINGER,   /* waits for the client's, so that it can read our last words */
    SESSION_STATE_COUNT,
};

/* What a state's function wants next. */
enum session_step {
    STEP_NEXT,  /* go on in the state that is now set */
    STEP_READ,  /* when the socket can be read */
    STEP_WRITE, /* when the socket can be written */
    STEP_YIELD, /* after the others: it has used up its turn */
    STEP_END,   /* close the socket and free the session */
};

/* Bytes that were read from the connection and not used yet: empty most of the time. */
struct session_input {
    char *bytes; /* on the heap */
    size_t start, length;
};

/* An answer on its way: head, and what of the body goes with it. */
struct session_output {
    char *bytes; /* on the heap */
    size_t sent, length;
    size_t payload;          /* bytes of it that are a /bytes body */
    enum session_state then; /* once it has left; SESSION_HEAD: the answer is whole */
};

struct session {
    struct worker *worker;
    SSL *ssl;
    BIO *hold; /* of ssl: what this turn writes leaves at its end */
    int fd;
    enum session_state state;
    bool control, finished;     /* ALPN suitemark/1; the handshake is through */
    bool is_writing, is_paused; /* the write event is added; the read event is not */
    bool is_yielded;            /* stands in worker->yielded */
    bool progress;              /* something happened in this turn that the idle timeout minds */
    bool partial_head;          /* input holds the beginning of a head: more must be read */
    bool keep_alive;            /* after this answer */
    size_t budget;              /* bytes that are left of this turn */

    struct event readable, writable;
    TAILQ_ENTRY(session) queue_link, yield_link;
    enum session_queue queue;
    uint64_t since_ns;

    struct session_input input;
    struct session_output output;
    uint64_t out_left; /* BODY_OUT */
    size_t record;
    enum http_framing in_framing; /* BODY_IN */
    uint64_t in_left;
    struct http_chunks chunks;
};

/* Takes over an accepted socket; when there is no memory for it, it is closed. */
void session_start(struct worker *worker, int fd);

/* Runs the session until it has to wait; it may be gone afterwards. */
void session_run(struct session *session);

/* The time in its queue is over. */
void session_expire(struct session *session);

/* The worker drains: a session that only waits for a request is closed, others end after their
 * answer. */
void session_drain(struct session *session);

/* Closes and frees whatever the state. */
void session_end(struct session *session);

/* For the states: counts how the connection ended, unless it is a control connection. Once for each
 * connection. */
void session_outcome(struct session *session, const char *text);

/* For the states: waits in another queue from now on. */
void session_enter_queue(struct session *session, enum session_queue queue);

#endif
