#ifndef CLIENT_RUNNER_H
#define CLIENT_RUNNER_H

#include "client/measurement.h"
#include "client/plan.h"
#include "common/base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct control;

/* Where a run is: given to the progress callback at least at the start and end of every slot. */
struct progress {
    const struct test_case *test_case;
    unsigned round, rounds; /* from 1 */
    size_t slot, slots;     /* from 0; slots that are done, and all */
    double
        rate; /* of the slot that has just ended: handshakes/s or bytes/s; 0: it has just begun */
    uint64_t elapsed_ns, left_ns; /* of the whole run */
};

typedef void runner_progress(void *context, const struct progress *progress);

struct runner {
    const struct plan *plan;
    struct control *
        control; /* NULL: the target is not suitemark-server, or locks the control connection out */
    const struct cpu_list
        *server_cpus;  /* CPUs of an embedded server, for speed and steal; NULL: not known */
    uint64_t start_ns; /* the run's start on clock_now_ns */
    const atomic_int
        *interrupted; /* set by a signal: the run ends after the drain of the current slot */
    runner_progress *progress; /* may be NULL */
    void *progress_context;
};

/* Runs all rounds x cases in turn and fills results[plan->count]. Never prints. False only when
 * nothing could be run at all; a case's own trouble is in its measurement. */
bool runner_run(const struct runner *runner, struct case_result *results,
                struct error *err) MUST_CHECK;

#endif
