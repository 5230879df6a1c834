#ifndef COMMON_HTTP_FIELDS_H
#define COMMON_HTTP_FIELDS_H

#include "common/http/head.h"

#include <stdbool.h>

/* What the field lines of one head add up to: only those that decide where the body ends and
 * whether the connection stays. Zeroed is valid: no field seen yet. */
struct http_fields {
    unsigned hosts;
    bool has_length, has_coding, chunked_last;
    uint64_t length;
    bool close, keep_alive;
    bool expect_continue;
};

/* Adds one line (without its end). False: no field line, or one that makes the framing ambiguous.
 */
bool http_fields_add(struct http_fields *fields, struct http_text line);

/* Sets framing, content_length, keep_alive and expect_continue of a head whose first line is
 * parsed. False: the fields contradict each other (RFC 9112 section 6.3). */
bool http_fields_apply(const struct http_fields *fields, struct http_head *head);

/* A character that a method or a field name may have (RFC 9110 section 5.6.2). */
bool http_is_token_character(char c);

#endif
