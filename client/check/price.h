#ifndef CLIENT_CHECK_PRICE_H
#define CLIENT_CHECK_PRICE_H

#include "client/check/rows.h"
#include "client/check/twin.h"
#include "client/interrupt.h"
#include "client/measurement.h"
#include "client/plan.h"
#include "client/runner.h"
#include "common/base/error.h"
#include "common/stats/sample.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What the usable suites cost, measured by the runner against the twin. Suites that differ in
 * nothing that counts share a measurement: a handshake's price is its version's, key exchange's and
 * certificate's, a byte's is its version's, cipher's and MAC's. */
struct price {
    struct plan plan;
    struct case_result *results; /* by case of the plan */
    json_t *document;            /* the run's own, of which cases[] and environment are taken */
};

/* Fills the rows' case numbers. Free with price_cleanup in any case. */
bool price_run(struct price *price, struct check_rows *rows, const struct check_subject *subject,
               const struct twin *twin, uint64_t time_ns, struct interrupt *interrupt,
               runner_progress *progress, void *progress_context, struct error *err) MUST_CHECK;
void price_cleanup(struct price *price);

/* Server CPU of a case: microseconds per handshake, or nanoseconds per byte. False: not known. */
bool price_of(const struct price *price, size_t index, struct interval *cost);

#endif
