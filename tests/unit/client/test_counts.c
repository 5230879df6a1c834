#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/counts.h"

static const struct row {
    const char *what;
    struct client_counts
        client; /* attempted, reached, established, completed, failed, payload, in_flight */
    struct server_counts server; /* accepted, finished, payload, left_open */
    bool behind, agree, shared;
    uint64_t unproved;
} rows[] = {
    {"the same", {9, 9, 9, 9, 0, 0, 0}, {9, 9, 0, 0}, false, true, false, 0},
    {"one never connected", {9, 8, 8, 8, 1, 0, 0}, {8, 8, 0, 0}, false, true, false, 0},
    {"the server is not there yet", {9, 9, 9, 9, 0, 0, 0}, {9, 8, 0, 0}, true, false, false, 1},
    {"it has not accepted all", {9, 9, 9, 9, 0, 0, 0}, {8, 8, 0, 0}, true, false, false, 1},
    {"bulk, stopped in the middle", {4, 4, 4, 0, 0, 0, 0}, {4, 3, 0, 0}, true, false, false, 0},
    {"rejected ones are failures, not unproved",
     {9, 9, 9, 4, 5, 0, 0},
     {9, 4, 0, 0},
     false,
     false,
     false,
     0},
    {"rejected, and one unproved beside",
     {9, 9, 9, 4, 5, 0, 0},
     {9, 3, 0, 0},
     true,
     false,
     false,
     1},
    {"all rejected", {9, 9, 9, 0, 9, 0, 0}, {9, 0, 0, 0}, false, false, false, 0},
    {"timed out here, finished there", {9, 9, 7, 7, 2, 0, 0}, {9, 9, 0, 0}, false, false, false, 0},
    {"others connected too", {9, 9, 9, 9, 0, 0, 0}, {12, 9, 0, 0}, false, false, true, 0},
    {"answers, all of them read", {9, 9, 9, 9, 0, 90, 0}, {9, 9, 90, 0}, false, true, false, 0},
    {"a download, cut off", {1, 1, 1, 1, 0, 90, 10}, {1, 1, 100, 0}, false, true, false, 0},
    {"somebody else downloads", {1, 1, 1, 1, 0, 90, 10}, {1, 1, 101, 0}, false, true, true, 0},
    {"an answer was lost", {9, 9, 9, 8, 1, 80, 0}, {9, 9, 90, 0}, false, true, false, 0},
    {"an upload, not yet read to its end",
     {1, 1, 1, 0, 0, 90, 0},
     {1, 1, 80, 1},
     true,
     true,
     false,
     0},
    {"another's connection stays open",
     {9, 9, 9, 9, 0, 0, 0},
     {10, 10, 0, 1},
     false,
     false,
     true,
     0},
    {"others connected before the slot",
     {9, 9, 9, 9, 0, 0, 0},
     {9, 11, 0, 0},
     false,
     false,
     true,
     0},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct counts_verdict verdict = counts_compare(&row->client, &row->server);
        print_message("%s\n", row->what);
        assert_int_equal(counts_are_behind(&row->client, &row->server), row->behind);
        assert_int_equal(verdict.agree, row->agree);
        assert_int_equal(verdict.shared, row->shared);
        assert_int_equal(verdict.unproved, row->unproved);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
