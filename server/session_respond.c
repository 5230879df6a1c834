#include "server/session_states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From requests to what is sent for them. */

enum session_step session_send(struct session *session, const char *head, size_t head_length,
                               const void *body, size_t body_length, enum session_state then)
{
    char *bytes = malloc(head_length + body_length);
    if (bytes == NULL)
        return session_no_memory(session);
    memcpy(bytes, head, head_length);
    if (body_length > 0)
        memcpy(bytes + head_length, body, body_length);
    free(session->output.bytes);
    session->output =
        (struct session_output){.bytes = bytes, .length = head_length + body_length, .then = then};
    session->state = SESSION_ANSWER;
    return STEP_NEXT;
}

enum session_step session_refuse(struct session *session, int status, const char *allow)
{
    char text[HEAD_SPACE], outcome[OUTCOME_TEXT];
    const size_t length = http_write_refusal(text, sizeof text, status, allow);
    (void)snprintf(outcome, sizeof outcome, "refused: %d %s", status, http_reason(status));
    session_outcome(session, outcome);
    session->keep_alive = false;
    return session_send(session, text, length, NULL, 0, SESSION_CLOSE);
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
    return session_send(session, head, head_length, body, head_only ? 0 : length, SESSION_HEAD);
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
    const enum session_step step =
        session_send(session, head, head_length, session->worker->pattern, body_length,
                     more ? SESSION_BODY_OUT : SESSION_HEAD);
    session->output.payload = body_length;
    return step;
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
        return session_begin_sink(session, request);
    case ROUTE_STATS:
        return respond_made_text(session, "application/json", stats_json(stats), answer->head_only);
    case ROUTE_METRICS:
        return respond_made_text(session, "text/plain; version=0.0.4", stats_metrics(stats),
                                 answer->head_only);
    default:
        return session_refuse(session, answer->status, answer->allow);
    }
}
