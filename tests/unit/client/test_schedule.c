#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/plan.h"

#include "common/base/clock.h"

#include <stdio.h>

#define MS NS_PER_MS

static const struct row {
    const char *name;
    size_t cases, skipped;
    unsigned rounds, connections, threads;
    uint64_t warmup_ms, time_ms, spent_ms, duration_ms;
    /* Right answers. */
    uint64_t unloaded_ms, window_ms, slot_ms;
    bool too_tight;
} rows[] = {
    /* The default run: (80 s - 0.5 s - 1 s) / 150 slots = 523.3 ms. */
    {"default", 25, 0, 6, 16, 1, 100, 80000, 500, 0, 52, 346, 523, false},
    {"skips take no time", 27, 2, 6, 16, 1, 100, 80000, 500, 0, 52, 346, 523, false},
    {"spent time is gone", 25, 0, 6, 16, 1, 100, 80000, 19000, 0, 40, 235, 400, false},
    {"one case, long windows", 1, 0, 6, 16, 1, 100, 80000, 0, 0, 100, 12941, 13166, false},
    {"no warm-up: each connection once", 25, 0, 6, 16, 1, 0, 80000, 500, 0, 52, 430, 523, false},
    {"ramp grows with connections", 1, 0, 6, 1000, 2, 100, 61000, 0, 0, 100, 9375, 10000, false},
    {"short run keeps a small reserve", 1, 0, 1, 16, 1, 100, 1600, 0, 0, 100, 1325, 1550, false},
    {"too tight", 100, 0, 6, 16, 1, 100, 80000, 0, 0, 13, 50, 188, true},
    {"all time is spent", 2, 0, 6, 16, 1, 100, 80000, 90000, 0, 10, 50, 185, true},
    {"window given", 25, 0, 6, 16, 1, 100, 80000, 0, 1000, 100, 1000, 1225, false},
    {"short window given", 25, 0, 6, 16, 1, 100, 80000, 0, 10, 15, 10, 150, false},
    {"given windows may exceed the time", 25, 0, 6, 16, 1, 100, 1000, 0, 3600000, 100, 3600000,
     3600225, false},
};

static void build(const struct row *row, struct plan *plan)
{
    struct error err = {""};

    *plan = (struct plan){
        .load = {.connections = row->connections, .threads = row->threads},
        .schedule = {.rounds = row->rounds, .warmup_ns = row->warmup_ms * MS, .seed = 7},
        .time_ns = row->time_ms * MS,
        .duration_ns = row->duration_ms * MS,
    };
    for (size_t i = 0; i < row->cases; i++) {
        const struct test_case test_case = {
            .version = TLS1_3_VERSION,
            .suite = suite_find("TLS_AES_128_GCM_SHA256"),
            .kind = kind_find("ecdsa-p256"),
            .group = group_find("x25519"),
        };

        assert_true(plan_add(plan, &test_case, i < row->skipped ? "some reason" : "", &err));
    }
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        const struct schedule *schedule;
        struct plan plan;
        uint64_t slots = (row->cases - row->skipped) * row->rounds;

        build(row, &plan);
        plan_schedule(&plan, row->spent_ms * MS);
        schedule = &plan.schedule;
        printf("# %s\n", row->name);
        assert_int_equal(plan_runnable(&plan), row->cases - row->skipped);
        assert_int_equal(schedule->unloaded_ns / MS, row->unloaded_ms);
        assert_int_equal(schedule->window_ns / MS, row->window_ms);
        assert_int_equal(schedule->slot_ns / MS, row->slot_ms);
        assert_int_equal(schedule->total_ns, schedule->slot_ns * slots);
        assert_int_equal(schedule->too_tight, row->too_tight);
        assert_int_equal(schedule->seed, 7);
        assert_int_equal(schedule->warmup_ns, row->warmup_ms * MS);
        if (!row->too_tight && !row->duration_ms)
            assert_true(row->spent_ms * MS + schedule->total_ns <= row->time_ms * MS);
        plan_cleanup(&plan);
    }
}

static void test_nothing_to_run(void **state)
{
    struct row row = rows[0];
    struct plan plan;

    (void)state;
    row.skipped = row.cases;
    build(&row, &plan);
    plan_schedule(&plan, 0);
    assert_int_equal(plan_runnable(&plan), 0);
    assert_int_equal(plan.schedule.total_ns, 0);
    assert_false(plan.schedule.too_tight);
    plan_cleanup(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_nothing_to_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
