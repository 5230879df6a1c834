#ifndef CLIENT_EDGE_H
#define CLIENT_EDGE_H

#include "client/control.h"
#include "client/measurement.h"
#include "client/processes.h"
#include "client/watch.h"
#include "client/worker.h"
#include "common/base/cpu_clock.h"

#include <stdbool.h>
#include <stdint.h>

/* This host's side at one edge of the window (S0 or S1), and a round as the difference of two. */
struct edge {
    uint64_t ns, attempted, completed, bytes, cpu_ns, steal_ns;
    uint64_t process_ns; /* of this whole program */
    uint64_t free_ns;    /* of the CPUs that are watched for other processes */
    bool free_known;
    struct cpu_split split;
    struct processes_reading server; /* of a server that is not ours */
};

/* Reads counters and clocks of running workers. */
struct edge edge_read(const struct worker *workers, unsigned count,
                      const struct processes *processes, const struct watch *watch);

/* The client's figures, and those of a server that is not ours (processes->count > 0). Everything
 * else in *round is zeroed. */
void edge_round(struct round *round, const struct edge *from, const struct edge *to,
                const struct processes *processes, const struct watch *watch);

/* The figures of suitemark-server between its own snapshots. */
void edge_round_server(struct round *round, const struct server_snapshot *from,
                       const struct server_snapshot *to, bool upload, const struct watch *watch);

/* Once the server's figures are in: what neither side used of the CPUs' busy time. */
void edge_round_others(struct round *round, const struct edge *from, const struct edge *to,
                       const struct watch *watch);

#endif
