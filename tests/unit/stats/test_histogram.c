#include "common/stats/histogram.h"

#include "common/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

/* A histogram is 8 KiB: zeroed, on the heap. */
static struct histogram *empty(void)
{
    return memory_new(1, sizeof(struct histogram));
}

/* What one value reads back as. Eleven larger ones lie beyond it, as a quantile wants. */
static uint64_t read_back(uint64_t ns)
{
    struct histogram *histogram = empty();
    uint64_t value = 0;
    histogram_record(histogram, ns);
    for (int i = 0; i < 11; i++) {
        histogram_record(histogram, UINT64_MAX);
    }
    assert_true(histogram_quantile(histogram, 1.0 / 12, &value));
    free(histogram);
    return value;
}

static void check_bound(uint64_t ns)
{
    uint64_t value = read_back(ns);
    uint64_t error = value > ns ? value - ns : ns - value;
    if (ns <= 127 ? error != 0 : error * 64 >= ns) {
        fail_msg("%llu reads back as %llu", (unsigned long long)ns, (unsigned long long)value);
    }
}

/* Around every power of two and between them, with numbers from a fixed sequence. */
static void error_stays_within_its_bound(void **state)
{
    (void)state;
    for (uint64_t ns = 0; ns < 300; ns++) {
        check_bound(ns);
    }
    uint64_t random = 1;
    for (unsigned bit = 7; bit < HISTOGRAM_MAX_BITS; bit++) {
        uint64_t power = UINT64_C(1) << bit;
        check_bound(power - 1);
        check_bound(power);
        check_bound(power + 1);
        for (int i = 0; i < 20; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            check_bound(power + (random >> 11) % power);
        }
    }
    check_bound(HISTOGRAM_MAX_NS);
}

static void larger_values_never_read_back_smaller(void **state)
{
    (void)state;
    uint64_t before = 0;
    for (uint64_t ns = 1; ns < HISTOGRAM_MAX_NS; ns += ns / 40 + 1) {
        uint64_t value = read_back(ns);
        assert_true(value >= before);
        before = value;
    }
}

/* Too large values count in the last bucket; the maximum is exact. */
static void values_beyond_the_range_are_kept(void **state)
{
    static const uint64_t rows[] = {HISTOGRAM_MAX_NS, HISTOGRAM_MAX_NS + 1, UINT64_MAX};
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct histogram *histogram = empty();
        histogram_record(histogram, 5);
        histogram_record(histogram, rows[i]);
        assert_int_equal(histogram->count, 2);
        assert_int_equal(histogram->buckets[HISTOGRAM_BUCKETS - 1], 1);
        assert_true(histogram->max_ns == rows[i]);
        free(histogram);
    }
}

static void quantile_needs_ten_samples_beyond(void **state)
{
    static const struct {
        double quantile;
        unsigned count;
        bool known;
    } rows[] = {
        {0.5, 0, false},      {0.5, 10, false},     {0.5, 19, false},   {0.5, 20, true},
        {0.9, 99, false},     {0.9, 100, true},     {0.99, 999, false}, {0.99, 1000, true},
        {0.999, 9999, false}, {0.999, 10000, true}, {0.95, 199, false}, {0.95, 200, true},
        {0.001, 10, false},   {0.001, 11, true},    {0, 1000, false},   {1, 1000, false},
        {-0.5, 1000, false},  {1.5, 1000, false},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct histogram *histogram = empty();
        uint64_t value = 77;
        for (unsigned k = 0; k < rows[i].count; k++) {
            histogram_record(histogram, k % 50);
        }
        if (histogram_quantile(histogram, rows[i].quantile, &value) != rows[i].known ||
            (value == 77) == rows[i].known) {
            fail_msg("%g of %u", rows[i].quantile, rows[i].count);
        }
        free(histogram);
    }
}

/* Of 1 to 40 000 once each in microseconds: the quantile is known. */
static void quantiles_of_a_known_distribution(void **state)
{
    static const double rows[] = {0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999};
    (void)state;
    struct histogram *histogram = empty();
    for (uint64_t us = 1; us <= 40000; us++) {
        histogram_record(histogram, us * 1000);
    }
    for (size_t i = 0; i < ROWS(rows); i++) {
        uint64_t value = 0;
        double expected = rows[i] * 40000 * 1000;
        assert_true(histogram_quantile(histogram, rows[i], &value));
        assert_true((double)value > expected * (1 - 1.0 / 64));
        assert_true((double)value < expected * (1 + 1.0 / 64));
    }
    free(histogram);
}

