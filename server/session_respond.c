#include "server/session_states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From requests to what is sent for them. */

#define HEAD_SPACE 512 /* for the heads and refusals that we write */

bool session_set_output(struct session *session, const char *head, size_t head_length,
                        const void *body, size_t body_length, enum session_state then)
{
    char *bytes = malloc(head_length + body_length);
    if (bytes == NULL)
        return false;
    memcpy(bytes, head, head_length);
    if (body_length > 0)
        memcpy(bytes + head_length, body, body_length);
    free(session->output.bytes);
    session->output =
        (struct session_output){.bytes = bytes, .length = head_length + body_length, .then = then};
    session->state = SESSION_ANSWER;
    return true;
}

static enum session_step send_output(struct session *session, const char *head, size_t head_length,
                                     const void *body, size_t body_length, enum session_state then)
{
    if (session_set_output(session, head, head_length, body, body_length, then))
        return STEP_NEXT;
    return session_no_memory(session);
}

enum session_step session_refuse(struct session *session, int status, const char *allow)
{
    char text[HEAD_SPACE], outcome[OUTCOME_TEXT];
    const size_t length = http_write_refusal(text, sizeof text, status, allow);
    (void)snprintf(outcome, sizeof outcome, "refused: %d %s", status, http_reason(status));
    session_outcome(session, outcome);
    session->keep_alive = false;
    return send_output(session, text, length, NULL, 0, SESSION_CLOSE);
}

static enum session_step respond_text(struct session *session, const char *type, const char *body,
                                      bool head_only)
{
    char head[HEAD_SPACE];
    if (body == NULL)
        return session_refuse(session, 503, NULL);
    const size_t length = strlen(body);
    const size_t head_length =
        http_write_response(head, sizeof head, 200, type, length, session->keep_alive);
    return send_output(session, head, head_length, body, head_only ? 0 : length, SESSION_HEAD);
}

static enum session_step respond_made_text(struct session *session, const char *type, char *body,
                                           bool head_only)
{
    const enum session_step step = respond_text(session, type, body, head_only);
    free(body);
    return step;
}

/* A body that fits into one record goes with its head, unless the client asked for a record size:
 * one system call and one record less. */
static enum session_step respond_bytes(struct session *session, const struct route_answer *answer)
{
    char head[HEAD_SPACE];
    const size_t head_length = http_write_response(
        head, sizeof head, 200, "application/octet-stream", answer->bytes, session->keep_alive);
    const bool joined = !answer->record_given && answer->bytes <= ROUTE_RECORD_MAX - head_length;
    const size_t body_length = joined && !answer->head_only ? (size_t)answer->bytes : 0;
    const bool more = !joined && !answer->head_only;

    session->record = answer->record;
    session->out_left = more ? answer->bytes : 0;
    const enum session_step step = send_output(session, head, head_length, session->worker->pattern,
                                               body_length, more ? SESSION_BODY_OUT : SESSION_HEAD);
    session->output.payload = body_length;
    return step;
}

static enum session_step respond_no_content(struct session *session)
{
    char head[HEAD_SPACE];
    const size_t length =
        http_write_response(head, sizeof head, 204, NULL, UINT64_MAX, session->keep_alive);
    return send_output(session, head, length, NULL, 0, SESSION_HEAD);
}

static enum session_step begin_sink(struct session *session, const struct http_head *request)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    session->in_framing = request->framing;
    session->in_left = request->content_length;
    session->chunks = (struct http_chunks){0};
    session->state = SESSION_BODY_IN;
    if (!request->expect_continue || session->input.length > 0)
        return STEP_NEXT;
    return send_output(session, go_on, sizeof go_on - 1, NULL, 0, SESSION_BODY_IN);
}

enum session_step session_respond(struct session *session, const struct http_head *request,
                                  const struct route_answer *answer)
{
    const struct stats_source *stats = session->worker->settings->stats;
    switch (answer->body) {
    case ROUTE_INDEX:
        return respond_text(session, "text/plain", routes_index(), answer->head_only);
    case ROUTE_BYTES:
        return respond_bytes(session, answer);
    case ROUTE_SINK:
        return begin_sink(session, request);
    case ROUTE_STATS:
        return respond_made_text(session, "application/json", stats_json(stats), answer->head_only);
    case ROUTE_METRICS:
        return respond_made_text(session, "text/plain; version=0.0.4", stats_metrics(stats),
                                 answer->head_only);
    default:
        return session_refuse(session, answer->status, answer->allow);
    }
}

/* The whole body of /sink has passed: session_body_in ends here. */
static bool sink_is_done(const struct session *session)
{
    return session->in_framing == HTTP_BODY_CHUNKED ? session->chunks.done : session->in_left == 0;
}

/* Counts what belongs to the body; *used is how far it goes. False: malformed chunks. */
static bool sink_bytes(struct session *session, const char *bytes, size_t length, size_t *used)
{
    size_t payload;
    if (session->in_framing == HTTP_BODY_CHUNKED) {
        if (!http_chunks_feed(&session->chunks, bytes, length, used, &payload))
            return false;
    } else {
        payload = length < session->in_left ? length : (size_t)session->in_left;
        session->in_left -= payload;
        *used = payload;
    }
    if (!session->control)
        counter_add(&session->worker->stats.payload_in, payload);
    return true;
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
