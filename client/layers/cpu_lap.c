#include "client/layers/cpu_lap.h"

#include "common/base/cpu_clock.h"

#define READINGS 64

void cpu_lap_init(struct cpu_lap *lap)
{
    uint64_t first = 0, last = 0;

    /* The first round only warms up. */
    for (int round = 0; round < 2; round++) {
        first = cpu_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
        for (int i = 0; i < READINGS; i++)
            last = cpu_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    }
    *lap = (struct cpu_lap){.last_ns = last, .reading_ns = (last - first) / READINGS};
}

uint64_t cpu_lap_ns(struct cpu_lap *lap)
{
    uint64_t now = cpu_clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
    uint64_t used = now - lap->last_ns;

    lap->last_ns = now;
    return used > lap->reading_ns ? used - lap->reading_ns : 0;
}
