#include "client/evp/evp_copy.h"

#include "common/base/clock.h"

#define BATCHES  3
#define BATCH_NS (2 * NS_PER_MS)
#define LONGEST  ((size_t)1 << 20) /* longer copies are no faster: their rate stands for them */

/* Copies a second by one thread: the best of a few batches, since the alarm must not be false. */
static double copies_per_s(size_t size)
{
    unsigned bits;
    struct primitive_case what = {.primitive = primitive_find("memory-copy", "evp", &bits),
                                  .operation = OPERATION_COPY,
                                  .shape = SHAPE_MESSAGE,
                                  .size = size < LONGEST ? size : LONGEST};
    struct primitive_task task;
    struct timed_batch batch;
    double best = 0;
    uint64_t count;

    if (!what.primitive || !primitive_open(&task, &what, NULL, NULL))
        return 0;
    bool ok = timed_loop_size(&task, BATCH_NS, &count, NULL);
    for (int i = 0; i < BATCHES && ok; i++) {
        ok = timed_loop_run(&task, count, &batch, NULL);
        double rate = (double)batch.count * 1e9 / (double)(batch.ns ? batch.ns : 1);
        best = rate > best ? rate : best;
    }
    primitive_close(&task);
    return best * (double)what.size / (double)size;
}

/* The first cell of the same size. */
static size_t first_of_size(const struct evp_plan *plan, size_t index)
{
    size_t first = 0;

    while (plan->cells[first].what.size != plan->cells[index].what.size)
        first++;
    return first;
}

void evp_copy_measure(const struct evp_plan *plan, struct evp_result *results)
{
    for (size_t i = 0; i < plan->count; i++) {
        size_t first = first_of_size(plan, i), size = plan->cells[i].what.size;
        if (first < i)
            results[i].copies_per_s = results[first].copies_per_s;
        else if (size > 0)
            results[i].copies_per_s = copies_per_s(size) * plan->threads;
    }
}

bool evp_copy_is_beaten(const struct evp_result *result)
{
    return result->copies_per_s > 0 && result->ops.median > result->copies_per_s;
}
