#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/evp/evp_copy.h"
#include "client/evp/evp_document.h"
#include "client/report/grid.h"
#include "client/report/report.h"
#include "common/base/clock.h"
#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Only their names are asked for: nothing is measured here. */
static const struct primitive_class made_up_class = {
    .family = FAMILY_CIPHER, .sized = true, .backend = "evp"};

static const struct primitive made_up_rows[] = {
    {.name = "works", .class = &made_up_class, .fetched = "-"},
    {.name = "wrong", .class = &made_up_class, .fetched = "-"},
    {.name = "no-set-up", .class = &made_up_class, .fetched = "-"},
    {.name = "fails-later", .class = &made_up_class, .fetched = "-"},
};

static struct evp_cell cells[] = {
    {.what = {&made_up_rows[0], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[1], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[2], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[3], OPERATION_ENCRYPT, SHAPE_MESSAGE, 16, 0}},
    {.what = {&made_up_rows[0], OPERATION_ENCRYPT, SHAPE_MESSAGE, 64, 0}, .skipped = "no reason"},
};
#define CELLS (sizeof cells / sizeof cells[0])

static const struct evp_plan plan = {.cells = cells,
                                     .count = CELLS,
                                     .precision = 0.05,
                                     .max_time_ns = 30 * NS_PER_MS,
                                     .seed = 7,
                                     .rounds = 6,
                                     .threads = 1};

static json_t *document_of(struct evp_result *results)
{
    const struct evp_record record = {.plan = &plan,
                                      .results = results,
                                      .start_time = "2026-11-30T00:00:00Z",
                                      .duration_ns = NS_PER_S,
                                      .cycles = true};
    return evp_document_new(&record);
}

static char *table_of(const json_t *document)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    report_table(out, document);
    assert_int_equal(fclose(out), 0);
    return text;
}

static unsigned times_in(const char *text, const char *word)
{
    unsigned times = 0;

    for (size_t i = 0; text[i] != '\0'; i++)
        times += strncmp(text + i, word, strlen(word)) == 0;
    return times;
}

static void expect_narrow(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char *line = memory_format("%.*s", (int)length, text);
        if (grid_width(line) > 120)
            fail_msg("%s", line);
        free(line);
        text += length + (text[length] == '\n');
    }
}

static void fill(struct evp_result *result, uint64_t count, uint64_t ns)
{
    struct timed_batch *rounds = memory_new(6, sizeof *rounds);

    for (size_t i = 0; i < 6; i++)
        rounds[i] = (struct timed_batch){.count = count, .ns = ns, .cycles = 2 * ns};
    double rate = (double)count * 1e9 / (double)ns;
    *result = (struct evp_result){.status = EVP_MEASURED, .rounds = rounds, .count = 6};
    result->ops = (struct interval){.median = rate, .low = rate, .high = rate, .count = 6};
    result->cycles = 2.0 * (double)ns / (double)count;
}

static void test_document(void **state)
{
    struct evp_result *results = memory_new(CELLS, sizeof *results);

    (void)state;
    fill(&results[0], 1000, 100 * NS_PER_US); /* 16 bytes in 100 ns: 160 MB/s */
    results[0].copies_per_s = 1e9;
    fill(&results[1], 1000, 1); /* what no computer does */
    results[1].copies_per_s = 1e9;
    results[2].status = results[3].status = EVP_FAILED;
    (void)snprintf(results[3].reason, sizeof results[3].reason, "bad decrypt");
    (void)snprintf(results[4].reason, sizeof results[4].reason, "no reason");
    assert_false(evp_copy_is_beaten(&results[0]));
    assert_true(evp_copy_is_beaten(&results[1]));
    json_t *document = document_of(results);
    const json_t *item = json_array_get(json_object_get(document, "cases"), 0);
    const json_t *rate = json_object_get(item, "rate");
    assert_true(json_number_value(json_object_get(rate, "median")) == 160e6);
    assert_string_equal(json_string_value(json_object_get(rate, "unit")), "bytes/s");
    assert_true(json_number_value(json_object_get(item, "cycles_per_byte")) == 12.5);
    assert_true(json_is_null(json_object_get(item, "warning")));
    item = json_array_get(json_object_get(document, "cases"), 3);
    assert_true(json_is_null(json_object_get(item, "rate")));
    char *table = table_of(document);
    expect_narrow(table);
    assert_non_null(strstr(table, "160 ±0"));
    assert_non_null(strstr(table, "warning  wrong/message/encrypt/16: faster than a copy"));
    assert_non_null(strstr(table, "failed   fails-later/message/encrypt/16: bad decrypt"));
    assert_non_null(strstr(table, "skipped  works/message/encrypt/64: no reason"));
    free(table);
    json_decref(document);
    evp_results_free(results, CELLS);
}

