#ifndef CLIENT_LAYERS_CPU_LAP_H
#define CLIENT_LAYERS_CPU_LAP_H

#include <stdint.h>

/* The calling thread's CPU clock, read between the halves of a batch. A reading costs over a
 * microsecond: what one costs is measured first and taken off every lap. */
struct cpu_lap {
    uint64_t last_ns, reading_ns;
};

void cpu_lap_init(struct cpu_lap *lap);

/* CPU time since the last call, the reading itself taken off. */
uint64_t cpu_lap_ns(struct cpu_lap *lap);

#endif
