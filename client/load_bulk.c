#include "client/connection.h"

#include "common/base/clock.h"
#include "common/tls/io.h"

#include <stdio.h>

/* Bulk: application bytes over a kept connection until the drain stops it. */

#define WRITES_PER_TURN 32

static bool draining(const struct connection *connection)
{
    return atomic_load_explicit(connection->job->phase, memory_order_relaxed) >= PHASE_DRAIN;
}

/* Moving bytes is what keeps a bulk connection alive: silence ends it. */
static void moved(struct connection *connection)
{
    struct tally *tally = connection->job->tally;
    connection->deadline_ns = clock_now_ns() + connection->job->load->handshake_timeout_ns;
    if (connection->counted)
        return;
    connection->counted = true;
    counter_add(&tally->completed, 1);
    if (!connection->ramped)
        counter_add(&tally->ramped, 1);
    connection->ramped = true;
}

static enum load_step fail(struct connection *connection, const char *detail)
{
    failure_set(&connection->failure, FAILURE_HTTP, detail);
    return STEP_FAIL;
}

static enum load_step refuse_status(struct connection *connection)
{
    char detail[32];
    (void)snprintf(detail, sizeof detail, "status %d", connection->exchange.head.status);
    return fail(connection, detail);
}

static enum load_step download(struct connection *connection)
{
    uint64_t before = counter_read(&connection->job->tally->bytes);
    enum exchange_status status = exchange_step(connection);
    const struct exchange *exchange = &connection->exchange;
    if (exchange->have_head && exchange->head.status != 200)
        return refuse_status(connection);
    if (counter_read(&connection->job->tally->bytes) != before)
        moved(connection);
    switch (status) {
    case EXCHANGE_WANT_READ:
        return STEP_READ;
    case EXCHANGE_WANT_WRITE:
        return STEP_WRITE;
    case EXCHANGE_YIELD:
        return STEP_YIELD;
    case EXCHANGE_DONE:
        if (!connection->counted)
            return fail(connection, "empty body");
        if (!exchange->head.keep_alive)
            return STEP_CLOSE;
        exchange_reset(&connection->exchange);
        return STEP_YIELD;
    case EXCHANGE_CLOSED:
        if (exchange->until_close && connection->counted)
            return STEP_CLOSE;
        failure_set(&connection->failure, FAILURE_CLOSED_EARLY, "in the middle of an answer");
        return STEP_FAIL;
    case EXCHANGE_FAILED:
        break;
    }
    return STEP_FAIL;
}

/* The request's head, then records of the case's size without end. */
static enum load_step upload(struct connection *connection)
{
    const struct connection_job *job = connection->job;
    struct exchange *exchange = &connection->exchange;
    for (int i = 0; i < WRITES_PER_TURN; i++) {
        bool head = exchange->sent < job->request_length;
        const void *data = head ? (const void *)(job->request + exchange->sent) : job->buffer;
        size_t length = head ? job->request_length - exchange->sent : job->test_case->record_size;
        size_t done = 0;
        enum io_status status =
            tls_write(connection->ssl, data, length, &done, &connection->failure);
        if (status == IO_WANT_READ)
            return STEP_READ;
        if (status == IO_WANT_WRITE)
            return STEP_WRITE;
        if (status != IO_OK)
            return STEP_FAIL;
        if (head) {
            exchange->sent += done;
        } else {
            counter_add(&job->tally->bytes, done);
            moved(connection);
        }
    }
    return STEP_YIELD;
}

enum load_step load_bulk_step(struct connection *connection)
{
    if (draining(connection))
        return STEP_STOP;
    return connection->job->test_case->direction == DIRECTION_UPLOAD ? upload(connection)
                                                                     : download(connection);
}