/* The child's document: as slow as `times` says, round by round. */
static json_t *child_of(struct evp_result *results, const double times[static 6])
{
    json_t *item;
    size_t index;

    for (size_t i = 0; i < 6; i++)
        results[0].rounds[i].ns = (uint64_t)((double)results[0].rounds[i].ns * times[i]);
    results[0].ops.median /= times[0];
    json_t *child = document_of(results);
    json_array_foreach(json_object_get(child, "cases"), index, item)
    {
        json_object_set_new(item, "column", json_string("without aes, vaes"));
    }
    return child;
}

/* The machine drifts from round to round, and both columns with it: the ratio does not. */
static void test_columns(void **state)
{
    static const struct {
        double times[6];
        size_t rounds;
        const char *ratio; /* of the table */
        double low, high;
        bool unsure;
    } rows[] = {
        {{4, 4, 4, 4, 4, 4}, 6, " 4.00 ±0\n", 4, 4, false},
        {{2, 4, 4, 4, 4, 5}, 6, " 4.00 ±38\n", 2, 5, false},
        {{0.5, 1, 1, 1, 1, 2}, 6, "~1.00 ±75\n", 0.5, 2, true},
        /* two processes of the same kind differ so much */
        {{1.03, 1.03, 1.03, 1.03, 1.03, 1.035}, 6, "~1.03 ±1\n", 1.03, 1.035, true},
        {{0.97, 0.97, 0.97, 0.97, 0.97, 0.965}, 6, "~0.970 ±1\n", 0.965, 0.97, true},
        {{1.03, 1.06, 1.06, 1.06, 1.06, 1.06}, 6, " 1.06 ±2\n", 1.03, 1.06, false},
        {{4, 4, 4, 4, 5}, 5, "~4.00 ±13r\n", 4, 5, true},
    };
    const struct cpu_mask mask = {.label = "aes, vaes", .value = "~0x2:~0x2:~0:~0:~0"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct evp_result *results = memory_new(CELLS, sizeof *results);
        fill(&results[0], 1000, 100 * NS_PER_US);
        for (size_t round = 0; round < 6; round++)
            results[0].rounds[round].ns *= 1 + round;
        json_t *document = document_of(results);
        results[0].count = rows[i].rounds;
        json_t *child = child_of(results, rows[i].times);
        evp_document_add_column(document, &mask, child);
        json_decref(child);
        const json_t *cases = json_object_get(document, "cases");
        assert_int_equal(json_array_size(json_object_get(document, "columns")), 2);
        assert_int_equal(json_array_size(cases), 2 * CELLS);
        assert_true(json_is_null(json_object_get(json_array_get(cases, 0), "relative")));
        const json_t *relative = json_object_get(json_array_get(cases, CELLS), "relative");
        const json_t *ratio = json_object_get(relative, "ratio");
        assert_string_equal(json_string_value(json_object_get(relative, "to")),
                            "works/message/encrypt/16");
        assert_float_equal(json_number_value(json_object_get(ratio, "low")), rows[i].low, 1e-3);
        assert_float_equal(json_number_value(json_object_get(ratio, "high")), rows[i].high, 1e-3);
        assert_int_equal(json_is_true(json_object_get(relative, "unsure")), rows[i].unsure);
        char *table = table_of(document);
        expect_narrow(table);
        assert_non_null(strstr(table, "without 1: aes, vaes; OPENSSL_ia32cap=~0x2:~0x2:~0:~0:~0"));
        assert_non_null(strstr(table, "160 ±0"));
        assert_non_null(strstr(table, "batches of 0.350 ms (median) in turn"));
        if (!strstr(table, rows[i].ratio))
            fail_msg("\"%s\" is not in: %s", rows[i].ratio, table);
        free(table);
        json_decref(document);
        evp_results_free(results, CELLS);
    }
}

