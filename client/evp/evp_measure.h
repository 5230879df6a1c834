#ifndef CLIENT_EVP_EVP_MEASURE_H
#define CLIENT_EVP_EVP_MEASURE_H

#include "client/evp/evp_plan.h"
#include "client/interrupt.h"
#include "common/primitive/timed_loop.h"
#include "common/stats/sample.h"

/* Measures a plan: every cell is set up and proved, then they take turns in rounds, in an order
 * drawn anew for each round, until each is narrow enough or its time is over (METHOD 6). */

enum evp_status {
    EVP_SKIPPED,
    EVP_MEASURED,
    EVP_PARTIAL, /* interrupted before its last round */
    EVP_FAILED,  /* a proof or an operation: no number */
};

struct evp_result {
    enum evp_status status;
    char reason[EVP_REASON];
    char verified[sizeof((struct primitive_task *)NULL)->verified];
    struct timed_batch *rounds; /* owned */
    size_t count;
    struct interval ops; /* operations per second, all threads together */
    double cycles;       /* of the time-stamp counter an operation; 0: not known */
    double copies_per_s; /* what a memory copy of this size reaches; 0: not sized */
};

struct evp_progress {
    size_t done, cells;
    uint64_t left_ns; /* at most */
    const struct primitive_case *what;
};

struct evp_measure {
    const struct evp_plan *plan;
    struct interrupt *interrupt;
    bool cycles; /* the time-stamp counter is usable */
    void (*progress)(void *context, const struct evp_progress *progress); /* may be NULL */
    void *progress_context;
};

/* Fills plan->count results. A failing cell is its own result's, not the run's. */
void evp_measure_run(const struct evp_measure *measure, struct evp_result *results);
void evp_results_free(struct evp_result *results, size_t count);

#endif
