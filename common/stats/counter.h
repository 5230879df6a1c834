#ifndef COMMON_STATS_COUNTER_H
#define COMMON_STATS_COUNTER_H

#include <stdatomic.h>
#include <stdint.h>

/* A counter with one writer that other threads may read while it runs (/stats, progress, window
 * edges). Adding is a relaxed load and store: no locked instruction on the hot path. Zeroed is
 * valid. */
typedef _Atomic uint64_t counter;

static inline void counter_add(counter *c, uint64_t n)
{
    atomic_store_explicit(c, atomic_load_explicit(c, memory_order_relaxed) + n,
                          memory_order_relaxed);
}

static inline uint64_t counter_read(const counter *c)
{
    return atomic_load_explicit((counter *)c, memory_order_relaxed);
}

#endif
