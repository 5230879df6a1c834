#include "client/exchange.h"

#include "client/connection.h"
#include "common/tls/io.h"

#include <stdlib.h>
#include <string.h>

/* SSL_read calls before other connections have a turn: half a megabyte of full records. */
#define READS_PER_TURN 32

static enum exchange_status of_io(enum io_status status)
{
    switch (status) {
    case IO_WANT_READ:
        return EXCHANGE_WANT_READ;
    case IO_WANT_WRITE:
        return EXCHANGE_WANT_WRITE;
    case IO_CLOSED:
    case IO_EOF:
        return EXCHANGE_CLOSED;
    default:
        return EXCHANGE_FAILED;
    }
}

static enum exchange_status fail(struct connection *connection, const char *detail)
{
    failure_set(&connection->failure, FAILURE_HTTP, detail);
    return EXCHANGE_FAILED;
}

/* EXCHANGE_DONE here: all sent. */
static enum exchange_status send_request(struct connection *connection)
{
    const struct connection_job *job = connection->job;
    struct exchange *exchange = &connection->exchange;
    while (exchange->sent < job->request_length) {
        size_t done = 0;
        enum io_status status =
            tls_write(connection->ssl, job->request + exchange->sent,
                      job->request_length - exchange->sent, &done, &connection->failure);
        if (status != IO_OK)
            return of_io(status);
        exchange->sent += done;
    }
    return EXCHANGE_DONE;
}

static void begin_body(struct exchange *exchange)
{
    exchange->have_head = true;
    exchange->body_left =
        exchange->head.framing == HTTP_BODY_LENGTH ? exchange->head.content_length : 0;
    exchange->until_close = exchange->head.framing == HTTP_BODY_CLOSE;
}

/* Consumes body bytes; false: malformed chunks. */
static bool take_body(struct connection *connection, const char *bytes, size_t length)
{
    struct exchange *exchange = &connection->exchange;
    size_t payload = length;
    if (exchange->head.framing == HTTP_BODY_CHUNKED) {
        size_t used;
        if (!http_chunks_feed(&exchange->chunks, bytes, length, &used, &payload))
            return false;
    } else if (exchange->head.framing == HTTP_BODY_LENGTH) {
        payload = length < exchange->body_left ? length : (size_t)exchange->body_left;
        exchange->body_left -= payload;
    } else if (exchange->head.framing == HTTP_BODY_NONE) {
        payload = 0;
    }
    counter_add(&connection->job->tally->bytes, payload);
    return true;
}

static bool body_complete(const struct exchange *exchange)
{
    switch (exchange->head.framing) {
    case HTTP_BODY_LENGTH:
        return exchange->body_left == 0;
    case HTTP_BODY_CHUNKED:
        return exchange->chunks.done;
    case HTTP_BODY_NONE:
        return true;
    default:
        return false;
    }
}

/* Keeps an incomplete head's bytes, which are less than a whole one can have, for the next ones;
 * false: no memory. */
static bool keep_partial(struct exchange *exchange, const char *bytes, size_t length)
{
    if (!exchange->partial_head && !(exchange->partial_head = malloc(HTTP_HEAD_MAX)))
        return false;
    memcpy(exchange->partial_head + exchange->partial_length, bytes, length);
    exchange->partial_length += length;
    return true;
}

/* Parses the kept bytes and the new ones together; *used is how many of the new ones belong to the
 * head. */
static enum http_parse parse_head(struct exchange *exchange, const char *bytes, size_t length,
                                  size_t *used)
{
    size_t kept = exchange->partial_length;
    if (kept == 0) {
        enum http_parse parsed = http_parse_response(bytes, length, &exchange->head);
        *used = exchange->head.size;
        return parsed;
    }
    char joined[HTTP_HEAD_MAX];
    size_t added = length < sizeof joined - kept ? length : sizeof joined - kept;
    memcpy(joined, exchange->partial_head, kept);
    memcpy(joined + kept, bytes, added);
    enum http_parse parsed = http_parse_response(joined, kept + added, &exchange->head);
    *used = exchange->head.size -
            kept; /* the head ends in the new bytes: without them it was incomplete */
    return parsed;
}

/* Takes bytes while the head is not complete: parses what is there, hands the rest on as body. */
static enum exchange_status take_head(struct connection *connection, const char *bytes,
                                      size_t length)
{
    struct exchange *exchange = &connection->exchange;
    while (length > 0) {
        size_t used;
        switch (parse_head(exchange, bytes, length, &used)) {
        case HTTP_INCOMPLETE:
            return keep_partial(exchange, bytes, length) ? EXCHANGE_WANT_READ
                                                         : fail(connection, "out of memory");
        case HTTP_DONE:
            break;
        case HTTP_TOO_LARGE:
            return fail(connection, "the head of the answer is over 8 KiB");
        default:
            return fail(connection, "the answer is not HTTP/1.1");
        }
        exchange->partial_length = 0;
        bytes += used;
        length -= used;
        if (exchange->head.status < 200) /* an interim answer: another head follows */
            continue;
        begin_body(exchange);
        connection->job->tally->http_status = exchange->head.status;
        return take_body(connection, bytes, length) ? EXCHANGE_WANT_READ
                                                    : fail(connection, "malformed chunk");
    }
    return EXCHANGE_WANT_READ;
}

static enum exchange_status take(struct connection *connection, const char *bytes, size_t length)
{
    struct exchange *exchange = &connection->exchange;
    if (!exchange->first_byte) {
        exchange->first_byte = true;
        connection->first_byte_ns = connection_lap(connection);
    }
    if (!exchange->have_head)
        return take_head(connection, bytes, length);
    return take_body(connection, bytes, length) ? EXCHANGE_WANT_READ
                                                : fail(connection, "malformed chunk");
}

enum exchange_status exchange_step(struct connection *connection)
{
    const struct connection_job *job = connection->job;
    struct exchange *exchange = &connection->exchange;
    enum exchange_status status = send_request(connection);
    if (status != EXCHANGE_DONE)
        return status;
    for (int i = 0; i < READS_PER_TURN; i++) {
        size_t done = 0;
        enum io_status io =
            tls_read(connection->ssl, job->buffer, job->buffer_size, &done, &connection->failure);
        if (io != IO_OK)
            return of_io(io);
        /* A head is a record of its own size, and small records are smaller than that. */
        if (exchange->have_head && done > job->tally->record_size_observed)
            job->tally->record_size_observed = (uint32_t)done;
        if (take(connection, (const char *)job->buffer, done) == EXCHANGE_FAILED)
            return EXCHANGE_FAILED;
        if (exchange->have_head && body_complete(exchange)) {
            connection->last_byte_ns = connection_lap(connection);
            return EXCHANGE_DONE;
        }
    }
    return EXCHANGE_YIELD;
}

void exchange_reset(struct exchange *exchange)
{
    char *kept = exchange->partial_head;
    *exchange = (struct exchange){.partial_head = kept};
}

void exchange_cleanup(struct exchange *exchange)
{
    free(exchange->partial_head);
    *exchange = (struct exchange){0};
}
