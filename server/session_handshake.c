#include "server/session_states.h"

#include "common/tls/settings.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* The first and the last states of a session: everything around its requests. */

static bool is_control(const SSL *ssl)
{
    static const char name[] = TLS_ALPN_CONTROL;
    const unsigned char *alpn = NULL;
    unsigned length = 0;
    SSL_get0_alpn_selected(ssl, &alpn, &length);
    return length == sizeof name - 1 && memcmp(alpn, name, length) == 0;
}

static void count_finished(struct session *session)
{
    struct worker_stats *stats = &session->worker->stats;
    session->control = is_control(session->ssl);
    if (session->control) {
        counter_add(&stats->control, 1);
        counter_add(&stats->control_finished, 1);
        return;
    }
    /* Before `finished`, so that no reader sees more resumed than finished. */
    if (!SSL_session_reused(session->ssl)) {
        const size_t identity = contexts_served(session->worker->contexts, session->ssl);
        counter_add(&stats->certificates[identity], 1);
        counter_add(&stats->finished, 1);
    } else {
        counter_add(&stats->finished, 1);
        counter_add(&stats->resumed, 1);
    }
}

/* Our end of stream has to go out, and nothing may be left unread at close(2): that would send a
 * reset, which can overtake our last words. */
static enum session_step linger(struct session *session)
{
    (void)hold_flush(session->hold); /* an alert whose socket is full is not worth waiting for */
    (void)shutdown(session->fd, SHUT_WR);
    session_enter_queue(session, QUEUE_CLOSING);
    session->state = SESSION_LINGER;
    return STEP_NEXT;
}

enum session_step session_handshake(struct session *session)
{
    struct failure failure;
    switch (tls_handshake(session->ssl, &failure)) {
    case IO_OK:
        count_finished(session);
        session->progress = true;
        return session_await_request(session);
    case IO_WANT_READ:
        return STEP_READ;
    case IO_WANT_WRITE:
        return STEP_WRITE;
    default:
        counter_add(&session->worker->stats.failed, 1);
        session_outcome(session, failure.text);
        if (failure.class == FAILURE_RESET || failure.class == FAILURE_CLOSED_EARLY)
            return STEP_END;
        return linger(session); /* the alert */
    }
}

enum session_step session_close(struct session *session)
{
    if (tls_send_close(session->ssl, NULL) == IO_WANT_WRITE ||
        hold_flush(session->hold) == HOLD_BLOCKED)
        return STEP_WRITE;
    return linger(session);
}

enum session_step session_linger(struct session *session)
{
    while (session->budget > 0) {
        const ssize_t got = recv(session->fd, session->worker->scratch, WORKER_SCRATCH, 0);
        if (got < 0 && errno == EAGAIN)
            return STEP_READ;
        if (got <= 0)
            return STEP_END;
        session_spend(session, (size_t)got);
    }
    return STEP_YIELD;
}

/* The client's end of stream while it waits for nothing from us. */
static enum session_step ended_between_requests(struct session *session, enum io_status status,
                                                const struct failure *failure)
{
    if (status == IO_CLOSED) {
        session_outcome(session, session->input.length > 0 ? "closed early" : "closed");
        (void)tls_send_close(session->ssl, NULL);
    } else if (status == IO_EOF) {
        session_outcome(session, "closed without close_notify");
    } else {
        session_outcome(session, failure->text);
    }
    return STEP_END;
}

enum session_step session_stopped(struct session *session, enum io_status status,
                                  const struct failure *failure)
{
    if (status == IO_WANT_READ)
        return STEP_READ;
    if (status == IO_WANT_WRITE)
        return STEP_WRITE;
    if (session->state == SESSION_HEAD)
        return ended_between_requests(session, status, failure);
    session_outcome(session, "client stopped"); /* in the middle of an answer or of its body */
    return STEP_END;
}
