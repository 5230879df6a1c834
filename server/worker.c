#include "server/worker.h"

#include "common/base/clock.h"
#include "common/base/event_loop.h"
#include "common/base/memory.h"
#include "server/listener.h"
#include "server/session.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define TICK_US 250000

/* Calls `visit` for each session; it may end or requeue the one that it gets. */
static void for_each_session(struct worker *worker, void (*visit)(struct session *session))
{
    for (int i = 0; i < QUEUE_COUNT; i++) {
        struct session *next;
        for (struct session *at = TAILQ_FIRST(&worker->queues[i]); at != NULL; at = next) {
            next = TAILQ_NEXT(at, queue_link);
            visit(at);
        }
    }
}

static bool has_sessions(const struct worker *worker)
{
    for (int i = 0; i < QUEUE_COUNT; i++) {
        if (!TAILQ_EMPTY(&worker->queues[i]))
            return true;
    }
    return false;
}

static void end_if_done(struct worker *worker)
{
    if (worker->draining && !has_sessions(worker))
        (void)event_base_loopbreak(worker->base);
}

void worker_session_ended(struct worker *worker)
{
    end_if_done(worker);
}

static void stop_listeners(struct worker *worker)
{
    for (size_t i = 0; i < worker->listener_count; i++)
        listener_stop(&worker->listeners[i]);
}

static void drain(struct worker *worker)
{
    worker->draining = true;
    stop_listeners(worker);
    for_each_session(worker, session_drain);
    end_if_done(worker);
}

static void on_wake(evutil_socket_t fd, short what, void *argument)
{
    struct worker *worker = argument;
    uint64_t times;
    (void)what;
    if (read(fd, &times, sizeof times) != sizeof times)
        return;
    if (atomic_load(&worker->order) == WORKER_QUIT)
        (void)event_base_loopbreak(worker->base);
    else if (atomic_load(&worker->order) == WORKER_DRAIN && !worker->draining)
        drain(worker);
}

static void on_tick(evutil_socket_t fd, short what, void *argument)
{
    struct worker *worker = argument;
    const uint64_t now = clock_now_ns();
    (void)fd;
    (void)what;
    for (int i = 0; i < QUEUE_COUNT; i++) {
        struct session *oldest;
        while ((oldest = TAILQ_FIRST(&worker->queues[i])) != NULL &&
               now - oldest->since_ns >= worker->settings->timeout_ns[i])
            session_expire(oldest); /* leaves this queue */
    }
}

/* One turn for each that yielded before now. */
static void on_resume(evutil_socket_t fd, short what, void *argument)
{
    struct worker *worker = argument;
    struct session *last = TAILQ_LAST(&worker->yielded, session_list), *session;
    (void)fd;
    (void)what;
    do {
        session = TAILQ_FIRST(&worker->yielded);
        if (session == NULL)
            return;
        TAILQ_REMOVE(&worker->yielded, session, yield_link);
        session->is_yielded = false;
        session_run(session);
    } while (session != last);
}

void worker_yield(struct worker *worker, struct session *session)
{
    const struct timeval at_once = {0};
    session->is_yielded = true;
    TAILQ_INSERT_TAIL(&worker->yielded, session, yield_link);
    (void)event_add(&worker->resume, &at_once);
}

static bool add_events(struct worker *worker)
{
    const struct timeval tick = {.tv_usec = TICK_US};
    return event_assign(&worker->wake, worker->base, worker->wake_fd, EV_READ | EV_PERSIST, on_wake,
                        worker) == 0 &&
           event_assign(&worker->tick, worker->base, -1, EV_PERSIST, on_tick, worker) == 0 &&
           evtimer_assign(&worker->resume, worker->base, on_resume, worker) == 0 &&
           event_add(&worker->wake, NULL) == 0 && event_add(&worker->tick, &tick) == 0;
}

static bool add_listeners(struct worker *worker, const int *sockets, size_t count,
                          struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!listener_start(&worker->listeners[i], worker, sockets[i], err))
            return false;
    }
    return true;
}

struct worker *worker_new(const struct worker_settings *settings, const struct contexts *contexts,
                          const int *sockets, size_t count, struct error *err)
{
    struct worker *worker = memory_new(1, sizeof *worker);
    worker->settings = settings;
    worker->contexts = contexts;
    worker->listeners = memory_new(count, sizeof *worker->listeners);
    worker->listener_count = count;
    for (size_t i = 0; i < count; i++)
        worker->listeners[i].fd = sockets[i];
    for (int i = 0; i < QUEUE_COUNT; i++)
        TAILQ_INIT(&worker->queues[i]);
    TAILQ_INIT(&worker->yielded);
    worker->hold = hold_method_new();
    worker->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (worker->wake_fd < 0) /* nothing stands between: errno is its own */
        (void)error_set(err, "%s", error_of_errno(errno));
    else if ((worker->base = event_loop_new(err)) == NULL)
        (void)error_prefix(err, "worker thread");
    else if (worker->hold == NULL || !add_events(worker))
        (void)error_set(err, "cannot make the events of a worker thread");
    else if (RAND_bytes(worker->pattern, sizeof worker->pattern) != 1)
        (void)error_set(err, "no random bytes");
    else if (add_listeners(worker, sockets, count, err))
        return worker;
    worker_free(worker);
    return NULL;
}

void worker_free(struct worker *worker)
{
    if (worker == NULL)
        return;
    worker->draining = false; /* no loop is left to be ended */
    for_each_session(worker, session_end);
    for (size_t i = 0; i < worker->listener_count; i++) {
        if (worker->listeners[i].fd >= 0)
            (void)close(worker->listeners[i].fd);
    }
    if (worker->base != NULL)
        event_base_free(worker->base);
    BIO_meth_free(worker->hold);
    if (worker->wake_fd >= 0)
        (void)close(worker->wake_fd);
    free(worker->listeners);
    free(worker);
}

void *worker_run(void *argument)
{
    struct worker *worker = argument;
    const uint64_t one = 1;
    stats_set_clock(&worker->stats);
    (void)event_base_loop(worker->base, 0);
    OPENSSL_thread_stop();
    (void)!write(worker->settings->done_fd, &one, sizeof one);
    return NULL;
}

void worker_order(struct worker *worker, enum worker_order order)
{
    const uint64_t one = 1;
    atomic_store(&worker->order, order);
    (void)!write(worker->wake_fd, &one, sizeof one);
}
