#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/request.h"
#include "common/http/head.h"

#include <string.h>

/* One handshake or bulk case against our server or a stranger: its request line, or none. */
static const struct row {
    enum measure measure;
    enum direction direction;
    bool suitemark;
    enum confirmation confirm;
    const char *line; /* NULL: no request */
    bool keep_alive;
} rows[] = {
    {MEASURE_HANDSHAKE, DIRECTION_DOWNLOAD, true, CONFIRM_SERVER, NULL, false},
    {MEASURE_HANDSHAKE, DIRECTION_DOWNLOAD, false, CONFIRM_CLOSE, NULL, false},
    {MEASURE_HANDSHAKE, DIRECTION_DOWNLOAD, false, CONFIRM_FINISHED, NULL, false},
    {MEASURE_HANDSHAKE, DIRECTION_DOWNLOAD, false, CONFIRM_RESPONSE, "GET /file?x=1 HTTP/1.1\r\n",
     false},
    {MEASURE_BULK, DIRECTION_DOWNLOAD, true, CONFIRM_SERVER,
     "GET /bytes/1125899906842624?record=4096 HTTP/1.1\r\n", true},
    {MEASURE_BULK, DIRECTION_DOWNLOAD, false, CONFIRM_RESPONSE, "GET /file?x=1 HTTP/1.1\r\n", true},
    {MEASURE_BULK, DIRECTION_UPLOAD, true, CONFIRM_SERVER, "POST /sink HTTP/1.1\r\n", true},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct test_case test_case = {
            .measure = row->measure, .direction = row->direction, .record_size = 4096};
        struct load_settings load = {
            .suitemark_names = row->suitemark, .host = "example.test:4433", .path = "/file?x=1"};
        char text[REQUEST_MAX];
        struct http_head head;
        size_t length = request_write(text, &test_case, &load, row->confirm);
        if (!row->line) {
            assert_int_equal(length, 0);
            continue;
        }
        assert_int_equal(strncmp(text, row->line, strlen(row->line)), 0);
        assert_int_equal(http_parse_request(text, length, &head), HTTP_DONE);
        assert_int_equal(head.keep_alive, row->keep_alive);
        assert_non_null(strstr(text, "\r\nHost: example.test:4433\r\n"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