/* Many columns are several tables, none of them too wide, and all figures are there. */
static void test_many_columns(void **state)
{
    static const unsigned columns[] = {1, 3, 8, 16};

    (void)state;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct evp_result *results = memory_new(CELLS, sizeof *results);
        fill(&results[0], 1000, 100 * NS_PER_US);
        (void)snprintf(results[4].reason, sizeof results[4].reason, "no reason");
        json_t *document = document_of(results);
        for (unsigned column = 1; column <= columns[i]; column++) {
            struct cpu_mask mask = {.value = "~0x2:~0x2:~0:~0:~0"};
            json_t *child = document_of(results), *item;
            size_t index;
            (void)snprintf(mask.label, sizeof mask.label, "feature %u", column);
            json_array_foreach(json_object_get(child, "cases"), index, item)
            {
                json_object_set_new(item, "column", json_sprintf("without %s", mask.label));
            }
            evp_document_add_column(document, &mask, child);
            json_decref(child);
        }
        char *table = table_of(document);
        expect_narrow(table);
        assert_int_equal(times_in(table, "skipped "), 1); /* in all columns for one reason */
        for (unsigned column = 1; column <= columns[i]; column++) {
            char title[16], ratio[16];
            (void)snprintf(title, sizeof title, " without %u ", column);
            (void)snprintf(ratio, sizeof ratio, " all/%u", column);
            assert_non_null(strstr(table, title));
            assert_non_null(strstr(table, ratio));
        }
        free(table);
        json_decref(document);
        evp_results_free(results, CELLS);
    }
}

/* A column without a document has its cases all the same: what the library has not stays skipped.
 */
static void test_lost_column(void **state)
{
    static const char *const columns[] = {"aes", "sha"}; /* the second does not copy the first */
    struct evp_result *results = memory_new(CELLS, sizeof *results);

    (void)state;
    for (size_t i = 0; i < 4; i++)
        fill(&results[i], 1000, 100 * NS_PER_US);
    (void)snprintf(results[4].reason, sizeof results[4].reason, "no reason");
    json_t *document = document_of(results);
    for (size_t i = 0; i < 2; i++) {
        struct cpu_mask mask = {.value = "~0x2:~0x2:~0:~0:~0"};
        (void)snprintf(mask.label, sizeof mask.label, "%s", columns[i]);
        evp_document_add_lost(document, &mask, EVP_FAILED, "it died");
    }
    const json_t *cases = json_object_get(document, "cases");
    assert_int_equal(json_array_size(json_object_get(document, "columns")), 3);
    assert_int_equal(json_array_size(cases), 3 * CELLS);
    for (size_t i = 0; i < 3 * CELLS; i++) {
        const json_t *item = json_array_get(cases, i);
        const char *status = json_string_value(json_object_get(item, "status"));
        bool own = i < CELLS, skipped = i % CELLS == 4;
        assert_string_equal(status, skipped ? "skipped" : own ? "measured" : "failed");
        assert_int_equal(json_is_null(json_object_get(item, "rate")), skipped || !own);
        assert_int_equal(json_array_size(json_object_get(item, "rounds")), own && !skipped ? 6 : 0);
    }
    char *table = table_of(document);
    expect_narrow(table);
    assert_int_equal(times_in(table, "failed   works/message/encrypt/16/without aes: it died"), 1);
    assert_int_equal(times_in(table, "failed   works/message/encrypt/16/without sha: it died"), 1);
    assert_int_equal(times_in(table, "not proved"), 2);
    free(table);
    json_decref(document);
    evp_results_free(results, CELLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_lost_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
