#ifndef CLIENT_WORKER_H
#define CLIENT_WORKER_H

#include "client/connection.h"
#include "client/tally.h"
#include "common/base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

/* What all workers of a slot share: const but for the phase, which only the runner moves on. */
struct worker_shared {
    const struct load_settings *load;
    const struct test_case *test_case;
    enum confirmation confirm;
    const struct negotiated *expected;
    const char *server_name;
    const char *request; /* NULL: none */
    size_t request_length;
    unsigned connections; /* of all workers together */
    _Atomic int phase;    /* enum slot_phase */
    int notify;           /* eventfd: a worker has ramped up, given up or ended */
};

/* One thread with its own event base, SSL_CTX, connections and tally. */
struct worker {
    struct worker_shared *shared;
    unsigned index;
    int cpu; /* to be pinned to; -1: not */
    unsigned connection_count;
    struct connection *connections;
    struct connection_job job;
    struct event_base *base;
    struct event *wake_event, *tick_event;
    int wake; /* eventfd: the phase has changed */
    pthread_t thread;
    bool started;
    clockid_t cpu_clock;
    uint64_t cpu_ns; /* the runner's: its CPU time at S0 */
    struct tally tally;
    _Atomic int done;   /* all its connections have ended and it starts no more */
    struct error error; /* why it could not work; read after worker_join */
};

/* Opens what a worker needs; of all workers before the first is started, which opens descriptors of
 * its own. worker_cleanup also after a failure. */
bool worker_init(struct worker *worker, struct worker_shared *shared, unsigned index,
                 struct error *err) MUST_CHECK;

/* Starts the thread; connections begin with the phase. */
bool worker_start(struct worker *worker, struct error *err) MUST_CHECK;

/* After a change of the phase. */
void worker_wake(const struct worker *worker);

/* Waits for its end: it ends by itself once it drains and its last connection has ended. */
void worker_join(struct worker *worker);
void worker_cleanup(struct worker *worker);

#endif
