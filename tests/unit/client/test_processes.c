/* A threaded test: it looks at itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/processes.h"
#include "common/base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define BUSY_NS (200 * NS_PER_MS)

static _Atomic int stop; /* the idle thread's */

static void *work(void *unused)
{
    struct timespec used = {0, 0};
    do
        (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while ((uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec < BUSY_NS);
    while (!atomic_load(&stop))
        (void)usleep(1000);
    return unused;
}

static void find_self(struct processes *processes)
{
    char pid[24];
    struct text_list words = {0};
    struct error err;
    (void)snprintf(pid, sizeof pid, "%ld", (long)getpid());
    text_list_add(&words, pid);
    assert_true(processes_find(&words, processes, &err));
    text_list_cleanup(&words);
}

/* Two threads that work share what the process uses: neither is as busy as the process. */
static void busiest_of_several_threads(void **state)
{
    (void)state;
    static struct processes_reading from, to; /* large */
    struct processes processes;
    pthread_t threads[2];
    uint64_t busiest;
    find_self(&processes);
    processes_read(&processes, &from);
    assert_int_equal(processes_threads(&processes, &from), processes.count);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, NULL), 0);
    do {
        (void)usleep(5000); /* or this thread would be the busiest where the two share a CPU */
        processes_read(&processes, &to);
    } while (processes_used_ns(&processes, &from, &to, &busiest) < 2 * BUSY_NS);
    uint64_t used = processes_used_ns(&processes, &from, &to, &busiest);
    /* A sanitizer may have started one more. */
    assert_in_range(processes_threads(&processes, &to), processes.count + 2, processes.count + 3);
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(busiest > 0);
    assert_true(busiest <= used - BUSY_NS / 2);
}

/* Its own clock, not ticks. */
static void one_thread_is_the_process(void **state)
{
    (void)state;
    static struct processes_reading from, to;
    struct processes processes;
    uint64_t busiest, used;
    find_self(&processes);
    processes_read(&processes, &from);
    do {
        processes_read(&processes, &to);
        used = processes_used_ns(&processes, &from, &to, &busiest);
    } while (used == 0);
    assert_int_equal(busiest, used);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_is_the_process),
        cmocka_unit_test(busiest_of_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
