#include "server/session.h"

#include "common/base/clock.h"
#include "server/session_states.h"

#include <stdlib.h>
#include <unistd.h>

#define TURN_BYTES  ((size_t)256 * 1024) /* of one session before the others have their turn */
#define LEAST_PRICE 4096                 /* of one read or write, in bytes of a turn */

static enum session_step (*const states[SESSION_STATE_COUNT])(struct session *session) = {
    [SESSION_HANDSHAKE] = session_handshake, [SESSION_HEAD] = session_head,
    [SESSION_ANSWER] = session_answer,       [SESSION_BODY_OUT] = session_body_out,
    [SESSION_BODY_IN] = session_body_in,     [SESSION_CLOSE] = session_close,
    [SESSION_LINGER] = session_linger,
};

static void enter_queue_at(struct session *session, enum session_queue queue, uint64_t since_ns)
{
    struct session_list *queues = session->worker->queues;
    TAILQ_REMOVE(&queues[session->queue], session, queue_link);
    TAILQ_INSERT_TAIL(&queues[queue], session, queue_link);
    session->queue = queue;
    session->since_ns = since_ns;
}

void session_enter_queue(struct session *session, enum session_queue queue)
{
    enter_queue_at(session, queue, clock_now_ns());
}

void session_outcome(struct session *session, const char *text)
{
    if (!session->control)
        outcomes_add(&session->worker->stats.outcomes, text, 1);
}

void session_spend(struct session *session, size_t bytes)
{
    const size_t price = bytes > LEAST_PRICE ? bytes : LEAST_PRICE;
    session->budget -= price < session->budget ? price : session->budget;
    session->progress = true;
}

static void want_write(struct session *session, bool wanted)
{
    if (wanted == session->is_writing)
        return;
    session->is_writing = wanted;
    if (wanted)
        (void)event_add(&session->writable, NULL);
    else
        (void)event_del(&session->writable);
}

static void want_read(struct session *session, bool wanted)
{
    if (wanted != session->is_paused)
        return;
    session->is_paused = !wanted;
    if (wanted)
        (void)event_add(&session->readable, NULL);
    else
        (void)event_del(&session->readable);
}

/* Whether bytes that come now are not what the state waits for. */
static bool is_answering(const struct session *session)
{
    return session->state == SESSION_ANSWER || session->state == SESSION_BODY_OUT;
}

void session_run(struct session *session)
{
    enum session_step step;
    session->budget = TURN_BYTES;
    session->progress = false;
    do
        step = states[session->state](session);
    while (step == STEP_NEXT);

    if (step == STEP_END) {
        session_end(session);
        return;
    }
    if (hold_flush(session->hold) == HOLD_BLOCKED && step == STEP_READ)
        step = STEP_WRITE;
    want_write(session, step == STEP_WRITE);
    if (step == STEP_READ)
        want_read(session, true);
    else if (step == STEP_WRITE && !is_answering(session))
        want_read(session, false); /* nobody would read, and the loop would spin */
    if (step == STEP_YIELD)
        worker_yield(session->worker, session);
    if (session->progress && session->queue != QUEUE_CLOSING)
        session_enter_queue(session, QUEUE_ACTIVE);
}

static void on_event(evutil_socket_t fd, short what, void *argument)
{
    struct session *session = argument;
    (void)fd;
    if (session->is_yielded)
        return;
    if ((what & EV_READ) != 0 && is_answering(session)) {
        if (session_peek(session) == STEP_END) {
            session_end(session);
            return;
        }
        want_read(session, session->input.length < HTTP_HEAD_MAX);
    }
    session_run(session);
}

static bool init(struct session *session, struct worker *worker, int fd)
{
    struct event_base *base = worker->base;
    session->worker = worker;
    session->fd = fd;
    session->ssl = SSL_new(worker->contexts->base);
    if (session->ssl == NULL || SSL_set_fd(session->ssl, fd) != 1)
        return false;
    SSL_set_accept_state(session->ssl);
    session->hold = hold_attach(session->ssl, worker->hold);
    return session->hold != NULL &&
           event_assign(&session->readable, base, fd, EV_READ | EV_PERSIST, on_event, session) ==
               0 &&
           event_assign(&session->writable, base, fd, EV_WRITE | EV_PERSIST, on_event, session) ==
               0 &&
           event_add(&session->readable, NULL) == 0;
}

/* Counts the connection in against --max-connections; false: it is one too many. */
static bool admit(const struct worker_settings *settings)
{
    if (settings->max_connections == 0 ||
        atomic_fetch_add(settings->connections, 1) < settings->max_connections)
        return true;
    atomic_fetch_sub(settings->connections, 1);
    return false;
}

static void dismiss(const struct worker_settings *settings)
{
    if (settings->max_connections > 0)
        atomic_fetch_sub(settings->connections, 1);
}

void session_start(struct worker *worker, int fd)
{
    struct session *session = NULL;
    const bool admitted = admit(worker->settings);
    if (admitted && (session = calloc(1, sizeof *session)) != NULL && init(session, worker, fd)) {
        counter_add(&worker->stats.accepted, 1);
        session->since_ns = clock_now_ns();
        TAILQ_INSERT_TAIL(&worker->queues[QUEUE_HANDSHAKE], session, queue_link);
        return;
    }
    counter_add(&worker->stats.refused, 1);
    if (admitted)
        dismiss(worker->settings);
    if (session != NULL)
        SSL_free(session->ssl);
    free(session);
    (void)close(fd);
}

void session_end(struct session *session)
{
    struct worker *worker = session->worker;
    (void)event_del(&session->readable);
    (void)event_del(&session->writable);
    TAILQ_REMOVE(&worker->queues[session->queue], session, queue_link);
    if (session->is_yielded)
        TAILQ_REMOVE(&worker->yielded, session, yield_link);
    (void)hold_flush(session->hold);
    SSL_free(session->ssl);
    (void)close(session->fd);
    counter_add(&worker->stats.closed, 1);
    if (session->control)
        counter_add(&worker->stats.control_closed, 1);
    dismiss(worker->settings);
    free(session->input.bytes);
    free(session->output.bytes);
    free(session);
    worker_session_ended(worker);
}

static void end_handshake(struct session *session)
{
    counter_add(&session->worker->stats.failed, 1);
    session_outcome(session, "handshake timeout");
    session_end(session);
}

static void end_idle(struct session *session)
{
    session_outcome(session, "idle timeout");
    if (session->state == SESSION_HEAD)
        (void)tls_send_close(session->ssl, NULL);
    session_end(session);
}

void session_expire(struct session *session)
{
    switch (session->queue) {
    case QUEUE_HANDSHAKE:
        end_handshake(session);
        break;
    case QUEUE_ACTIVE:
        (void)SSL_free_buffers(session->ssl); /* refuses while a record is under way */
        enter_queue_at(session, QUEUE_DOZING, session->since_ns);
        break;
    case QUEUE_DOZING:
        end_idle(session);
        break;
    default:
        session_end(session);
    }
}

void session_drain(struct session *session)
{
    if (session->state != SESSION_HEAD || session->input.length > 0 || session->is_yielded)
        return;
    session_outcome(session, "server stopped");
    session->state = SESSION_CLOSE;
    session_run(session);
}
