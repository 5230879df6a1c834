#include "client/evp/evp_crew.h"

#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/base/units.h"
#include "common/stats/counter.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SMALL        ((size_t)1 << 20) /* messages that are not worth asking about memory */
#define PIECES       32                /* of a window: how finely threads count */
#define WINDOW_MIN   (20 * NS_PER_MS)
#define WINDOW_LIMIT (60 * NS_PER_S)

/* --- tasks --- */

uint64_t evp_crew_memory(const struct primitive_case *what, unsigned threads)
{
    return (uint64_t)what->size * 2 * threads;
}

uint64_t evp_crew_free_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[256];
    uint64_t kilobytes = 0;

    while (file && kilobytes == 0 && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) != 1)
            kilobytes = 0;
    if (file)
        (void)fclose(file);
    return kilobytes * 1024;
}

/* With a quarter left for what else runs here. */
static bool memory_suffices(const struct primitive_case *what, unsigned threads, struct error *err)
{
    uint64_t needed = evp_crew_memory(what, threads), free_bytes = evp_crew_free_memory();

    if (what->size <= SMALL || free_bytes == 0 || needed <= free_bytes / 4 * 3)
        return true;
    return error_set(err,
                     "%u threads with messages of this size need %.1f GB, and %.1f GB are free",
                     threads, (double)needed / 1e9, (double)free_bytes / 1e9);
}

bool evp_crew_open(struct evp_crew *crew, const struct primitive_case *what, unsigned threads,
                   struct key_ring *keys, struct error *err)
{
    *crew = (struct evp_crew){0};
    if (!memory_suffices(what, threads, err))
        return false;
    crew->tasks = memory_new(threads, sizeof *crew->tasks);
    for (crew->count = 0; crew->count < threads; crew->count++) {
        if (!primitive_open(&crew->tasks[crew->count], what, keys, err)) {
            evp_crew_close(crew);
            return false;
        }
    }
    return true;
}

void evp_crew_close(struct evp_crew *crew)
{
    for (unsigned i = 0; i < crew->count; i++)
        primitive_close(&crew->tasks[i]);
    free(crew->tasks);
    *crew = (struct evp_crew){0};
}

/* --- many threads --- */

/* A thread's own; the coordinator reads the counter and the flags. */
struct member {
    pthread_t thread;
    struct primitive_task *task;
    uint64_t piece; /* operations between two countings */
    counter done;
    atomic_bool ready, *stop;
    bool started, ok;
    struct error err;
};

static void *compute(void *context)
{
    struct member *member = context;
    struct timed_batch batch;

    member->ok = true;
    while (member->ok && !atomic_load_explicit(member->stop, memory_order_relaxed)) {
        member->ok = timed_loop_run(member->task, member->piece, &batch, &member->err);
        if (member->ok)
            counter_add(&member->done, member->piece);
        atomic_store_explicit(&member->ready, true, memory_order_relaxed);
    }
    return NULL;
}

static void pause_ns(uint64_t ns)
{
    struct timespec time = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};

    (void)nanosleep(&time, NULL);
}

static bool all_ready(struct member *members, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!atomic_load_explicit(&members[i].ready, memory_order_relaxed))
            return false;
    return true;
}

static uint64_t sum(struct member *members, unsigned count)
{
    uint64_t done = 0;

    for (unsigned i = 0; i < count; i++)
        done += counter_read(&members[i].done);
    return done;
}

/* Both snapshots fall while every thread computes; a round that counted nothing goes on. */
static void watch(struct member *members, unsigned count, uint64_t window_ns,
                  struct timed_batch *batch)
{
    uint64_t limit = clock_now_ns() + WINDOW_LIMIT;

    while (!all_ready(members, count) && clock_now_ns() < limit)
        pause_ns(NS_PER_MS / 2);
    uint64_t start = clock_now_ns(), before = sum(members, count), after = before;
    while (after == before && clock_now_ns() < limit) {
        pause_ns(window_ns);
        after = sum(members, count);
        batch->ns = clock_now_ns() - start;
    }
    batch->count = after - before;
}

static bool start(struct member *member, struct primitive_task *task, uint64_t piece,
                  atomic_bool *stop)
{
    member->task = task;
    member->piece = piece;
    member->stop = stop;
    member->started = pthread_create(&member->thread, NULL, compute, member) == 0;
    return member->started;
}

static bool join_all(struct member *members, unsigned count, struct error *err)
{
    bool ok = true;

    for (unsigned i = 0; i < count; i++) {
        if (!members[i].started)
            continue;
        (void)pthread_join(members[i].thread, NULL);
        if (!members[i].ok)
            ok = error_set(err, "%s", members[i].err.text);
    }
    return ok;
}

static bool run_threads(struct evp_crew *crew, uint64_t count, uint64_t least_ns,
                        struct timed_batch *batch, struct error *err)
{
    struct member *members = memory_new(crew->count, sizeof *members);
    uint64_t window_ns = least_ns > WINDOW_MIN ? least_ns : WINDOW_MIN;
    uint64_t piece = count / PIECES > 0 ? count / PIECES : 1;
    atomic_bool stop = false;
    bool ok = true;

    *batch = (struct timed_batch){0};
    for (unsigned i = 0; i < crew->count && ok; i++)
        ok = start(&members[i], &crew->tasks[i], piece, &stop);
    if (ok)
        watch(members, crew->count, window_ns, batch);
    atomic_store_explicit(&stop, true, memory_order_relaxed);
    bool joined = join_all(members, crew->count, err);
    free(members);
    if (!ok)
        return error_set(err, "a thread could not be started");
    return joined && (batch->count > 0 || error_set(err, "no operation ended within 60 s"));
}

bool evp_crew_run(struct evp_crew *crew, uint64_t count, uint64_t least_ns,
                  struct timed_batch *batch, struct error *err)
{
    if (crew->count > 1)
        return run_threads(crew, count, least_ns, batch, err);
    /* What other cells left in the caches goes first. */
    uint64_t warm = count / 16;
    return (warm == 0 || timed_loop_run(&crew->tasks[0], warm, batch, err)) &&
           timed_loop_run(&crew->tasks[0], count, batch, err);
}
