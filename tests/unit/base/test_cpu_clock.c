/* A threaded test: reads the CPU clock of a thread that works beside it. */
#include "common/base/clock.h"
#include "common/base/cpu_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <semaphore.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORK_NS  (2 * NS_PER_MS)
#define BOUND_NS (30 * NS_PER_S)

/* Works until the calling thread has used this much CPU time. */
static void work(uint64_t cpu_ns)
{
    uint64_t start = cpu_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    while (cpu_clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - start < cpu_ns) {
    }
}

struct worker {
    sem_t worked, leave;
};

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    work(WORK_NS);
    sem_post(&worker->worked);
    while (sem_wait(&worker->leave) != 0) {
    }
    return NULL;
}

static void thread_clock_counts_that_thread_only(void **state)
{
    (void)state;
    struct worker worker;
    struct error err = {0};
    pthread_t thread;
    clockid_t clock;
    assert_int_equal(sem_init(&worker.worked, 0, 0), 0);
    assert_int_equal(sem_init(&worker.leave, 0, 0), 0);
    assert_int_equal(pthread_create(&thread, NULL, run_worker, &worker), 0);
    assert_true(cpu_clock_of_thread(thread, &clock, &err));
    while (sem_wait(&worker.worked) != 0) {
    }
    uint64_t before = cpu_clock_read_ns(clock);
    work(20 * WORK_NS);
    uint64_t after = cpu_clock_read_ns(clock);
    assert_true(before >= WORK_NS);
    assert_true(after - before < 10 * WORK_NS); /* our work is not its work */

    sem_post(&worker.leave);
    pthread_join(thread, NULL);
    /* The join ends when the thread has left its stack; the kernel forgets it a moment later. */
    uint64_t bound = clock_now_ns() + BOUND_NS;
    while (cpu_clock_read_ns(clock) != 0)
        assert_true(clock_now_ns() < bound);
    sem_destroy(&worker.worked);
    sem_destroy(&worker.leave);
}

static void process_clock_counts_ended_threads(void **state)
{
    (void)state;
    struct worker worker;
    pthread_t thread;
    assert_int_equal(sem_init(&worker.worked, 0, 0), 0);
    assert_int_equal(sem_init(&worker.leave, 0, 1), 0);
    uint64_t before = cpu_clock_process_ns();
    assert_int_equal(pthread_create(&thread, NULL, run_worker, &worker), 0);
    pthread_join(thread, NULL);
    assert_true(cpu_clock_process_ns() - before >= WORK_NS);
    sem_destroy(&worker.worked);
    sem_destroy(&worker.leave);
}

/* The kernel's split lags by its sampling, but what it shows lies within what was used. */
static void split_adds_up(void **state)
{
    (void)state;
    work(50 * NS_PER_MS);
    struct cpu_split split = cpu_clock_process_split();
    uint64_t all = cpu_clock_process_ns();
    assert_true(split.user_ns + split.system_ns > 0);
    assert_true(split.user_ns + split.system_ns <= all + 50 * NS_PER_MS);
}

/* The child works until it is told to end: its clock must move, and be 0 after wait(2). */
static void process_clock_of_another(void **state)
{
    (void)state;
    int stop[2];
    assert_int_equal(pipe(stop), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(stop[1]);
        work(WORK_NS);
        char byte;
        ssize_t got = read(stop[0], &byte, 1);
        _exit(got == 0 ? 0 : 1);
    }
    close(stop[0]);

    struct error err = {0};
    clockid_t clock;
    assert_true(cpu_clock_of_process(child, &clock, &err));
    uint64_t bound = clock_now_ns() + BOUND_NS;
    while (cpu_clock_read_ns(clock) < WORK_NS) {
        assert_true(clock_now_ns() < bound);
    }
    close(stop[1]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(cpu_clock_read_ns(clock), 0);
    assert_false(cpu_clock_of_process(child, &clock, &err));
    assert_non_null(strstr(err.text, "no CPU clock of process"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thread_clock_counts_that_thread_only),
        cmocka_unit_test(process_clock_counts_ended_threads),
        cmocka_unit_test(split_adds_up),
        cmocka_unit_test(process_clock_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
