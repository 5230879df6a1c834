#include "common/stats/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])
#define MOST        2000

static void medians(void **state)
{
    static const struct {
        double values[5];
        size_t count;
        double median;
    } rows[] = {
        {{0}, 0, 0},           {{7}, 1, 7},          {{3, 1}, 2, 2},
        {{3, 1, 2}, 3, 2},     {{9, 1, 5, 3}, 4, 4}, {{5, 4, 3, 2, 1}, 5, 3},
        {{-1, -5, -3}, 3, -3}, {{2, 2, 2, 9}, 4, 2},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_true(sample_median(rows[i].values, rows[i].count) == rows[i].median);
    }
    assert_true(sample_median(NULL, 0) == 0);
}

/* How many values each end leaves out: for p = 1/2 these are the places of tables of the sign test
 * at 95 %. */
static void interval_leaves_out_what_the_sign_test_allows(void **state)
{
    static const struct {
        size_t count, left_out;
        bool is_range;
    } rows[] = {
        {1, 0, true},   {2, 0, true},   {5, 0, true},   {6, 0, false},   {7, 0, false},
        {8, 0, false},  {9, 1, false},  {10, 1, false}, {11, 1, false},  {12, 2, false},
        {14, 2, false}, {15, 3, false}, {16, 3, false}, {17, 4, false},  {19, 4, false},
        {20, 5, false}, {25, 7, false}, {30, 9, false}, {50, 17, false}, {100, 39, false},
    };
    static double values[MOST];
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t count = rows[i].count;
        for (size_t k = 0; k < count; k++) {
            values[k] = (double)(k * 7919 % count); /* 0 to count - 1 in another order */
        }
        struct interval interval = sample_interval(values, count);
        if (interval.low != (double)rows[i].left_out ||
            interval.high != (double)(count - 1 - rows[i].left_out) ||
            interval.is_range != rows[i].is_range || interval.count != count ||
            interval.median != (double)(count - 1) / 2) {
            fail_msg("%zu: %g %g %g %d", count, interval.low, interval.median, interval.high,
                     interval.is_range);
        }
    }
}

/* 0.98 standard deviations of the binomial to each side, even where 2^-n is no double any more. */
static void large_samples_follow_the_normal_limit(void **state)
{
    static double values[MOST];
    (void)state;
    for (size_t k = 0; k < MOST; k++) {
        values[k] = (double)k;
    }
    struct interval interval = sample_interval(values, MOST);
    double half = 1.96 * sqrt(MOST) / 2;
    assert_true(fabs((interval.high - interval.low) / 2 - half) < 1.5);
    assert_false(interval.is_range);
}

static void nothing_gives_zeroes(void **state)
{
    (void)state;
    struct interval interval = sample_interval(NULL, 0);
    assert_true(interval.median == 0 && interval.low == 0 && interval.high == 0);
    assert_int_equal(interval.count, 0);
    assert_false(interval.is_range);
}

static void values_are_left_as_they_are(void **state)
{
    (void)state;
    double values[] = {3, 1, 2}, before[] = {3, 1, 2};
    sample_interval(values, 3);
    assert_memory_equal(values, before, sizeof values);
}

static void half_widths(void **state)
{
    static const struct {
        struct interval interval;
        double half_width;
    } rows[] = {
        {{.median = 100, .low = 95, .high = 105}, 0.05},
        {{.median = 100, .low = 100, .high = 100}, 0},
        {{.median = 2, .low = 1, .high = 4}, 0.75},
        {{.median = 0, .low = -1, .high = 1}, 0},
        {{.median = 0}, 0},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_true(fabs(interval_half_width(rows[i].interval) - rows[i].half_width) < 1e-12);
    }
}

static void ratios_are_of_pairs(void **state)
{
    (void)state;
    /* Both double in every pair, though the machine slows down to a tenth on the way. */
    const double a[] = {200, 180, 100, 40, 20, 160}, b[] = {100, 90, 50, 20, 10, 80};
    struct interval ratio = sample_paired_ratio(a, b, 6);
    assert_true(ratio.median == 2 && ratio.low == 2 && ratio.high == 2);
    assert_int_equal(ratio.count, 6);
    assert_false(ratio.is_range);
}

static void pairs_without_a_ratio_are_left_out(void **state)
{
    (void)state;
    const double a[] = {0, 6, NAN, 8, 5, INFINITY, 1}, b[] = {1, 3, 1, 2, 0, 1, NAN};
    struct interval ratio = sample_paired_ratio(a, b, 7);
    assert_int_equal(ratio.count, 2);
    assert_true(ratio.median == 3 && ratio.low == 2 && ratio.high == 4);
    assert_true(ratio.is_range);
    assert_int_equal(sample_paired_ratio(a, b, 1).count, 0);
    assert_int_equal(sample_paired_ratio(NULL, NULL, 0).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians),
        cmocka_unit_test(interval_leaves_out_what_the_sign_test_allows),
        cmocka_unit_test(large_samples_follow_the_normal_limit),
        cmocka_unit_test(nothing_gives_zeroes),
        cmocka_unit_test(values_are_left_as_they_are),
        cmocka_unit_test(half_widths),
        cmocka_unit_test(ratios_are_of_pairs),
        cmocka_unit_test(pairs_without_a_ratio_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
