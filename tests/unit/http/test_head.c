#include "common/http/head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define HOST        "Host: a\r\n"

static struct http_text text(const char *string)
{
    return (struct http_text){string, strlen(string)};
}

/* Parses an exact-size copy, so that a sanitizer sees any read behind it. The result's texts point
 * into *copy, which the caller frees. */
static enum http_parse parse_copy(const char *input, bool is_response, struct http_head *head,
                                  char **copy)
{
    const size_t length = strlen(input);
    *copy = malloc(length > 0 ? length : 1);
    assert_non_null(*copy);
    memcpy(*copy, input, length);
    return is_response ? http_parse_response(*copy, length, head)
                       : http_parse_request(*copy, length, head);
}

static const struct request_row {
    const char *input, *method, *path, *query;
    int minor;
    enum http_framing framing;
    uint64_t length;
    bool keep_alive, expect;
} request_rows[] = {
    {"GET / HTTP/1.1\r\n" HOST "\r\n", "GET", "/", "", 1, HTTP_BODY_NONE, 0, true, false},
    {"GET /bytes/5?record=1&x HTTP/1.1\r\n" HOST "\r\n", "GET", "/bytes/5", "record=1&x", 1,
     HTTP_BODY_NONE, 0, true, false},
    {"GET /? HTTP/1.1\r\n" HOST "\r\n", "GET", "/", "", 1, HTTP_BODY_NONE, 0, true, false},
    {"GET /a?b?c HTTP/1.1\r\n" HOST "\r\n", "GET", "/a", "b?c", 1, HTTP_BODY_NONE, 0, true, false},
    {"GET / HTTP/1.0\r\n\r\n", "GET", "/", "", 0, HTTP_BODY_NONE, 0, false, false},
    {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET", "/", "", 0, HTTP_BODY_NONE, 0, true,
     false},
    {"GET / HTTP/1.1\r\n" HOST "connection: CLOSE\r\n\r\n", "GET", "/", "", 1, HTTP_BODY_NONE, 0,
     false, false},
    {"GET / HTTP/1.1\r\n" HOST "Connection: x, close ,keep-alive\r\n\r\n", "GET", "/", "", 1,
     HTTP_BODY_NONE, 0, false, false},
    {"POST /sink HTTP/1.1\r\n" HOST "Content-Length: 42\r\n\r\n", "POST", "/sink", "", 1,
     HTTP_BODY_LENGTH, 42, true, false},
    {"POST /sink HTTP/1.1\r\n" HOST "CONTENT-LENGTH:\t9999999999999999999 \r\n\r\n", "POST",
     "/sink", "", 1, HTTP_BODY_LENGTH, UINT64_C(9999999999999999999), true, false},
    {"POST /sink HTTP/1.1\r\n" HOST "Transfer-Encoding: Chunked\r\n\r\n", "POST", "/sink", "", 1,
     HTTP_BODY_CHUNKED, 0, true, false},
    {"POST /sink HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
     "POST", "/sink", "", 1, HTTP_BODY_CHUNKED, 0, true, false},
    {"POST /sink HTTP/1.1\r\n" HOST "Expect: 100-Continue\r\nContent-Length: 1\r\n\r\n", "POST",
     "/sink", "", 1, HTTP_BODY_LENGTH, 1, true, true},
    {"POST /sink HTTP/1.1\r\n" HOST "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n",
     "POST", "/sink", "", 1, HTTP_BODY_CHUNKED, 0, true, true},
    {"POST /sink HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", "POST", "/sink",
     "", 0, HTTP_BODY_LENGTH, 1, false, false},
    {"GET https://h:1/p?q HTTP/1.1\r\n" HOST "\r\n", "GET", "/p", "q", 1, HTTP_BODY_NONE, 0, true,
     false},
    {"GET http://h HTTP/1.1\r\n" HOST "\r\n", "GET", "/", "", 1, HTTP_BODY_NONE, 0, true, false},
    {"GET http://h?q=1 HTTP/1.1\r\n" HOST "\r\n", "GET", "/", "q=1", 1, HTTP_BODY_NONE, 0, true,
     false},
    {"OPTIONS * HTTP/1.1\r\n" HOST "\r\n", "OPTIONS", "*", "", 1, HTTP_BODY_NONE, 0, true, false},
    {"\r\n\r\nGET / HTTP/1.1\r\n" HOST "\r\n", "GET", "/", "", 1, HTTP_BODY_NONE, 0, true, false},
    {"GET / HTTP/1.1\nHost: a\n\n", "GET", "/", "", 1, HTTP_BODY_NONE, 0, true, false},
    {"GET / HTTP/1.1\r\n" HOST "X-Empty:\r\nY: \xc3\xa4\t\r\n\r\n", "GET", "/", "", 1,
     HTTP_BODY_NONE, 0, true, false},
};

