#include "server/session_states.h"

#include <stdlib.h>

/* What leaves the server. */

enum session_step session_answered(struct session *session)
{
    hold_set(session->hold, true);
    if (session->keep_alive)
        return session_await_request(session);
    session_outcome(session, "closed");
    session->state = SESSION_CLOSE;
    return STEP_NEXT;
}

static void count_payload(struct session *session, size_t bytes)
{
    if (!session->control)
        counter_add(&session->worker->stats.payload_out, bytes);
}

enum session_step session_answer(struct session *session)
{
    struct session_output *output = &session->output;
    struct failure failure;
    size_t done;
    while (output->sent < output->length) {
        const enum io_status status = tls_write(session->ssl, output->bytes + output->sent,
                                                output->length - output->sent, &done, &failure);
        if (status != IO_OK)
            return session_stopped(session, status, &failure);
        output->sent += done;
        session_spend(session, done);
    }
    count_payload(session, output->payload);
    const enum session_state then = output->then;
    free(output->bytes);
    *output = (struct session_output){0};
    if (then == SESSION_HEAD)
        return session_answered(session);
    session->state = then;
    return STEP_NEXT;
}

/* One SSL_write a record: the client asked for that size. A write that has to be repeated has the
 * same length again, as OpenSSL demands. */
enum session_step session_body_out(struct session *session)
{
    struct failure failure;
    size_t done;
    hold_set(session->hold, false);
    while (session->out_left > 0) {
        const size_t length =
            session->out_left < session->record ? (size_t)session->out_left : session->record;
        if (session->budget == 0)
            return STEP_YIELD;
        const enum io_status status =
            tls_write(session->ssl, session->worker->pattern, length, &done, &failure);
        if (status != IO_OK)
            return session_stopped(session, status, &failure);
        session->out_left -= done;
        count_payload(session, done);
        session_spend(session, done);
    }
    return session_answered(session);
}
