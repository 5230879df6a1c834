#include "client/evp/evp_threads.h"

#include "common/base/clock.h"
#include "common/base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define PIECES      32               /* of a batch: how finely threads look at the window */
#define LEAD_NS     (NS_PER_MS / 10) /* so that all know of a window before it begins */
#define ROUND_LIMIT (60 * NS_PER_S)

/* A thread's own; the coordinator reads `ready` and `over` while it runs. */
struct member {
    pthread_t thread;
    struct primitive_task *task;
    struct round *round;
    double done;             /* in the window */
    atomic_bool ready, over; /* has computed once; is behind the window */
    uint64_t start_ns, end_ns;
    bool started, ok;
    struct error err;
};

struct round {
    const struct evp_batch *batch;
    struct member *members;
    unsigned count;
    _Atomic uint64_t from_ns; /* where the window begins; 0: not known yet */
    atomic_bool go, stop;
};

/* --- a thread --- */

double evp_threads_share(uint64_t count, const uint64_t piece[static 2],
                         const uint64_t window[static 2])
{
    uint64_t from = piece[0] > window[0] ? piece[0] : window[0];
    uint64_t until = piece[1] < window[1] ? piece[1] : window[1];

    if (from >= until)
        return 0;
    return (double)count * (double)(until - from) / (double)(piece[1] - piece[0]);
}

/* Piece after piece without a gap, until the others are behind the window too: what is counted was
 * computed while all computed. */
static void *compute_in_window(void *context)
{
    struct member *member = context;
    struct round *round = member->round;
    uint64_t count = round->batch->count;
    uint64_t piece = count / PIECES > 0 ? count / PIECES : 1;
    uint64_t span[2] = {clock_now_ns(), 0};
    struct timed_batch batch;

    member->ok = true;
    while (member->ok && !atomic_load_explicit(&round->stop, memory_order_relaxed)) {
        member->ok = timed_loop_run(member->task, piece, &batch, &member->err);
        span[1] = clock_now_ns();
        uint64_t from = atomic_load_explicit(&round->from_ns, memory_order_relaxed);
        const uint64_t window[2] = {from, from + round->batch->window_ns};
        if (from > 0)
            member->done += evp_threads_share(piece, span, window);
        if (from > 0 && (!member->ok || span[1] >= window[1]))
            atomic_store_explicit(&member->over, true, memory_order_relaxed);
        atomic_store_explicit(&member->ready, true, memory_order_relaxed);
        span[0] = span[1];
    }
    atomic_store_explicit(&member->over, true, memory_order_relaxed);
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

static bool all_are(const struct round *round, bool over)
{
    for (unsigned i = 0; i < round->count; i++) {
        struct member *member = &round->members[i];
        if (!atomic_load_explicit(over ? &member->over : &member->ready, memory_order_relaxed))
            return false;
    }
    return true;
}

static void wait_until(const struct round *round, bool over, uint64_t limit_ns)
{
    while (!all_are(round, over) && clock_now_ns() < limit_ns)
        pause_ns(NS_PER_MS / 20);
}

/* The window falls while every thread computes. */
static void watch(struct round *round)
{
    uint64_t limit = clock_now_ns() + ROUND_LIMIT;

    wait_until(round, false, limit);
    atomic_store_explicit(&round->from_ns, clock_now_ns() + LEAD_NS, memory_order_relaxed);
    pause_ns(LEAD_NS + round->batch->window_ns);
    wait_until(round, true, limit);
}

/* Whole operations, and the time that so many took: one takes several windows where it is long, or
 * where others had the CPUs. */
static void account_window(const struct round *round, struct timed_batch *done)
{
    double total = 0;

    for (unsigned i = 0; i < round->count; i++)
        total += round->members[i].done;
    done->count = total > 0 && total < 1 ? 1 : (uint64_t)(total + 0.5);
    if (done->count > 0)
        done->ns = (uint64_t)((double)round->batch->window_ns * (double)done->count / total);
}

/* From the first one's start to the last one's end. */
static void account_together(const struct round *round, struct timed_batch *done)
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

/* With a thread for each CPU, each has its own: the scheduler needs a while to spread new threads,
 * and until then some share one. Fewer threads it places better than we can, who know nothing of
 * what CPUs share. */
static void pin(const struct round *round, const cpu_set_t *allowed, unsigned index,
                pthread_attr_t *attributes)
{
    unsigned seen = 0;
    cpu_set_t own;

    if ((unsigned)CPU_COUNT(allowed) != round->count)
        return;
    CPU_ZERO(&own);
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, allowed) && seen++ == index)
            CPU_SET(cpu, &own);
    (void)pthread_attr_setaffinity_np(attributes, sizeof own, &own);
}

static bool start_member(struct round *round, const cpu_set_t *allowed, unsigned index)
{
    void *(*compute)(void *) = round->batch->window_ns ? compute_in_window : compute_together;
    struct member *member = &round->members[index];
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    pin(round, allowed, index, &attributes);
    member->started = pthread_create(&member->thread, &attributes, compute, member) == 0;
    (void)pthread_attr_destroy(&attributes);
    return member->started;
}

static bool start_all(struct round *round, struct primitive_task *tasks)
{
    cpu_set_t allowed;
    bool ok = true;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed); /* more CPUs than the set has room for */
    for (unsigned i = 0; i < round->count && ok; i++) {
        round->members[i].task = &tasks[i];
        round->members[i].round = round;
        ok = start_member(round, &allowed, i);
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
    bool started = start_all(&round, tasks), in_window = batch->window_ns > 0;

    *done = (struct timed_batch){0};
    if (started && in_window)
        watch(&round);
    else if (started)
        wait_until(&round, false, clock_now_ns() + ROUND_LIMIT);
    if (!started || in_window)
        atomic_store_explicit(&round.stop, true, memory_order_relaxed);
    atomic_store_explicit(&round.go, true, memory_order_release);
    bool joined = join_all(&round, err);
    if (started && joined && in_window)
        account_window(&round, done);
    else if (started && joined)
        account_together(&round, done);
    free(round.members);
    if (!started)
        return error_set(err, "a thread could not be started");
    return joined && (done->count > 0 || error_set(err, "no operation ended in the window"));
}