/* Small values are exact, so that a rank that is off by one shows. */
static void rank_is_exact(void **state)
{
    static const struct {
        double quantile;
        uint64_t value;
    } rows[] = {{1e-9, 1}, {0.01, 1}, {0.07, 7}, {0.071, 8}, {0.29, 29}, {0.5, 50}, {0.9, 90}};
    (void)state;
    struct histogram *histogram = empty();
    for (uint64_t ns = 1; ns <= 100; ns++) {
        histogram_record(histogram, ns);
    }
    for (size_t i = 0; i < ROWS(rows); i++) {
        uint64_t value = 0;
        assert_true(histogram_quantile(histogram, rows[i].quantile, &value));
        assert_int_equal(value, rows[i].value);
    }
    free(histogram);
}

/* All equal: the middle of their bucket lies above them, and the maximum holds it back. */
static void quantile_is_never_above_the_maximum(void **state)
{
    (void)state;
    struct histogram *histogram = empty();
    uint64_t value = 0;
    for (int i = 0; i < 100; i++) {
        histogram_record(histogram, 1 << 20);
    }
    assert_true(histogram_quantile(histogram, 0.5, &value));
    assert_int_equal(value, 1 << 20);
    free(histogram);
}

static void merge_equals_union(void **state)
{
    (void)state;
    struct histogram *a = empty(), *b = empty(), *both = empty();
    uint64_t random = 42;
    for (int i = 0; i < 5000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint64_t ns = random >> (20 + i % 40);
        histogram_record(i % 3 == 0 ? a : b, ns);
        histogram_record(both, ns);
    }
    histogram_merge(a, b);
    assert_memory_equal(a, both, sizeof *a);
    memset(b, 0, sizeof *b);
    histogram_merge(a, b); /* of nothing changes nothing */
    assert_memory_equal(a, both, sizeof *a);
    histogram_merge(b, a); /* into nothing copies */
    assert_memory_equal(b, both, sizeof *b);
    free(a);
    free(b);
    free(both);
}

/* A full bucket stays full instead of starting again at 0, and the count stays the buckets' sum. */
static void merge_saturates(void **state)
{
    (void)state;
    struct histogram *a = empty(), *b = empty();
    a->buckets[3] = UINT32_MAX - 1;
    a->count = UINT32_MAX - 1;
    a->max_ns = 3;
    for (int i = 0; i < 5; i++) {
        histogram_record(b, 3);
    }
    histogram_merge(a, b);
    assert_true(a->buckets[3] == UINT32_MAX);
    assert_true(a->count == UINT32_MAX);
    free(a);
    free(b);
}

static void json_round_trip(void **state)
{
    static const unsigned counts[] = {0, 1, 3000};
    (void)state;
    for (size_t i = 0; i < ROWS(counts); i++) {
        struct histogram *histogram = empty(), *read = empty();
        struct error err = {0};
        uint64_t random = 7;
        for (unsigned k = 0; k < counts[i]; k++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            histogram_record(histogram, random >> (25 + k % 38));
        }
        json_t *json = histogram_to_json(histogram);
        char *text = json_dumps(json, 0);
        json_decref(json);
        json = json_loads(text, 0, NULL);
        if (!histogram_from_json(json, read, &err)) {
            fail_msg("%s", err.text);
        }
        assert_memory_equal(read, histogram, sizeof *read);
        json_decref(json);
        free(text);
        free(histogram);
        free(read);
    }
}

static void json_is_as_documented(void **state)
{
    (void)state;
    struct histogram *histogram = empty();
    histogram_record(histogram, 5);
    histogram_record(histogram, 5);
    histogram_record(histogram, 64);
    json_t *json = histogram_to_json(histogram);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text, "{\"unit\":\"ns\",\"sub_bits\":6,\"count\":3,\"max\":64,"
                              "\"buckets\":[[5,2],[64,1]]}");
    json_decref(json);
    free(text);
    free(histogram);
}

