#ifndef SERVER_STATS_H
#define SERVER_STATS_H

#include "common/base/error.h"
#include "common/base/host.h"
#include "common/stats/counter.h"
#include "common/tls/identity.h"
#include "server/outcomes.h"
#include "server/sni.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The server's own side of a measurement. Each worker counts for itself, and whoever answers /stats
 * adds up. */

/* Written by one worker, read by all. Zeroed is valid. A control connection is known as one only
 * after its handshake: it is counted in `accepted` like any, and then in `control` too. */
struct worker_stats {
    counter accepted, closed, refused;
    counter control, control_closed;
    counter finished, failed, resumed; /* handshakes, control ones apart */
    counter control_finished;
    counter payload_in, payload_out; /* application bytes of /sink and /bytes, control ones apart */
    counter certificates[SNI_IDENTITIES_MAX + 1]; /* full handshakes, by index of the identity */
    struct outcomes outcomes;                     /* control ones apart */
    clockid_t clock; /* CPU clock of the thread, once has_clock says so */
    _Atomic bool has_clock;
};

/* To be called by the worker's own thread as it starts. */
void stats_set_clock(struct worker_stats *stats);

/* What an answer is made from; const while workers run. */
struct stats_source {
    const struct worker_stats *const *workers;
    size_t worker_count;
    const struct cpu_list *cpus;
    const struct identity *identities;
    size_t identity_count;
    const json_t *configuration, *environment;
};

/* All workers' counters at about one moment. `accepted` and `open` are without control ones. */
struct stats_totals {
    uint64_t accepted, open, control, refused;
    uint64_t finished, failed, resumed, control_finished;
    uint64_t payload_in, payload_out;
    uint64_t certificates[SNI_IDENTITIES_MAX + 1];
    struct outcomes outcomes;
};

void stats_read(const struct stats_source *source, struct stats_totals *totals);

/* The documents of GET /stats ("suitemark-stats/1") and GET /metrics; the caller frees. NULL: no
 * memory. */
char *stats_json(const struct stats_source *source);
char *stats_metrics(const struct stats_source *source);

#endif
