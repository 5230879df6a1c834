#ifndef SERVER_SESSION_STATES_H
#define SERVER_SESSION_STATES_H

#include "server/session.h"

/* The states of a session, one function each (session.h), and what they share. */

enum session_step session_handshake(struct session *session);
enum session_step session_head(struct session *session);
enum session_step session_answer(struct session *session);
enum session_step session_body_out(struct session *session);
enum session_step session_body_in(struct session *session);
enum session_step session_close(struct session *session);
enum session_step session_linger(struct session *session);

#define HEAD_SPACE 512 /* for the heads and refusals that we write */

/* After a read or write that moved nothing: waits, or ends the session and counts how. */
enum session_step session_stopped(struct session *session, enum io_status status,
                                  const struct failure *failure);

/* Bytes are readable while an answer is on its way: a pipelined request is kept, within bounds, and
 * a client that closes is noticed. STEP_END, or STEP_NEXT to go on. */
enum session_step session_peek(struct session *session);

/* Keeps unused bytes for later; they may lie in the input itself. False: no memory. */
bool session_keep_input(struct session *session, const char *bytes, size_t length);

/* Begins to write an answer, put together from two pieces; `then` follows once it has left. */
enum session_step session_send(struct session *session, const char *head, size_t head_length,
                               const void *body, size_t body_length, enum session_state then);

/* Answers with an error status and closes; STEP_NEXT, or STEP_END without memory. */
enum session_step session_refuse(struct session *session, int status, const char *allow);

/* Begins what a route says; of the request only its framing is used. */
enum session_step session_respond(struct session *session, const struct http_head *request,
                                  const struct route_answer *answer);

/* The same for a request whose body is to be read first. */
enum session_step session_begin_sink(struct session *session, const struct http_head *request);

/* The answer has left: on to the next request, or to the close. */
enum session_step session_answered(struct session *session);

/* Goes on with the next request if any of it is here, else waits; a draining worker does not. */
enum session_step session_await_request(struct session *session);

/* Ends for want of memory. */
enum session_step session_no_memory(struct session *session);

/* Takes `bytes` off the turn; system calls have a price too, however little they move. */
void session_spend(struct session *session, size_t bytes);

#endif