static void test_requests(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(request_rows); i++) {
        const struct request_row *row = &request_rows[i];
        struct http_head head;
        char *copy;
        if (parse_copy(row->input, false, &head, &copy) != HTTP_DONE)
            fail_msg("row %zu is not parsed: %s", i, row->input);
        assert_false(head.is_response);
        assert_true(http_text_is(head.method, row->method));
        assert_true(http_text_is(head.path, row->path));
        assert_true(http_text_is(head.query, row->query));
        assert_int_equal(head.minor, row->minor);
        assert_int_equal(head.framing, row->framing);
        assert_true(head.content_length == row->length);
        assert_int_equal(head.keep_alive, row->keep_alive);
        assert_int_equal(head.expect_continue, row->expect);
        assert_int_equal(head.size, strlen(row->input));
        free(copy);
    }
}

static void test_every_part_of_a_request_is_incomplete(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(request_rows); i++) {
        const size_t length = strlen(request_rows[i].input);
        struct http_head head;
        for (size_t part = 0; part < length; part++)
            assert_int_equal(http_parse_request(request_rows[i].input, part, &head),
                             HTTP_INCOMPLETE);
    }
}

static const char *const bad_requests[] = {
    "GET /\r\n",                                 /* HTTP/0.9 */
    "GET / HTTP/2.0\r\n" HOST "\r\n",            /* no HTTP/1 */
    "GET / http/1.1\r\n" HOST "\r\n",            /* case matters */
    "GET / HTTP/1.1 \r\n" HOST "\r\n",           /* blank behind */
    "GET / HTTP/1.12\r\n" HOST "\r\n",           /* two digits */
    "GET / HTTP/1.x\r\n" HOST "\r\n",            /* no digit */
    "GET  / HTTP/1.1\r\n" HOST "\r\n",           /* two blanks */
    " GET / HTTP/1.1\r\n" HOST "\r\n",           /* blank first */
    "G@T / HTTP/1.1\r\n" HOST "\r\n",            /* no token */
    "GET /\x80 HTTP/1.1\r\n" HOST "\r\n",        /* no ASCII */
    "GET /\x01",                                 /* control character */
    "GET / HTTP/1.1\rHost: a\r\n\r\n",           /* bare CR */
    "GET / HTTP/1.1\r\n" HOST "X: \x7f\r\n\r\n", /* DEL */
    "GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n", /* obs-fold */
    "GET / HTTP/1.1\r\n Host: a\r\n\r\n",        /* blank first */
    "GET / HTTP/1.1\r\nHost : a\r\n\r\n",        /* blank before colon */
    "GET / HTTP/1.1\r\nHost\r\n\r\n",            /* no colon */
    "GET / HTTP/1.1\r\n: a\r\n\r\n",             /* no name */
    "GET / HTTP/1.1\r\n\r\n",                    /* no Host */
    "GET / HTTP/1.1\r\n" HOST HOST "\r\n",       /* two Hosts */
    "POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Content-Length: 1, 1\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Content-Length: -1\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Content-Length: +1\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Content-Length: 0x1\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Content-Length:\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Content-Length: 10000000000000000000\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked, gzip\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked, chunked\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: xchunked\r\n\r\n",
    "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding:\r\n\r\n",
    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "\x16\x03\x01\x02", /* a ClientHello */
};

static void test_bad_requests(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(bad_requests); i++) {
        struct http_head head;
        char *copy;
        if (parse_copy(bad_requests[i], false, &head, &copy) != HTTP_BAD)
            fail_msg("row %zu is not refused: %s", i, bad_requests[i]);
        free(copy);
    }
}

static void test_nul_is_bad(void **state)
{
    static const char input[] = "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n";
    struct http_head head;
    (void)state;
    assert_int_equal(http_parse_request(input, sizeof input - 1, &head), HTTP_BAD);
}

