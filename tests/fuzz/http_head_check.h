#ifndef TESTS_FUZZ_HTTP_HEAD_CHECK_H
#define TESTS_FUZZ_HTTP_HEAD_CHECK_H

#include "common/http/head.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What must hold of the head parser and the chunk counter for every input. Both the fuzz target and
 * the unit test over the corpus run it; it aborts on the first broken promise. */

static inline void check_promise(bool holds)
{
    if (!holds)
        abort();
}

static inline void check_inside(struct http_text text, const char *buffer, size_t size)
{
    const char *end = buffer + size;
    if (text.length == 0 || (text.length == 1 && text.start[0] == '/'))
        return; /* may be constants: "http://host" has neither path nor query */
    check_promise(text.start >= buffer && text.start <= end);
    check_promise(text.length <= (size_t)(end - text.start));
}

typedef enum http_parse check_parser(const char *buffer, size_t length, struct http_head *head);

/* The input is copied to the end of its own allocation, so that AddressSanitizer sees one byte too
 * many; what is parsed does not depend on what follows a head, nor is a part of a head a head. */
static inline void check_head(check_parser *parse, const char *data, size_t size)
{
    char *copy = malloc(size + 1);
    struct http_head head, again;
    if (copy == NULL)
        return;
    memcpy(copy, data, size);
    const enum http_parse status = parse(copy, size, &head);
    if (status == HTTP_DONE) {
        check_promise(head.size > 0 && head.size <= size && head.size <= HTTP_HEAD_MAX);
        if (!head.is_response) {
            check_inside(head.method, copy, head.size);
            check_inside(head.path, copy, head.size);
            check_inside(head.query, copy, head.size);
            check_promise(head.method.length > 0 && head.path.length > 0);
        } else {
            check_promise(head.status >= 100 && head.status <= 599);
        }
        check_promise(parse(copy, head.size, &again) == HTTP_DONE && again.size == head.size);
        check_promise(parse(copy, head.size - 1, &again) == HTTP_INCOMPLETE);
        check_promise(parse(copy, head.size / 2, &again) == HTTP_INCOMPLETE);
    }
    check_promise(status != HTTP_INCOMPLETE || size < HTTP_HEAD_MAX);
    check_promise(status != HTTP_TOO_LARGE || size >= HTTP_HEAD_MAX);
    free(copy);
}

/* Fed at once or byte by byte, the same comes out. */
static inline void check_chunks(const char *data, size_t size)
{
    struct http_chunks whole = {0}, bytewise = {0};
    size_t used, payload, total_used = 0, total_payload = 0;
    const bool good = http_chunks_feed(&whole, data, size, &used, &payload);
    bool still = true;
    check_promise(used <= size && payload <= used);
    check_promise(used == size || whole.done || !good);
    for (size_t i = 0; i < size && still && !bytewise.done; i++) {
        size_t one_used, one_payload;
        still = http_chunks_feed(&bytewise, data + i, 1, &one_used, &one_payload);
        total_used += one_used;
        total_payload += one_payload;
    }
    check_promise(still == good && bytewise.done == whole.done);
    check_promise(total_used == used && total_payload == payload);
}

static inline void check_http_input(const char *data, size_t size)
{
    check_head(http_parse_request, data, size);
    check_head(http_parse_response, data, size);
    check_chunks(data, size);
}

#endif
