#ifndef SERVER_ROUTES_H
#define SERVER_ROUTES_H

#include "common/http/head.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a request is answered with. Pure: no route touches a connection. */

enum route_body {
    ROUTE_NOTHING, /* a refusal */
    ROUTE_INDEX,   /* text that lists the routes, for people */
    ROUTE_BYTES,   /* `bytes` bytes, `record` per SSL_write */
    ROUTE_SINK,    /* the request's body is read, then 204 */
    ROUTE_STATS,   /* JSON */
    ROUTE_METRICS, /* Prometheus text */
};

#define ROUTE_RECORD_MAX 16384 /* plaintext bytes of one TLS record (RFC 8446 section 5.1) */

struct route_answer {
    int status; /* 200, or a refusal that also closes the connection */
    enum route_body body;
    bool head_only;    /* HEAD: the answer's head without its body */
    const char *allow; /* 405: the methods that there are */
    uint64_t bytes;
    size_t record;
    bool record_given; /* else head and body may share a record */
};

void routes_answer(const struct http_head *request, struct route_answer *answer);

/* The index page. */
const char *routes_index(void);

#endif
