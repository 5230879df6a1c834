#include "common/http/head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

static const struct chunk_row {
    const char *input;
    bool good, done;
    size_t used, payload;
} chunk_rows[] = {
    {"0\r\n\r\n", true, true, 5, 0},
    {"5\r\nhello\r\n0\r\n\r\n", true, true, 15, 5},
    {"5\r\nhello\r\n0\r\n\r\nGET /", true, true, 15, 5},
    {"1\r\na\r\nA\r\n0123456789\r\n0\r\n\r\n", true, true, 26, 11},
    {"00000000000000000003\r\nabc\r\n0\r\n\r\n", true, true, 32, 3},
    {"2;name=\"value\"\r\nab\r\n0\r\n\r\n", true, true, 25, 2},
    {"2 ;x\r\nab\r\n0;last\r\n\r\n", true, true, 20, 2},
    {"0\r\nTrailer: yes\r\nOther: no\r\n\r\nx", true, true, 30, 0},
    {"5\r\nhel", true, false, 6, 3},
    {"", true, false, 0, 0},
    {"fffffffffffffff\r\nabc", true, false, 20, 3},
    {"fffffffffffffffff\r\n", false, false, 0, 0},
    {"\r\n", false, false, 0, 0},
    {"g\r\n", false, false, 0, 0},
    {"-1\r\n", false, false, 0, 0},
    {"5\nhello", false, false, 0, 0},
    {"5\rhello", false, false, 0, 0},
    {"5\r\nhelloX", false, false, 0, 0},
    {"5\r\nhello\n0\r\n\r\n", false, false, 0, 0},
    {"5;a\x01\r\n", false, false, 0, 0},
    {"0\r\nT: a\n\r\n", false, false, 0, 0},
    {"0\r\n\rX", false, false, 0, 0},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(chunk_rows); i++) {
        const struct chunk_row *row = &chunk_rows[i];
        struct http_chunks chunks = {0};
        size_t used, payload;
        const bool good =
            http_chunks_feed(&chunks, row->input, strlen(row->input), &used, &payload);
        if (good != row->good)
            fail_msg("row %zu: %s", i, row->input);
        if (!good)
            continue;
        assert_int_equal(chunks.done, row->done);
        assert_int_equal(used, row->used);
        assert_int_equal(payload, row->payload);
    }
}

static void test_byte_by_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(chunk_rows); i++) {
        const struct chunk_row *row = &chunk_rows[i];
        const size_t length = strlen(row->input);
        struct http_chunks chunks = {0};
        size_t total = 0, used, payload;
        bool good = true;
        for (size_t at = 0; at < length && good && !chunks.done; at++) {
            good = http_chunks_feed(&chunks, row->input + at, 1, &used, &payload);
            total += payload;
        }
        assert_int_equal(good, row->good);
        if (good)
            assert_int_equal(total, row->payload);
    }
}

static void test_nothing_after_the_end(void **state)
{
    struct http_chunks chunks = {0};
    size_t used, payload;
    (void)state;
    assert_true(http_chunks_feed(&chunks, "0\r\n\r\n", 5, &used, &payload));
    assert_true(http_chunks_feed(&chunks, "5\r\n", 3, &used, &payload));
    assert_int_equal(used, 0);
    assert_int_equal(payload, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_byte_by_byte),
        cmocka_unit_test(test_nothing_after_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