/* A maximum that JSON's integers cannot hold still gives a text that is read back. */
static void json_takes_any_maximum(void **state)
{
    (void)state;
    struct histogram *histogram = empty(), *read = empty();
    struct error err = {0};
    histogram_record(histogram, UINT64_MAX);
    json_t *json = histogram_to_json(histogram);
    assert_true(histogram_from_json(json, read, &err));
    assert_true(read->max_ns == INT64_MAX);
    json_decref(json);
    free(histogram);
    free(read);
}

#define HEAD "{'unit':'ns','sub_bits':6,"

/* With ' for ". The first row is good, so that each of the others is refused for its one fault. */
static const struct {
    const char *text;
    bool good;
} json_rows[] = {
    {HEAD "'count':3,'max':64,'buckets':[[5,2],[64,1]]}", true},
    {HEAD "'count':3,'max':64,'buckets':[[5,2],[64,1]],'more':1}", true},
    {HEAD "'count':0,'max':0,'buckets':[]}", true},
    {"{'unit':'us','sub_bits':6,'count':3,'max':64,'buckets':[[5,2],[64,1]]}", false},
    {"{'unit':'ns','sub_bits':7,'count':3,'max':64,'buckets':[[5,2],[64,1]]}", false},
    {"{'sub_bits':6,'count':3,'max':64,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'max':64,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':3,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':3,'max':64}", false},
    {HEAD "'count':'3','max':64,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':3.0,'max':64,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':4,'max':64,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':-3,'max':64,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':3,'max':65,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':3,'max':5,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':3,'max':-1,'buckets':[[5,2],[64,1]]}", false},
    {HEAD "'count':0,'max':7,'buckets':[]}", false},
    {HEAD "'count':3,'max':64,'buckets':{}}", false},
    {HEAD "'count':3,'max':64,'buckets':[[64,1],[5,2]]}", false},
    {HEAD "'count':4,'max':64,'buckets':[[5,2],[5,1],[64,1]]}", false},
    {HEAD "'count':3,'max':64,'buckets':[[-5,2],[64,1]]}", false},
    {HEAD "'count':3,'max':64,'buckets':[[5,2],[2048,1]]}", false},
    {HEAD "'count':3,'max':64,'buckets':[[5,2],[99999999999,1]]}", false},
    {HEAD "'count':1,'max':64,'buckets':[[5,0],[64,1]]}", false},
    {HEAD "'count':0,'max':64,'buckets':[[5,-1],[64,1]]}", false},
    {HEAD "'count':4294967297,'max':64,'buckets':[[5,4294967296],[64,1]]}", false},
    {HEAD "'count':3,'max':64,'buckets':[[5,2,1],[64,1]]}", false},
    {HEAD "'count':3,'max':64,'buckets':[[5],[64,1]]}", false},
    {HEAD "'count':3,'max':64,'buckets':[5,2]}", false},
    {HEAD "'count':3,'max':64,'buckets':[[5,'2'],[64,1]]}", false},
    {"[]", false},
    {"null", false},
    {"3", false},
};

static void json_is_read_strictly(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(json_rows); i++) {
        char *text = memory_copy_text(json_rows[i].text);
        for (char *quote; (quote = strchr(text, '\'')) != NULL;) {
            *quote = '"';
        }
        json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
        assert_non_null(json);
        struct histogram *read = empty();
        read->max_ns = 99;
        struct error err = {0};
        bool good = histogram_from_json(json, read, &err);
        if (good != json_rows[i].good || (!good && read->max_ns != 99) ||
            (!good && strncmp(err.text, "histogram: ", 11) != 0)) {
            fail_msg("%s: %s", json_rows[i].text, err.text);
        }
        json_decref(json);
        free(read);
        free(text);
    }
    assert_false(histogram_from_json(NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_stays_within_its_bound),
        cmocka_unit_test(larger_values_never_read_back_smaller),
        cmocka_unit_test(values_beyond_the_range_are_kept),
        cmocka_unit_test(quantile_needs_ten_samples_beyond),
        cmocka_unit_test(quantiles_of_a_known_distribution),
        cmocka_unit_test(rank_is_exact),
        cmocka_unit_test(quantile_is_never_above_the_maximum),
        cmocka_unit_test(merge_equals_union),
        cmocka_unit_test(merge_saturates),
        cmocka_unit_test(json_round_trip),
        cmocka_unit_test(json_is_as_documented),
        cmocka_unit_test(json_takes_any_maximum),
        cmocka_unit_test(json_is_read_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
