#include "server/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/session_bench.h"

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define HOST        "Host: a\r\n"

/* Whole conversations: what is sent, what the answer begins with, how long it is, how it ends. */
static const struct talk_row {
    const char *request;
    const char *answer_start;
    size_t body; /* bytes behind the last head */
    bool closes;
    const char *outcome;
    uint64_t in, out;
} talk_rows[] = {
    {"GET /bytes/5 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 5, false, NULL, 0, 5},
    {"GET /bytes/0 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 0, false, NULL, 0, 0},
    {"GET /bytes/100?record=7 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 100, false, NULL, 0,
     100},
    {"GET /bytes/900000 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 900000, false, NULL, 0,
     900000},
    {"HEAD /bytes/900000 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 0, false, NULL, 0, 0},
    {"GET /bytes/5 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", "HTTP/1.1 200 OK\r\n", 5, true,
     "closed", 0, 5},
    {"GET /bytes/5 HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK\r\n", 5, true, "closed", 0, 5},
    {"POST /sink HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No Content\r\n",
     0, false, NULL, 5, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 204 No Content\r\n", 0, false, NULL, 0, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
     "HTTP/1.1 204 No Content\r\n", 0, false, NULL, 5, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX",
     "HTTP/1.1 400 Bad Request\r\n", 16, true, "refused: 400 Bad Request", 5, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "Content-Length: 1\r\nExpect: 100-continue\r\n\r\n",
     "HTTP/1.1 100 Continue\r\n\r\n", 0, false, NULL, 0, 0},
    {"GET /nothing HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 404 Not Found\r\n", 14, true,
     "refused: 404 Not Found", 0, 0},
    {"DELETE /sink HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 405 Method Not Allowed\r\n", 23, true,
     "refused: 405 Method Not Allowed", 0, 0},
    {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", 16, true, "refused: 400 Bad Request",
     0, 0},
    {"rubbish\r\n", "HTTP/1.1 400 Bad Request\r\n", 16, true, "refused: 400 Bad Request", 0, 0},
};

static void test_talks(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(talk_rows); i++) {
        const struct talk_row *row = &talk_rows[i];
        void *own;
        setup(&own);
        struct bench *bench = own;
        call(bench, NULL);
        say_text(bench, row->request);
        hear(bench, strlen(row->answer_start));
        const char *body = NULL;
        for (int k = 0; k < TURNS_MAX && body == NULL; k++) {
            hear(bench, bench->answer_length + 1);
            body = strstr(bench->answer, "\r\n\r\n");
        }
        if (strncmp(bench->answer, row->answer_start, strlen(row->answer_start)) != 0)
            fail_msg("row %zu: %.40s", i, bench->answer);
        const size_t head = (size_t)(body + 4 - bench->answer);
        hear(bench, head + row->body + (row->closes ? 1 : 0));
        settle(bench);
        listen_once(bench);
        assert_int_equal(bench->answer_length, head + row->body);
        assert_int_equal(bench->answer_ended, row->closes);
        assert_int_equal(bench->worker->stats.payload_in, row->in);
        assert_int_equal(bench->worker->stats.payload_out, row->out);
        if (row->outcome != NULL)
            assert_int_equal(outcome(bench, row->outcome), 1);
        hang_up(bench);
        settle(bench);
        assert_int_equal(open_sessions(bench), 0);
        teardown(&own);
    }
}

/* Every byte of a request in a record of its own. */
static void test_byte_by_byte(void **state)
{
    struct bench *bench = *state;
    static const char request[] =
        "POST /sink HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabcGET /bytes/2 HTTP/1.1\r\n" HOST
        "Connection: close\r\n\r\n";
    call(bench, NULL);
    for (size_t i = 0; i < sizeof request - 1; i++) {
        say(bench, request + i, 1);
        turn(bench);
    }
    hear(bench, ANSWER_SPACE);
    assert_non_null(strstr(bench->answer, "HTTP/1.1 204"));
    assert_non_null(strstr(bench->answer, "HTTP/1.1 200"));
    assert_int_equal(bench->worker->stats.payload_in, 3);
    assert_int_equal(outcome(bench, "closed"), 1);
}

/* Requests that come together are answered in order, large and small, each once. */
static void test_pipelined(void **state)
{
    struct bench *bench = *state;
    char requests[16384];
    size_t length = 0;
    const size_t count = 200;
    uint64_t expected = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned size = i % 10 == 0 ? 40000 : (unsigned)i;
        expected += size;
        length += (size_t)snprintf(requests + length, sizeof requests - length,
                                   "GET /bytes/%u HTTP/1.1\r\n" HOST "%s\r\n", size,
                                   i + 1 == count ? "Connection: close\r\n" : "");
    }
    assert_true(length < sizeof requests);
    call(bench, NULL);
    say(bench, requests, length);
    hear(bench, ANSWER_SPACE);
    assert_true(bench->answer_ended);
    assert_int_equal(bench->worker->stats.payload_out, expected);
    size_t heads = 0;
    for (const char *at = bench->answer; at < bench->answer + bench->answer_length - 12; at++)
        heads += memcmp(at, "HTTP/1.1 200", 12) == 0;
    assert_int_equal(heads, count);
}

static void test_head_too_large(void **state)
{
    struct bench *bench = *state;
    char filler[HTTP_HEAD_MAX];
    call(bench, NULL);
    memset(filler, 'x', sizeof filler);
    say_text(bench, "GET / HTTP/1.1\r\nX: ");
    say(bench, filler, sizeof filler);
    hear(bench, ANSWER_SPACE);
    assert_int_equal(strncmp(bench->answer, "HTTP/1.1 431 ", 13), 0);
    assert_true(bench->answer_ended);
}

/* A megabyte that the client does not read must not hold up anybody else. */
static void test_slow_reader_delays_nobody(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    say_text(bench, "GET /bytes/100000000 HTTP/1.1\r\n" HOST "\r\n");
    settle(bench);
    SSL *slow = bench->client;
    const int slow_fd = bench->client_fd;
    bench->client = NULL;
    bench->client_fd = -1;

    call(bench, NULL);
    say_text(bench, "GET /bytes/3 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n");
    hear(bench, ANSWER_SPACE);
    assert_non_null(strstr(bench->answer, "200 OK"));
    assert_int_equal(open_sessions(bench), 2); /* it lingers for our end of stream */

    SSL_free(slow);
    (void)close(slow_fd);
    hang_up(bench);
    settle(bench);
    assert_int_equal(open_sessions(bench), 0);
    assert_int_equal(outcome(bench, "client stopped"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_talks),
        TEST(test_byte_by_byte),
        TEST(test_pipelined),
        TEST(test_head_too_large),
        TEST(test_slow_reader_delays_nobody),
    };
    return cmocka_run_group_tests(tests, make_identity, drop_identity);
}