static const struct response_row {
    const char *input;
    enum http_parse parse;
    int status, minor;
    enum http_framing framing;
    uint64_t length;
    bool keep_alive;
} response_rows[] = {
    {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", HTTP_DONE, 200, 1, HTTP_BODY_LENGTH, 3, true},
    {"HTTP/1.1 200 OK\r\n\r\n", HTTP_DONE, 200, 1, HTTP_BODY_CLOSE, 0, false},
    {"HTTP/1.1 200\r\n\r\n", HTTP_DONE, 200, 1, HTTP_BODY_CLOSE, 0, false},
    {"HTTP/1.1 200 \r\n\r\n", HTTP_DONE, 200, 1, HTTP_BODY_CLOSE, 0, false},
    {"HTTP/1.0 404 Not here\r\nContent-Length: 0\r\n\r\n", HTTP_DONE, 404, 0, HTTP_BODY_LENGTH, 0,
     false},
    {"HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n", HTTP_DONE, 204, 1, HTTP_BODY_NONE, 0,
     true},
    {"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", HTTP_DONE, 304, 1, HTTP_BODY_NONE, 0,
     true},
    {"HTTP/1.1 100 Continue\r\n\r\n", HTTP_DONE, 100, 1, HTTP_BODY_NONE, 0, true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip,chunked\r\n\r\n", HTTP_DONE, 200, 1,
     HTTP_BODY_CHUNKED, 0, true},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", HTTP_DONE, 200, 1, HTTP_BODY_CLOSE, 0,
     false},
    {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", HTTP_BAD, 0, 0,
     HTTP_BODY_NONE, 0, false},
    {"HTTP/1.1 099 Low\r\n\r\n", HTTP_BAD, 0, 0, HTTP_BODY_NONE, 0, false},
    {"HTTP/1.1 600 High\r\n\r\n", HTTP_BAD, 0, 0, HTTP_BODY_NONE, 0, false},
    {"HTTP/1.1 20 Short\r\n\r\n", HTTP_BAD, 0, 0, HTTP_BODY_NONE, 0, false},
    {"HTTP/1.1 2OO Letters\r\n\r\n", HTTP_BAD, 0, 0, HTTP_BODY_NONE, 0, false},
    {"\r\nHTTP/1.1 200 OK\r\n\r\n", HTTP_BAD, 0, 0, HTTP_BODY_NONE, 0, false},
    {"220 mail.test ESMTP\r\n", HTTP_BAD, 0, 0, HTTP_BODY_NONE, 0, false},
    {"HTTP/1.1 200 OK\r\nContent-Le", HTTP_INCOMPLETE, 0, 0, HTTP_BODY_NONE, 0, false},
};

static void test_responses(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(response_rows); i++) {
        const struct response_row *row = &response_rows[i];
        struct http_head head;
        char *copy;
        if (parse_copy(row->input, true, &head, &copy) != row->parse)
            fail_msg("row %zu: %s", i, row->input);
        free(copy);
        if (row->parse != HTTP_DONE)
            continue;
        assert_true(head.is_response);
        assert_int_equal(head.status, row->status);
        assert_int_equal(head.minor, row->minor);
        assert_int_equal(head.framing, row->framing);
        assert_true(head.content_length == row->length);
        assert_int_equal(head.keep_alive, row->keep_alive);
        assert_int_equal(head.size, strlen(row->input));
    }
}

/* A head of exactly HTTP_HEAD_MAX bytes passes; one byte more does not, and it is told as soon as
 * the bound is reached. */
static void test_size_bound(void **state)
{
    static const char start[] = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
    char buffer[HTTP_HEAD_MAX + 1];
    struct http_head head;
    (void)state;

    memset(buffer, 'x', sizeof buffer);
    memcpy(buffer, start, sizeof start - 1);
    assert_int_equal(http_parse_request(buffer, HTTP_HEAD_MAX - 1, &head), HTTP_INCOMPLETE);
    assert_int_equal(http_parse_request(buffer, HTTP_HEAD_MAX, &head), HTTP_TOO_LARGE);

    memcpy(buffer + HTTP_HEAD_MAX - 4, "\r\n\r\n", 4);
    assert_int_equal(http_parse_request(buffer, sizeof buffer, &head), HTTP_DONE);
    assert_int_equal(head.size, HTTP_HEAD_MAX);

    memcpy(buffer + HTTP_HEAD_MAX - 4, "x\r\n\r\n", 5);
    assert_int_equal(http_parse_request(buffer, sizeof buffer, &head), HTTP_TOO_LARGE);
}

static void test_blank_lines_alone_are_bounded(void **state)
{
    char buffer[HTTP_HEAD_MAX];
    struct http_head head;
    (void)state;
    memset(buffer, '\n', sizeof buffer);
    assert_int_equal(http_parse_request(buffer, sizeof buffer, &head), HTTP_TOO_LARGE);
}

static void test_next_head_is_left_alone(void **state)
{
    static const char first[] = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
    static const char both[] = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\x01garbage";
    struct http_head head;
    (void)state;
    assert_int_equal(http_parse_request(both, sizeof both - 1, &head), HTTP_DONE);
    assert_int_equal(head.size, sizeof first - 1);
}

