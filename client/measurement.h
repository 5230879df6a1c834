#ifndef CLIENT_MEASUREMENT_H
#define CLIENT_MEASUREMENT_H

#include "client/case.h"
#include "client/load.h"
#include "common/base/cpu_clock.h"
#include "common/stats/histogram.h"
#include "common/tls/failure.h"
#include "common/tls/negotiated.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the runner measured, raw: everything else in a result is derived from it. Merged after the
 * threads have ended; nobody writes it later. */

/* Latency of one connection in its parts, each from the start of the part before it. */
struct latency {
    struct histogram tcp, tls, first_byte, last_byte;
};

/* One window (S0 to S1) of one case. Figures of a side are between that side's own snapshots. */
struct round {
    /* of the run's rounds, from 0: rounds of two cases with one number are a pair */
    unsigned number;
    uint64_t start_ns; /* since the run's start */
    uint64_t wall_ns;  /* S0 to S1 on the client's clock */
    /* connections started and finished without failure in the window */
    uint64_t attempted, completed;
    uint64_t confirmed;         /* those of `completed` that were proved */
    uint64_t bytes;             /* payload received (upload: by the server, in its window) */
    uint64_t client_cpu_ns;     /* all worker threads */
    uint64_t client_busiest_ns; /* of the busiest worker thread */
    bool server_known; /* the six below are valid: suitemark-server answered both snapshots */
    uint64_t server_cpu_ns, server_busiest_ns, server_wall_ns;
    uint64_t
        server_count; /* handshakes that the server finished between its snapshots, control apart */
    uint64_t server_bytes; /* payload sent (upload: received) between its snapshots */
    unsigned server_threads;
    uint64_t steal_ns;    /* in the window, of both sides' CPUs where known */
    unsigned steal_cpus;  /* over so many it is summed; 0: not known */
    int64_t others_ns;    /* other processes' CPU time in the window on both sides' CPUs; the clocks
                             are coarse: a little below 0 is 0 */
    unsigned others_cpus; /* likewise */
    double speed; /* of the fixed work before the window: run's median time over this one's; 1 = as
                     usual */
    uint64_t stalled_ns; /* of the window: this program did not run at all (it was stopped) */
    bool slow;           /* speed under 0.9, or stalled, even after one repeat */
};

#define ROUNDS_MAX 64

struct case_measurement {
    struct round rounds[ROUNDS_MAX];
    size_t round_count;

    /* All slots whole, ramp and drain included. */
    uint64_t attempted, completed, confirmed;
    enum confirmation confirmed_by;
    /* everything that was attempted and not completed; never "client stopped" */
    struct failure_table failures;
    uint64_t drifts;
    bool server_counts_agree; /* accepted = attempted and finished = completed, exactly, in every
                                 slot */
    bool server_by_processes; /* its CPU is of the processes that --server-pid named, its counts are
                                 ours */
    /* in slots that gave no round: the peer was gone, or we were stopped */
    uint64_t lost_attempted, lost_failed;
    bool server_shared; /* the server saw more than we sent: its figures are not ours */
    bool gave_up;       /* 64 failures in a row ended a slot */
    char note[160]; /* what the reader must know: "server counters not reachable: …"; "" if nothing
                     */

    struct latency unloaded, loaded;

    /* User and system time over all windows together. */
    struct cpu_split client_split, server_split;

    bool have_negotiated;
    struct negotiated negotiated; /* of the case's first connection; all others were the same */
    uint64_t handshake_bytes_in, handshake_bytes_out; /* of that first connection, tickets apart */
    uint64_t tickets, ticket_bytes;                   /* received on that first connection */
    uint32_t record_size_observed;                    /* largest SSL_read; bulk download */
    int http_status; /* of the confirming or bulk request; 0: none */
    unsigned connections_used;
};

/* Where a case stands before a slot, which adds one round at most, so that the round can be taken
 * out again: it, and its share of the split; totals, failures and latency stay. */
struct measurement_mark {
    size_t rounds;
    struct cpu_split client_split, server_split;
};

struct measurement_part {
    bool has_round;
    struct round round;
    struct cpu_split client_split, server_split;
};

struct measurement_mark measurement_mark(const struct case_measurement *m);
void measurement_cut(struct case_measurement *m, const struct measurement_mark *mark,
                     struct measurement_part *cut);
void measurement_put_back(struct case_measurement *m, const struct measurement_part *cut);

struct case_layers;

struct case_result {
    const struct test_case *test_case;
    const char *skipped; /* the reason; NULL: it ran (or failed to) */
    struct case_measurement measurement;
    const struct case_layers *layers; /* NULL: not measured */
};

#endif
