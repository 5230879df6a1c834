#include "client/evp/evp_crew.h"

#include "client/evp/evp_threads.h"
#include "client/evp/free_memory.h"
#include "common/base/clock.h"
#include "common/base/memory.h"

#include <stdlib.h>

#define SMALL ((size_t)1 << 20) /* messages that are not worth asking about memory */

/* --- tasks --- */

uint64_t evp_crew_memory(const struct primitive_case *what, unsigned threads)
{
    return (uint64_t)what->size * 2 * threads;
}

uint64_t evp_crew_free_memory(void)
{
    return free_memory_find("");
}

/* With a quarter left for what else runs here. */
static bool memory_suffices(const struct primitive_case *what, unsigned threads, struct error *err)
{
    uint64_t needed = evp_crew_memory(what, threads), free_bytes = evp_crew_free_memory();

    if (what->size <= SMALL || free_bytes == 0 || needed <= free_bytes / 4 * 3)
        return true;
    return error_set(
        err,
        "%u thread%s with messages of this size need%s %.1f GB; of the %.1f GB that are "
        "free, three quarters are taken at most",
        threads, threads == 1 ? "" : "s", threads == 1 ? "s" : "", (double)needed / 1e9,
        (double)free_bytes / 1e9);
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

/* --- rounds --- */

/* With fewer operations of a thread than this in a window, the threads rather do the same number of
 * operations, from a common start to the last one's end: a window waits for operations before and
 * behind it. */
#define WINDOW_OPERATIONS 4
#define WINDOW_NS         (20 * NS_PER_MS)

/* How long an operation takes while all threads compute, which may be more than there are cores. */
static bool time_together(struct evp_crew *crew, uint64_t count, double *operation_ns,
                          struct error *err)
{
    const struct evp_batch batch = {.count = count / 8 > 0 ? count / 8 : 1};
    struct timed_batch done;

    if (!evp_threads_run(crew->tasks, crew->count, &batch, &done, err))
        return false;
    *operation_ns = (double)done.ns / (double)batch.count;
    return true;
}

bool evp_crew_size(struct evp_crew *crew, uint64_t least_ns, uint64_t longest_ns,
                   struct evp_batch *batch, struct error *err)
{
    double room = 0.75 * (double)longest_ns, operation_ns; /* threads start and end around it */

    *batch = (struct evp_batch){0};
    if (!timed_loop_size(&crew->tasks[0], least_ns, &batch->count, err))
        return false;
    if (crew->count == 1)
        return true;
    if (!time_together(crew, batch->count, &operation_ns, err))
        return false;
    double window = least_ns > WINDOW_NS ? (double)least_ns : (double)WINDOW_NS;
    if (window < WINDOW_OPERATIONS * operation_ns)
        window = WINDOW_OPERATIONS * operation_ns;
    if (window > room)
        window = room;
    double operations = window / (operation_ns > 1 ? operation_ns : 1);
    if (operations >= WINDOW_OPERATIONS * 0.99)
        batch->window_ns = (uint64_t)window + 1;
    else
        batch->count = operations > 1 ? (uint64_t)operations : 1;
    return true;
}

bool evp_crew_run(struct evp_crew *crew, const struct evp_batch *batch, struct timed_batch *done,
                  struct error *err)
{
    if (crew->count > 1)
        return evp_threads_run(crew->tasks, crew->count, batch, done, err);
    /* What other cells left in the caches goes first. */
    uint64_t warm = batch->count / 16;
    return (warm == 0 || timed_loop_run(&crew->tasks[0], warm, done, err)) &&
           timed_loop_run(&crew->tasks[0], batch->count, done, err);
}
