#include "server/session_states.h"

/* POST /sink: a body that is read and counted, then 204. */

enum session_step session_begin_sink(struct session *session, const struct http_head *request)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    session->in_framing = request->framing;
    session->in_left = request->content_length;
    session->chunks = (struct http_chunks){0};
    session->state = SESSION_BODY_IN;
    if (!request->expect_continue || session->input.length > 0)
        return STEP_NEXT;
    return session_send(session, go_on, sizeof go_on - 1, NULL, 0, SESSION_BODY_IN);
}

static enum session_step respond_no_content(struct session *session)
{
    char head[HEAD_SPACE];
    const size_t length =
        http_write_response(head, sizeof head, 204, NULL, UINT64_MAX, session->keep_alive);
    return session_send(session, head, length, NULL, 0, SESSION_HEAD);
}

/* The whole body of /sink has passed: session_body_in ends here. */
static bool sink_is_done(const struct session *session)
{
    return session->in_framing == HTTP_BODY_CHUNKED ? session->chunks.done : session->in_left == 0;
}

/* Counts what belongs to the body; *used is how far it goes. False: malformed chunks. */
static bool sink_bytes(struct session *session, const char *bytes, size_t length, size_t *used)
{
    size_t payload = length < session->in_left ? length : (size_t)session->in_left;
    bool good = true;
    if (session->in_framing == HTTP_BODY_CHUNKED) {
        good = http_chunks_feed(&session->chunks, bytes, length, used, &payload);
    } else {
        session->in_left -= payload;
        *used = payload;
    }
    if (!session->control)
        counter_add(&session->worker->stats.payload_in, payload);
    return good;
}

enum session_step session_body_in(struct session *session)
{
    struct failure failure;
    char *scratch = session->worker->scratch;
    size_t used;
    while (!sink_is_done(session)) {
        const bool kept = session->input.length > 0;
        const char *bytes = kept ? session->input.bytes + session->input.start : scratch;
        size_t length = session->input.length;
        if (session->budget == 0)
            return STEP_YIELD;
        if (!kept) {
            const enum io_status status =
                tls_read(session->ssl, scratch, ROUTE_RECORD_MAX, &length, &failure);
            if (status != IO_OK)
                return session_stopped(session, status, &failure);
        }
        session_spend(session, length);
        if (!sink_bytes(session, bytes, length, &used))
            return session_refuse(session, 400, NULL);
        if (!session_keep_input(session, bytes + used, length - used))
            return session_no_memory(session);
    }
    return respond_no_content(session);
}
