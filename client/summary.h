#ifndef CLIENT_SUMMARY_H
#define CLIENT_SUMMARY_H

#include "client/measurement.h"
#include "common/stats/sample.h"

#include <stdbool.h>
#include <stddef.h>

/* Everything in a result that is derived from the rounds. Pure. */

enum case_status {
    STATUS_MEASURED, /* something confirmed, no drift, failures at most 1 % */
    STATUS_PARTIAL,  /* rounds missing */
    STATUS_FAILED,   /* nothing confirmed, any drift, or failures over 1 %: no rate */
    STATUS_SKIPPED,
};

enum bottleneck {
    BOTTLENECK_UNKNOWN,
    BOTTLENECK_CLIENT,
    BOTTLENECK_SERVER,
    BOTTLENECK_BOTH,
    BOTTLENECK_NEITHER,
};

/* Zeroed where the side is not known. */
struct side_summary {
    bool known;
    struct interval cpu;      /* handshake: us per handshake; bulk: ns per byte */
    double user, system;      /* of cpu.median, by the shares over all rounds; 0, 0: not known */
    double utilisation;       /* of the busiest thread, median of rounds, 0 to 1 */
    struct interval capacity; /* handshakes or bytes per CPU-second of this side */
    bool extrapolated;        /* under 90 % busy */
};

struct case_summary {
    enum case_status status;
    char reason[256];     /* why not `measured`, or the failures that are tolerated; "" if there is
                             nothing to say */
    struct interval rate; /* handshakes/s or bytes/s; count 0 unless measured or partial */
    bool wide;            /* half the interval is over 5 % of the median */
    struct side_summary client, server;
    enum bottleneck bottleneck;
    bool steal_known, others_known;
    double steal_share;  /* of the windows' time on each CPU; rows over 0.01 are marked */
    double others_share; /* likewise, of other processes; rows over 0.03 are marked */
    unsigned slow_rounds;
    bool have_relative;
    struct interval relative; /* server's cost over the baseline's, from paired rounds; exactly 1
                                 for the baseline itself */
    bool relative_of_client;  /* the server of either is unknown: it is the client's cost */
    bool relative_unsure;     /* its interval includes 1.00 */
};

/* `rounds` is how many were planned; `baseline` may be NULL or the case itself, and counts only
 * where it has figures of the same measure. Cases that failed or were skipped have no figure at
 * all. */
void summary_of(const struct case_result *result, unsigned rounds,
                const struct case_result *baseline, struct case_summary *summary);

const char *case_status_name(enum case_status status);
const char *bottleneck_name(enum bottleneck bottleneck);

#endif
