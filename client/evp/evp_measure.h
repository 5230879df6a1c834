#ifndef CLIENT_EVP_EVP_MEASURE_H
#define CLIENT_EVP_EVP_MEASURE_H

#include "client/evp/evp_plan.h"
#include "client/interrupt.h"
#include "common/primitive/timed_loop.h"
#include "common/stats/sample.h"

#include <stdio.h>

/* Measures a plan: every cell is set up and proved, then they take turns in rounds, in an order
 * drawn anew for each round, until each is narrow enough or its time is over (METHOD 6). With
 * columns a cell's turn is one of every column, one right after the other, so that its rounds are
 * pairs. */

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

struct evp_child;

struct evp_measure {
    const struct evp_plan *plan;
    struct interrupt *interrupt;
    bool cycles;               /* the time-stamp counter is usable */
    struct evp_child *columns; /* the same plan in other processes: each takes a turn with ours */
    size_t column_count;
    void (*progress)(void *context, const struct evp_progress *progress); /* may be NULL */
    void *progress_context;
};

/* Fills plan->count results. A failing cell is its own result's, not the run's. */
void evp_measure_run(const struct evp_measure *measure, struct evp_result *results);

/* The other end of such a column: says EVP_READY when all is set up, and then takes the turns that
 * it is told to, each with an answer, until the end. Lines over `in` and `out`:
 * "turn ID" is answered with a word of evp_turn_word(); "end" and "stop" (or nothing more) with
 * nothing, and after "stop" what was not finished is partial. */
void evp_measure_obey(const struct evp_measure *measure, FILE *in, FILE *out,
                      struct evp_result *results);
#define EVP_READY "ready"
void evp_results_free(struct evp_result *results, size_t count);

#endif