static const struct query_row {
    const char *query, *name, *value; /* NULL: absent */
} query_rows[] = {
    {"record=100", "record", "100"},
    {"a=1&record=100", "record", "100"},
    {"record=1&record=2", "record", "1"},
    {"record=", "record", ""},
    {"record", "record", NULL},
    {"records=1", "record", NULL},
    {"xrecord=1", "record", NULL},
    {"", "record", NULL},
    {"&&a=b&", "a", "b"},
    {"a=b=c", "a", "b=c"},
    {"a=1&", "", NULL},
};

static void test_query(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(query_rows); i++) {
        const struct query_row *row = &query_rows[i];
        struct http_text value;
        const bool found = http_query_value(text(row->query), row->name, &value);
        assert_int_equal(found, row->value != NULL);
        if (found)
            assert_true(http_text_is(value, row->value));
    }
}

static const struct number_row {
    const char *input;
    bool good;
    uint64_t number;
} number_rows[] = {
    {"0", true, 0},
    {"007", true, 7},
    {"9999999999999999999", true, UINT64_C(9999999999999999999)},
    {"", false, 0},
    {"10000000000000000000", false, 0},
    {"1 ", false, 0},
    {"-1", false, 0},
    {"1e3", false, 0},
};

static void test_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(number_rows); i++) {
        uint64_t number = 0;
        assert_int_equal(http_parse_number(text(number_rows[i].input), &number),
                         number_rows[i].good);
        if (number_rows[i].good)
            assert_true(number == number_rows[i].number);
    }
}

static void test_written_response_is_parsed(void **state)
{
    char buffer[256];
    struct http_head head;
    (void)state;

    size_t length = http_write_response(buffer, sizeof buffer, 200, "text/plain", 12, true);
    assert_int_equal(http_parse_response(buffer, length, &head), HTTP_DONE);
    assert_int_equal(head.status, 200);
    assert_int_equal(head.framing, HTTP_BODY_LENGTH);
    assert_int_equal(head.content_length, 12);
    assert_true(head.keep_alive);
    assert_non_null(strstr(buffer, "Content-Type: text/plain\r\n"));

    length = http_write_response(buffer, sizeof buffer, 204, NULL, UINT64_MAX, false);
    assert_int_equal(http_parse_response(buffer, length, &head), HTTP_DONE);
    assert_false(head.keep_alive);
    assert_null(strstr(buffer, "Content-"));

    length = http_write_response(buffer, sizeof buffer, 200, NULL, 0, true);
    assert_int_equal(http_write_response(buffer, length, 200, NULL, 0, true), 0);
    assert_int_equal(http_write_response(buffer, length + 1, 200, NULL, 0, true), length);
}

static void test_written_refusal_is_whole(void **state)
{
    char buffer[256];
    struct http_head head;
    (void)state;
    const size_t length = http_write_refusal(buffer, sizeof buffer, 405, "GET, HEAD");
    assert_int_equal(http_parse_response(buffer, length, &head), HTTP_DONE);
    assert_int_equal(head.status, 405);
    assert_false(head.keep_alive);
    assert_int_equal(head.size + head.content_length, length);
    assert_string_equal(buffer + head.size, "405 Method Not Allowed\n");
    assert_non_null(strstr(buffer, "Allow: GET, HEAD\r\n"));
}

static void test_written_request_is_parsed(void **state)
{
    char buffer[256];
    struct http_head head;
    (void)state;
    const size_t length =
        http_write_request(buffer, sizeof buffer, "POST", "/sink", "h:1", 77, false);
    assert_int_equal(http_parse_request(buffer, length, &head), HTTP_DONE);
    assert_true(http_text_is(head.method, "POST") && http_text_is(head.path, "/sink"));
    assert_int_equal(head.content_length, 77);
    assert_false(head.keep_alive);
    assert_int_equal(http_write_request(buffer, 10, "GET", "/", "h", UINT64_MAX, true), 0);
}

static void test_reasons(void **state)
{
    (void)state;
    assert_string_equal(http_reason(404), "Not Found");
    assert_string_equal(http_reason(299), "Unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_every_part_of_a_request_is_incomplete),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_nul_is_bad),
        cmocka_unit_test(test_responses),
        cmocka_unit_test(test_size_bound),
        cmocka_unit_test(test_blank_lines_alone_are_bounded),
        cmocka_unit_test(test_next_head_is_left_alone),
        cmocka_unit_test(test_query),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_written_response_is_parsed),
        cmocka_unit_test(test_written_refusal_is_whole),
        cmocka_unit_test(test_written_request_is_parsed),
        cmocka_unit_test(test_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
