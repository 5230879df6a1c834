#ifndef CLIENT_EXCHANGE_H
#define CLIENT_EXCHANGE_H

#include "common/http/head.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct connection;

/* One HTTP request and its answer on a connection. Zeroed is valid. */
struct exchange {
    size_t sent;
    char *partial_head; /* an answer's head that came in pieces; NULL mostly */
    size_t partial_length;
    bool have_head;
    struct http_head head; /* its text pointers are not valid after parsing; numbers are */
    uint64_t body_left;
    struct http_chunks chunks;
    bool first_byte;
    bool until_close; /* the answer ends with the connection */
};

enum exchange_status {
    EXCHANGE_WANT_READ,
    EXCHANGE_WANT_WRITE,
    EXCHANGE_YIELD,  /* a fair share of bytes has been moved */
    EXCHANGE_DONE,   /* the answer is complete */
    EXCHANGE_CLOSED, /* close_notify or end of stream: complete when until_close, else too early */
    EXCHANGE_FAILED, /* connection->failure */
};

/* Sends the job's request, reads the answer. Body bytes are payload: they are added to the tally as
 * they come. */
enum exchange_status exchange_step(struct connection *connection);

/* For the next request on the same connection. */
void exchange_reset(struct exchange *exchange);
void exchange_cleanup(struct exchange *exchange);

#endif
