#ifndef SERVER_WORKER_H
#define SERVER_WORKER_H

#include "common/base/error.h"
#include "common/http/head.h"
#include "server/contexts.h"
#include "server/routes.h"
#include "server/stats.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* One thread: an event base of its own, listening sockets of its own, sessions and counters of its
 * own. Nothing here is touched by another thread, but for what says so. */

struct session;
struct listener;
TAILQ_HEAD(session_list, session);

/* Sessions wait in one of these, the oldest first. A coarse timer looks at the heads: no connection
 * needs a timer event of its own. */
enum session_queue {
    QUEUE_HANDSHAKE, /* since accept */
    QUEUE_ACTIVE,    /* since the last progress; then its TLS buffers are freed: */
    QUEUE_DOZING,    /* still since the last progress, until the idle timeout */
    QUEUE_CLOSING,   /* since our end of stream */
    QUEUE_COUNT,
};

/* What all workers of a server share; const while they run, but for the atomic. */
struct worker_settings {
    uint64_t timeout_ns[QUEUE_COUNT];
    uint64_t max_connections;         /* 0: no limit */
    _Atomic uint64_t *connections;    /* open in all workers; counted only under a limit */
    const struct stats_source *stats; /* for /stats and /metrics */
    int done_fd;                      /* eventfd: one is added as each worker ends */
};

/* What another thread asks of a worker; later ones override. */
enum worker_order {
    WORKER_RUN,
    WORKER_DRAIN, /* accept no more, finish what is in flight, end */
    WORKER_QUIT,  /* drop everything, end */
};

#define WORKER_SCRATCH (HTTP_HEAD_MAX + 16384) /* an unfinished head and one record */

struct worker {
    const struct worker_settings *settings;
    const struct contexts *contexts;

    struct event_base *base;
    BIO_METHOD *hold; /* common/tls/hold.h */
    struct event wake, tick, resume;
    int wake_fd; /* eventfd: another thread writes, after setting `order` */
    _Atomic int order;
    bool draining;
    struct listener *listeners;
    size_t listener_count;

    struct session_list queues[QUEUE_COUNT];
    struct session_list yielded; /* have more to do, after the other connections' turn */
    struct worker_stats stats;

    char scratch[WORKER_SCRATCH];            /* of whichever session runs */
    unsigned char pattern[ROUTE_RECORD_MAX]; /* what /bytes sends: always the same, so it stays in
                                                cache */
};

/* Makes a worker that serves connections of the given listening sockets, which become its own (also
 * when it fails). Settings and contexts must outlive it. */
struct worker *worker_new(const struct worker_settings *settings, const struct contexts *contexts,
                          const int *sockets, size_t count, struct error *err) MUST_CHECK;
void worker_free(struct worker *worker);

/* Runs until an order ends it; `worker` is a struct worker. For pthread_create. */
void *worker_run(void *worker);

/* From any thread. */
void worker_order(struct worker *worker, enum worker_order order);

/* Runs a session again after all other ready connections. */
void worker_yield(struct worker *worker, struct session *session);

/* Called as a session ends: a draining worker ends with its last one. */
void worker_session_ended(struct worker *worker);

#endif
