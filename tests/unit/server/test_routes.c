#include "server/routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define MAX_RECORD  ROUTE_RECORD_MAX

static const struct route_row {
    const char *request; /* method and target */
    const char *field;   /* a field line, or "" */
    int status;
    enum route_body body;
    uint64_t bytes;
    size_t record;
    const char *allow;
} route_rows[] = {
    {"GET /", "", 200, ROUTE_INDEX, 0, MAX_RECORD, NULL},
    {"HEAD /", "", 200, ROUTE_INDEX, 0, MAX_RECORD, NULL},
    {"GET /?x=1", "", 200, ROUTE_INDEX, 0, MAX_RECORD, NULL},
    {"GET /bytes/0", "", 200, ROUTE_BYTES, 0, MAX_RECORD, NULL},
    {"GET /bytes/1000", "", 200, ROUTE_BYTES, 1000, MAX_RECORD, NULL},
    {"GET /bytes/9999999999999999999", "", 200, ROUTE_BYTES, UINT64_C(9999999999999999999),
     MAX_RECORD, NULL},
    {"GET /bytes/10?record=1", "", 200, ROUTE_BYTES, 10, 1, NULL},
    {"GET /bytes/10?a=b&record=16384", "", 200, ROUTE_BYTES, 10, 16384, NULL},
    {"GET /bytes/10?record=0", "", 400, ROUTE_NOTHING, 10, MAX_RECORD, NULL},
    {"GET /bytes/10?record=16385", "", 400, ROUTE_NOTHING, 10, MAX_RECORD, NULL},
    {"GET /bytes/10?record=", "", 400, ROUTE_NOTHING, 10, MAX_RECORD, NULL},
    {"GET /bytes/", "", 400, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /bytes/1k", "", 400, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /bytes/-1", "", 400, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /bytes/1/", "", 400, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /bytes/99999999999999999999", "", 400, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /bytes/1", "Content-Length: 1\r\n", 400, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /bytes/1", "Transfer-Encoding: chunked\r\n", 400, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /bytes/1", "Content-Length: 0\r\n", 200, ROUTE_BYTES, 1, MAX_RECORD, NULL},
    {"GET /bytes", "", 404, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"POST /bytes/1", "", 405, ROUTE_NOTHING, 0, MAX_RECORD, "GET, HEAD"},
    {"POST /sink", "Content-Length: 5\r\n", 200, ROUTE_SINK, 0, MAX_RECORD, NULL},
    {"PUT /sink", "Transfer-Encoding: chunked\r\n", 200, ROUTE_SINK, 0, MAX_RECORD, NULL},
    {"POST /sink", "", 200, ROUTE_SINK, 0, MAX_RECORD, NULL},
    {"GET /sink", "", 405, ROUTE_NOTHING, 0, MAX_RECORD, "POST, PUT"},
    {"POS /sink", "", 405, ROUTE_NOTHING, 0, MAX_RECORD, "POST, PUT"},
    {"POSTS /sink", "", 405, ROUTE_NOTHING, 0, MAX_RECORD, "POST, PUT"},
    {"post /sink", "", 405, ROUTE_NOTHING, 0, MAX_RECORD, "POST, PUT"},
    {"GET /stats", "", 200, ROUTE_STATS, 0, MAX_RECORD, NULL},
    {"GET /metrics", "", 200, ROUTE_METRICS, 0, MAX_RECORD, NULL},
    {"GET /stats/", "", 404, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /Stats", "", 404, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET //stats", "", 404, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"OPTIONS *", "", 404, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
    {"GET /favicon.ico", "", 404, ROUTE_NOTHING, 0, MAX_RECORD, NULL},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(route_rows); i++) {
        const struct route_row *row = &route_rows[i];
        char request[256];
        struct http_head head;
        struct route_answer answer;
        const int length = snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: a\r\n%s\r\n",
                                    row->request, row->field);
        assert_int_equal(http_parse_request(request, (size_t)length, &head), HTTP_DONE);
        routes_answer(&head, &answer);
        if (answer.status != row->status || answer.body != row->body)
            fail_msg("%s %s: %d", row->request, row->field, answer.status);
        if (row->body == ROUTE_BYTES) {
            assert_true(answer.bytes == row->bytes);
            assert_int_equal(answer.record, row->record);
            assert_int_equal(answer.record_given, strstr(row->request, "record=") != NULL);
        }
        if (row->allow != NULL)
            assert_string_equal(answer.allow, row->allow);
        else
            assert_null(answer.allow);
        assert_int_equal(answer.head_only, strncmp(row->request, "HEAD", 4) == 0);
    }
}

static void test_index_names_the_routes(void **state)
{
    (void)state;
    assert_non_null(strstr(routes_index(), "/bytes/"));
    assert_non_null(strstr(routes_index(), "/sink"));
    assert_non_null(strstr(routes_index(), "/stats"));
    assert_non_null(strstr(routes_index(), "/metrics"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_index_names_the_routes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
