#include "client/connection.h"

/* A handshake's part between Finished and close: nothing, or the request whose answer proves it. */

enum load_step load_handshake_step(struct connection *connection)
{
    if (!connection->job->request)
        return STEP_CLOSE;
    switch (exchange_step(connection)) {
    case EXCHANGE_WANT_READ:
        return STEP_READ;
    case EXCHANGE_WANT_WRITE:
        return STEP_WRITE;
    case EXCHANGE_YIELD:
        return STEP_YIELD;
    case EXCHANGE_DONE:
        return STEP_CLOSE;
    case EXCHANGE_CLOSED:
        if (connection->exchange.first_byte)
            return STEP_PEER_CLOSED;
        failure_set(&connection->failure, FAILURE_UNCONFIRMED, "closed without an answer");
        return STEP_FAIL;
    case EXCHANGE_FAILED:
        break;
    }
    /* An alert or a reset before the first byte of an answer: the server did not accept the
     * handshake. */
    bool rejects =
        connection->failure.class == FAILURE_ALERT || connection->failure.class == FAILURE_RESET;
    if (rejects && !connection->exchange.first_byte)
        failure_reclass(&connection->failure, FAILURE_REJECTED);
    return STEP_FAIL;
}
