#ifndef COMMON_HTTP_HEAD_H
#define COMMON_HTTP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bounded HTTP/1.1 head parser (RFC 9112) for requests and responses. It reads a buffer that the
 * caller fills, copies nothing, never reads past `length`, and is fuzzed. A head is parsed from its
 * start each time that more bytes have come. */

#define HTTP_HEAD_MAX 8192 /* bytes of a head, its empty line included */

enum http_parse {
    HTTP_INCOMPLETE, /* more bytes are needed */
    HTTP_DONE,       /* *head is filled; head->size bytes belong to it */
    HTTP_BAD,        /* not HTTP/1.x, or ambiguous (two lengths, obs-fold, a bare CR, NUL, …) */
    HTTP_TOO_LARGE,  /* HTTP_HEAD_MAX reached without an end */
};

struct http_text { /* points into the caller's buffer; not NUL-terminated */
    const char *start;
    size_t length;
};

enum http_framing {
    HTTP_BODY_NONE,   /* a request without Content-Length or Transfer-Encoding; 1xx, 204, 304 */
    HTTP_BODY_LENGTH, /* content_length bytes follow */
    HTTP_BODY_CHUNKED,
    HTTP_BODY_CLOSE, /* a response that ends with the connection */
};

struct http_head {
    bool is_response;
    /* request: path without "?", query without it ("" if none) */
    struct http_text method, path, query;
    int status; /* response: 100 to 599 */
    int minor;  /* HTTP/1.minor */
    enum http_framing framing;
    uint64_t content_length;
    bool keep_alive; /* by version and Connection */
    bool expect_continue;
    size_t size; /* bytes of the head in the buffer */
};

enum http_parse http_parse_request(const char *buffer, size_t length, struct http_head *head);
enum http_parse http_parse_response(const char *buffer, size_t length, struct http_head *head);

bool http_text_is(struct http_text text, const char *word); /* exact */

/* The value of NAME in a query string "a=1&b=2"; false where it is absent. Nothing is decoded. */
bool http_query_value(struct http_text query, const char *name, struct http_text *value);

/* A decimal number of 1 to 19 digits; false otherwise. */
bool http_parse_number(struct http_text text, uint64_t *number);

/* Writes a head into buffer (NUL-terminated); returns its length, 0 if it does not fit.
 * `content_type` NULL: left out. `content_length` UINT64_MAX: left out. */
size_t http_write_response(char *buffer, size_t size, int status, const char *content_type,
                           uint64_t content_length, bool keep_alive);
size_t http_write_request(char *buffer, size_t size, const char *method, const char *path,
                          const char *host, uint64_t content_length, bool keep_alive);

/* A whole answer that ends the connection: the status as head and as one line of text. `allow`
 * (may be NULL) becomes the Allow field that 405 needs. */
size_t http_write_refusal(char *buffer, size_t size, int status, const char *allow);

/* "Not Found" for 404, and so on; "Unknown" for a status that we never send. */
const char *http_reason(int status);

/* A chunked body (RFC 9112 section 7.1), counted as it flows by; nothing is stored. Zeroed is
 * valid. */
struct http_chunks {
    int state;
    uint64_t left; /* of the current chunk */
    bool done;     /* the last chunk and its trailer have passed */
};

/* Consumes up to `length` bytes; *used is how many belong to the body's framing and data (all,
 * unless done), *payload how many of them are data. False: malformed. */
bool http_chunks_feed(struct http_chunks *chunks, const char *bytes, size_t length, size_t *used,
                      size_t *payload);

#endif
