#ifndef COMMON_PRIMITIVE_TIMED_LOOP_H
#define COMMON_PRIMITIVE_TIMED_LOOP_H

#include "common/primitive/primitive.h"

/* The one loop that everything is timed with: batches between two readings of the clock, never
 * single calls (METHOD 15), and every return value checked (METHOD 12). */

/* One batch as measured. */
struct timed_batch {
    uint64_t count;  /* of operations */
    uint64_t ns;     /* wall time */
    uint64_t cycles; /* of the time-stamp counter; 0 where it is not usable */
};

#define TIMED_LOOP_BATCH_NS (5 * UINT64_C(1000000))

/* Runs one batch. A single failed operation fails it, with OpenSSL's reason. */
bool timed_loop_run(struct primitive_task *task, uint64_t count, struct timed_batch *batch,
                    struct error *err) MUST_CHECK;

/* Doubles the batch from one operation on until it lasts at least half of `least_ns`, also when it
 * is run a second time, and gives the count that lasts about `least_ns`. The batches before also
 * warm caches and code. */
bool timed_loop_size(struct primitive_task *task, uint64_t least_ns, uint64_t *count,
                     struct error *err) MUST_CHECK;

/* Whether the time-stamp counter runs at one rate in all states of the CPU (constant_tsc and
 * nonstop_tsc in /proc/cpuinfo). */
bool timed_loop_has_cycles(void);

#endif
