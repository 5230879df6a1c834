#ifndef CLIENT_LAYERS_CASE_LAYERS_H
#define CLIENT_LAYERS_CASE_LAYERS_H

#include "client/layers/work.h"
#include "client/measurement.h"
#include "common/stats/sample.h"

#include <stdbool.h>
#include <stddef.h>

/* The layers of one case as measured, one value a visit: us per handshake, or ns per KiB of payload
 * for bulk (METHOD 11). */
struct case_layers {
    unsigned tickets; /* that the server sends in a handshake: as the real one does */
    struct layer_values {
        double primitive[ROUNDS_MAX], memory[ROUNDS_MAX];
        double components[WORK_COMPONENTS][ROUNDS_MAX];
    } sides[WORK_SIDES];
    size_t primitive_count, memory_count;   /* visits that gave a value */
    char no_primitive[160], no_memory[160]; /* why there is none; "": nothing failed */
};

/* Where a side's wire cost goes, as shares of it. They add up to 1. Pure. */
struct layer_shares {
    double components[WORK_COMPONENTS];
    double libssl; /* memory less primitive */
    bool kernel_known;
    double kernel; /* system time, which on loopback is partly the peer's (METHOD 3) */
    double rest;   /* sockets and event loop; and the kernel, where its share is not known */
};

/* One side of a case, made from its visits. */
struct layer_summary {
    struct interval primitive, memory; /* count 0: not known */
    double components[WORK_COMPONENTS];
    double wire;       /* in the same unit; 0: not known */
    double efficiency; /* primitive / wire */
    bool have_efficiency, have_shares;
    struct layer_shares shares;
};

/* `wire` with its user and system part (both 0: split not known) in the layers' unit. */
void case_layers_summary(const struct case_layers *layers, enum work_side side, double wire,
                         double user, double system, struct layer_summary *summary);

#endif
