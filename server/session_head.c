#include "server/session_states.h"

#include <stdlib.h>
#include <string.h>

/* From bytes to requests. */

bool session_keep_input(struct session *session, const char *bytes, size_t length)
{
    struct session_input *input = &session->input;
    const uintptr_t at = (uintptr_t)bytes, heap = (uintptr_t)input->bytes;
    if (length > 0 && input->bytes != NULL && at >= heap &&
        at <= heap + input->start + input->length) {
        input->start = at - heap;
        input->length = length;
        return true;
    }
    char *copy = length > 0 ? malloc(length) : NULL;
    if (length > 0 && copy == NULL)
        return false;
    if (length > 0)
        memcpy(copy, bytes, length);
    free(input->bytes);
    *input = (struct session_input){.bytes = copy, .length = length};
    return true;
}

/* Reads behind what is kept, all of it then lying in the worker's scratch space. There is always
 * room for a record: what is kept here is less than a whole head. */
static enum io_status read_more(struct session *session, size_t *length, struct failure *failure)
{
    char *scratch = session->worker->scratch;
    const struct session_input *input = &session->input;
    size_t done;
    if (input->length > 0)
        memcpy(scratch, input->bytes + input->start, input->length);
    const enum io_status status = tls_read(session->ssl, scratch + input->length,
                                           WORKER_SCRATCH - input->length, &done, failure);
    *length = input->length + done;
    return status;
}

enum session_step session_no_memory(struct session *session)
{
    session_outcome(session, "out of memory");
    return STEP_END;
}

static enum session_step take_request(struct session *session, const char *bytes, size_t length,
                                      const struct http_head *request)
{
    struct route_answer answer;
    routes_answer(request, &answer);
    session->partial_head = false;
    session->keep_alive = request->keep_alive;
    if (!session_keep_input(session, bytes + request->size, length - request->size))
        return session_no_memory(session);
    session_spend(session, request->size);
    return session_respond(session, request, &answer);
}

/* Nothing more has come. A draining worker waits only for the rest of a request that has begun. */
static enum session_step wait_for_bytes(struct session *session)
{
    if (!session->worker->draining || session->input.length > 0)
        return STEP_READ;
    session_outcome(session, "server stopped");
    session->state = SESSION_CLOSE;
    return STEP_NEXT;
}

/* With read-ahead, what the socket held at the last read is in the SSL object: where that is empty,
 * another read would almost always be for nothing. */
enum session_step session_await_request(struct session *session)
{
    session->state = SESSION_HEAD;
    if (session->input.length > 0 || SSL_has_pending(session->ssl))
        return STEP_NEXT;
    return wait_for_bytes(session);
}

enum session_step session_head(struct session *session)
{
    struct failure failure;
    struct http_head request;
    size_t length = session->input.length;
    const char *bytes = length > 0 ? session->input.bytes + session->input.start : NULL;

    if (session->budget == 0)
        return STEP_YIELD;
    if (length == 0 || session->partial_head) {
        const enum io_status status = read_more(session, &length, &failure);
        if (status == IO_WANT_READ)
            return wait_for_bytes(session);
        if (status != IO_OK)
            return session_stopped(session, status, &failure);
        bytes = session->worker->scratch;
    }
    switch (http_parse_request(bytes, length, &request)) {
    case HTTP_DONE:
        return take_request(session, bytes, length, &request);
    case HTTP_INCOMPLETE:
        session->partial_head = true;
        return session_keep_input(session, bytes, length) ? STEP_NEXT : session_no_memory(session);
    case HTTP_TOO_LARGE:
        return session_refuse(session, 431, NULL);
    default:
        return session_refuse(session, 400, NULL);
    }
}

enum session_step session_peek(struct session *session)
{
    struct failure failure;
    size_t length;
    if (session->input.length >= HTTP_HEAD_MAX)
        return STEP_NEXT;
    const enum io_status status = read_more(session, &length, &failure);
    if (status == IO_WANT_READ || status == IO_WANT_WRITE)
        return STEP_NEXT;
    if (status != IO_OK)
        return session_stopped(session, status, &failure);
    return session_keep_input(session, session->worker->scratch, length)
               ? STEP_NEXT
               : session_no_memory(session);
}
