#include "client/evp/evp_threads.h"

#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/stats/counter.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define PIECES       32 /* of a batch: how finely threads count in a window */
#define WINDOW_LIMIT (60 * NS_PER_S)

/* A thread's own; the coordinator reads the counter and `ready`. */
struct member {
    pthread_t thread;
    struct primitive_task *task;
    struct round *round;
    counter done;
    atomic_bool ready;
    uint64_t start_ns, end_ns;
    bool started, ok;
    struct error err;
};

struct round {
    const struct evp_batch *batch;
    struct member *members;
    unsigned count;
    atomic_bool go, stop;
};

/* --- a thread --- */

static void *compute_in_window(void *context)
{
    struct member *member = context;
    uint64_t count = member->round->batch->count;
    uint64_t piece = count / PIECES > 0 ? count / PIECES : 1;
    struct timed_batch batch;

    member->ok = true;
    while (member->ok && !atomic_load_explicit(&member->round->stop, memory_order_relaxed)) {
        member->ok = timed_loop_run(member->task, piece, &batch, &member->err);
        if (member->ok)
            counter_add(&member->done, piece);
        atomic_store_explicit(&member->ready, true, memory_order_relaxed);
    }
    return NULL;
}

static void *compute_together(void *context)
{
    struct member *member = context;
    struct round *round = member->round;
    struct timed_batch batch;

    atomic_store_explicit(&member->ready, true, memory_order_relaxed);
    while (!atomic_load_explicit(&round->go, memory_order_acquire))
        (void)sched_yield();
    member->ok = true;
    if (atomic_load_explicit(&round->stop, memory_order_relaxed))
        return NULL;
    member->start_ns = clock_now_ns();
    member->ok = timed_loop_run(member->task, round->batch->count, &batch, &member->err);
    member->end_ns = clock_now_ns();
    return NULL;
}

/* --- the coordinator --- */

static void pause_ns(uint64_t ns)
{
    struct timespec time = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};

    (void)nanosleep(&time, NULL);
}

static bool all_ready(const struct round *round)
{
    for (unsigned i = 0; i < round->count; i++)
        if (!atomic_load_explicit(&round->members[i].ready, memory_order_relaxed))
            return false;
    return true;
}

static void wait_until_ready(const struct round *round, uint64_t limit_ns)
{
    while (!all_ready(round) && clock_now_ns() < limit_ns)
        pause_ns(NS_PER_MS / 20);
}

static uint64_t sum(const struct round *round)
{
    uint64_t done = 0;

    for (unsigned i = 0; i < round->count; i++)
        done += counter_read(&round->members[i].done);
    return done;
}

/* Both snapshots fall while every thread computes; a round that counted nothing goes on. */
static void watch(const struct round *round, struct timed_batch *done)
{
    uint64_t limit = clock_now_ns() + WINDOW_LIMIT;

    wait_until_ready(round, limit);
    uint64_t start = clock_now_ns(), before = sum(round), after = before;
    while (after == before && clock_now_ns() < limit) {
        pause_ns(round->batch->window_ns);
        after = sum(round);
        done->ns = clock_now_ns() - start;
    }
    done->count = after - before;
}

/* From the first one's start to the last one's end. */
static void account(const struct round *round, struct timed_batch *done)
{
    uint64_t start = UINT64_MAX, end = 0;

    for (unsigned i = 0; i < round->count; i++) {
        const struct member *member = &round->members[i];
        start = member->start_ns < start ? member->start_ns : start;
        end = member->end_ns > end ? member->end_ns : end;
    }
    done->ns = end - start;
    done->count = round->batch->count * round->count;
}

static bool start_all(struct round *round, struct primitive_task *tasks)
{
    void *(*compute)(void *) = round->batch->window_ns ? compute_in_window : compute_together;
    bool ok = true;

    for (unsigned i = 0; i < round->count && ok; i++) {
        struct member *member = &round->members[i];
        member->task = &tasks[i];
        member->round = round;
        ok = member->started = pthread_create(&member->thread, NULL, compute, member) == 0;
    }
    return ok;
}

static bool join_all(struct round *round, struct error *err)
{
    bool ok = true;

    for (unsigned i = 0; i < round->count; i++) {
        struct member *member = &round->members[i];
        if (!member->started)
            continue;
        (void)pthread_join(member->thread, NULL);
        if (!member->ok)
            ok = error_set(err, "%s", member->err.text);
    }
    return ok;
}

bool evp_threads_run(struct primitive_task *tasks, unsigned count, const struct evp_batch *batch,
                     struct timed_batch *done, struct error *err)
{
    struct round round = {
        .batch = batch, .members = memory_new(count, sizeof *round.members), .count = count};
    bool started = start_all(&round, tasks);

    *done = (struct timed_batch){0};
    if (started && batch->window_ns > 0)
        watch(&round, done);
    else if (started)
        wait_until_ready(&round, clock_now_ns() + WINDOW_LIMIT);
    if (!started || batch->window_ns > 0)
        atomic_store_explicit(&round.stop, true, memory_order_relaxed);
    atomic_store_explicit(&round.go, true, memory_order_release);
    bool joined = join_all(&round, err);
    if (started && joined && batch->window_ns == 0)
        account(&round, done);
    free(round.members);
    if (!started)
        return error_set(err, "a thread could not be started");
    return joined && (done->count > 0 || error_set(err, "no operation ended within 60 s"));
}
