#ifndef CLIENT_RUNNER_H
#define CLIENT_RUNNER_H

#include "client/control.h"
#include "client/interrupt.h"
#include "client/measurement.h"
#include "client/plan.h"
#include "client/trial.h"
#include "client/watch.h"
#include "common/base/error.h"
#include "common/base/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a run is: given to the progress callback at the start and the end of every slot, and about
 * four times a second while its window runs. */
struct progress {
    const struct test_case *test_case;
    unsigned round, rounds; /* from 1 */
    size_t slot, slots;     /* slots that are done, and all */
    double rate;            /* handshakes/s or bytes/s; 0: the slot has just begun */
    bool running;           /* `rate` is of a window that still runs, else of the slot that ended */
    uint64_t elapsed_ns, left_ns; /* of the whole run */
};

typedef void runner_progress(void *context, const struct progress *progress);

struct runner {
    const struct plan *plan;
    const struct trial *trials;        /* one for each case of the plan */
    const enum confirmation *confirm;  /* likewise */
    struct control *control;           /* NULL: the server's side is not known */
    const struct processes *processes; /* of a server that is not ours; count 0: not known */
    struct interrupt *interrupt;       /* one signal: the run ends with the slot; two: at once */
    /* of this host that the run is pinned to, both sides': for speed */
    const struct cpu_list *cpus;
    const struct watch *watch;                   /* CPUs that others may take something of */
    uint64_t start_ns;                           /* the run's start on clock_now_ns */
    void (*beside)(void *context, size_t index); /* measures a case further after its slot, while
                                                    no load runs; after the first round not where
                                                    the run is late; may be NULL */
    void *beside_context;
    runner_progress *progress; /* may be NULL */
    void *progress_context;
};

/* Runs all rounds x cases in turn, in an order shuffled by the plan's seed, and fills
 * results[plan->count]. Never prints. False only without memory for its own lists. A case's
 * trouble, our own limits too, is in its measurement and the run goes on. A case whose slot gave no
 * round is not visited again, unless it completed something: then it is tried once more, when the
 * target takes connections again. */
bool runner_run(const struct runner *runner, struct case_result *results,
                struct error *err) MUST_CHECK;

#endif
