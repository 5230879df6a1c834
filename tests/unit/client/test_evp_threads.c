/* A threaded test: two threads compute at the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/evp/evp_threads.h"
#include "common/base/clock.h"
#include "common/base/memory.h"

#include <sched.h>
#include <stdlib.h>

/* A piece counts as far as it lies in the window. */
static void test_shares(void **state)
{
    static const struct {
        uint64_t piece[2], window[2];
        double share; /* of 8 operations */
    } rows[] = {
        {{100, 200}, {100, 200}, 8}, {{100, 200}, {0, 1000}, 8},    {{100, 200}, {150, 1000}, 4},
        {{100, 200}, {0, 125}, 2},   {{100, 200}, {120, 130}, 0.8}, {{100, 200}, {200, 300}, 0},
        {{100, 200}, {0, 100}, 0},   {{100, 200}, {300, 400}, 0},   {{100, 100}, {0, 400}, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_float_equal(evp_threads_share(8, rows[i].piece, rows[i].window), rows[i].share,
                           1e-9);
}

#define SPIN_NS   (2900 * NS_PER_US) /* so that a window of 20 ms ends within an operation */
#define SPANS_MAX 4096

/* A task that keeps what it did when. */
struct diary {
    uint64_t spans[SPANS_MAX][2];
    size_t count;
    cpu_set_t cpus; /* that it ran on */
};

static uint64_t run_with_diary(void *state, uint64_t count)
{
    struct diary *diary = state;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t start = clock_now_ns(), now = start;
        while (now < start + SPIN_NS)
            now = clock_now_ns();
        if (diary->count == SPANS_MAX)
            return i;
        CPU_SET((unsigned)sched_getcpu(), &diary->cpus);
        diary->spans[diary->count][0] = start;
        diary->spans[diary->count++][1] = now;
    }
    return count;
}

/* Operations of all diaries in a window. */
static double done_within(const struct diary *diaries, size_t count,
                          const uint64_t window[static 2])
{
    double done = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < diaries[i].count; k++)
            done += evp_threads_share(1, diaries[i].spans[k], window);
    return done;
}

/* Threads that start together count neither more nor less than they do: what a window says of them
 * is what they did in a window of that length, wherever it was. */
static void test_windows_lose_nothing(void **state)
{
    const struct evp_batch batch = {.count = 1, .window_ns = 20 * NS_PER_MS};
    struct diary *diaries = memory_new(2, sizeof *diaries);
    struct primitive_task tasks[2] = {{.run = run_with_diary, .state = &diaries[0]},
                                      {.run = run_with_diary, .state = &diaries[1]}};
    double least = 1e9, most = 0;
    struct timed_batch done;
    struct error err;

    (void)state;
    assert_true(evp_threads_run(tasks, 2, &batch, &done, &err));
    double told = (double)done.count * (double)batch.window_ns / (double)done.ns;
    uint64_t from = 0, until = UINT64_MAX; /* all have begun, and none has ended */
    for (size_t i = 0; i < 2; i++) {
        uint64_t first = diaries[i].spans[0][1], last = diaries[i].spans[diaries[i].count - 1][1];
        from = first > from ? first : from;
        until = last < until ? last : until;
    }
    assert_true(from + batch.window_ns <= until);
    for (uint64_t at = from; at + batch.window_ns <= until; at += NS_PER_MS / 20) {
        const uint64_t window[2] = {at, at + batch.window_ns};
        double did = done_within(diaries, 2, window);
        least = did < least ? did : least;
        most = did > most ? did : most;
    }
    if (told < 0.98 * least || told > 1.02 * most + 0.01)
        fail_msg("told %f, did %f to %f", told, least, most);
    free(diaries);
}

static uint64_t run_for_long(void *state, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t start = clock_now_ns();
        while (clock_now_ns() < start + 50 * NS_PER_MS)
            (*(uint64_t *)state)++;
    }
    return count;
}

/* A window that is shorter than an operation gives its rate all the same: a machine on which others
 * have the CPUs makes any operation long. */
static void test_window_within_an_operation(void **state)
{
    const struct evp_batch batch = {.count = 1, .window_ns = NS_PER_MS};
    uint64_t looks[2] = {0, 0};
    struct primitive_task tasks[2] = {{.run = run_for_long, .state = &looks[0]},
                                      {.run = run_for_long, .state = &looks[1]}};
    struct timed_batch done;
    struct error err;

    (void)state;
    assert_true(evp_threads_run(tasks, 2, &batch, &done, &err));
    assert_int_equal(done.count, 1);
    assert_true(done.ns >= 24 * NS_PER_MS); /* each thread has 50 ms for one */
}

/* Only the first two of these. */
static void keep_two(cpu_set_t *cpus)
{
    unsigned kept = 0;

    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, cpus) && kept++ >= 2)
            CPU_CLR(cpu, cpus);
}

/* With a thread for each CPU, no two of them share one, whatever else runs there. */
static void test_each_has_its_cpu(void **state)
{
    static const struct evp_batch batches[] = {
        {.count = 1, .window_ns = 20 * NS_PER_MS},
        {.count = 3},
    };
    cpu_set_t all, two, both;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        skip();
    two = all;
    keep_two(&two);
    assert_int_equal(sched_setaffinity(0, sizeof two, &two), 0);
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        struct diary *diaries = memory_new(2, sizeof *diaries);
        struct primitive_task tasks[2] = {{.run = run_with_diary, .state = &diaries[0]},
                                          {.run = run_with_diary, .state = &diaries[1]}};
        struct timed_batch done;
        struct error err;
        assert_true(evp_threads_run(tasks, 2, &batches[i], &done, &err));
        assert_int_equal(CPU_COUNT(&diaries[0].cpus), 1);
        assert_int_equal(CPU_COUNT(&diaries[1].cpus), 1);
        CPU_AND(&both, &diaries[0].cpus, &diaries[1].cpus);
        assert_int_equal(CPU_COUNT(&both), 0);
        free(diaries);
    }
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* Where they do the same number of operations, it is all of them, from the first start on. */
static void test_together(void **state)
{
    const struct evp_batch batch = {.count = 3};
    struct diary *diaries = memory_new(2, sizeof *diaries);
    struct primitive_task tasks[2] = {{.run = run_with_diary, .state = &diaries[0]},
                                      {.run = run_with_diary, .state = &diaries[1]}};
    struct timed_batch done;
    struct error err;

    (void)state;
    assert_true(evp_threads_run(tasks, 2, &batch, &done, &err));
    assert_int_equal(done.count, 6);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(diaries[i].count, 3);
        assert_true(diaries[1 - i].spans[0][0] + done.ns >= diaries[i].spans[2][1]);
    }
    free(diaries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_windows_lose_nothing),
        cmocka_unit_test(test_window_within_an_operation),
        cmocka_unit_test(test_each_has_its_cpu),
        cmocka_unit_test(test_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
