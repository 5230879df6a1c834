#ifndef CLIENT_PLAN_H
#define CLIENT_PLAN_H

#include "client/case.h"
#include "client/load.h"
#include "client/options.h"
#include "common/base/error.h"
#include "common/tls/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the time of a run is spent. */
struct schedule {
    unsigned rounds;
    uint64_t window_ns;   /* S0 to S1 of one slot */
    uint64_t warmup_ns;   /* least length of the ramp */
    uint64_t unloaded_ns; /* one connection alone before the ramp, for latency */
    uint64_t layers_ns;   /* estimate of the layers beside each slot; 0: they are not measured */
    uint64_t slot_ns; /* estimate of a whole slot: speed + unloaded + ramp + window + drain + layers
                       */
    uint64_t total_ns; /* estimate of all slots */
    uint64_t seed;
    bool too_tight; /* --time is too short for the cases: the window is at its minimum and total_ns
                       exceeds it */
};

struct planned_case {
    struct test_case test_case;
    /* Takes its place where the target refuses it: the same with a certificate of another kind.
     * Without a suite: there is none. */
    struct test_case instead;
    char skipped[CASE_REASON]; /* reason; "": to be run */
};

/* Cases, skips, load and schedule: what the runner gets. Owned lists; zeroed is valid. */
struct plan {
    struct planned_case *cases;
    size_t count;
    /* address and CPUs are filled in later, by whoever resolves and pins */
    struct load_settings load;
    bool confirm_forced; /* --confirm gave load.confirm; else what the target is decides */
    bool layers;         /* the layers under each case are measured too */
    struct schedule schedule;
    uint64_t time_ns;     /* --time: what the whole run may take */
    uint64_t duration_ns; /* --duration: the window as given; 0: derived */
};

/* What one probe of the target found. */
struct target_facts {
    bool suitemark;             /* it selected ALPN suitemark/1 */
    const char *no_http;        /* why bulk cannot be asked of it; NULL: it answers HTTP */
    const char *const *refused; /* by case index: why the target does not offer it; NULL: it does,
                                   or was not asked */
};

/* Pure: options and library in, cases and skips out, in the order in which tables show them. An
 * unknown suite, kind, group, version or measure is an error that names it and the nearest known
 * one; what this library lacks, and pairs that cannot be, are skips with their reason (METHOD 13).
 */
bool plan_build(const struct run_options *options, const struct library_facts *library,
                struct plan *plan, struct error *err) MUST_CHECK;

/* Pure: marks what the target does not offer ("target offers no …"), and uploads to servers that
 * are not ours. */
void plan_apply_target(struct plan *plan, const struct target_facts *facts);

/* Pure: fills plan->schedule for the cases that are left, when `spent_ns` of the run's time have
 * gone by. */
void plan_schedule(struct plan *plan, uint64_t spent_ns);

/* Appends a case (its id is filled in); `skipped` is the reason or "". Fails beyond PLAN_CASES_MAX.
 */
#define PLAN_CASES_MAX 4096
bool plan_add(struct plan *plan, const struct test_case *test_case, const char *skipped,
              struct error *err) MUST_CHECK;

size_t plan_runnable(const struct plan *plan);
void plan_cleanup(struct plan *plan);

#endif
