#ifndef CLIENT_CHECK_OUTCOME_H
#define CLIENT_CHECK_OUTCOME_H

#include "client/check/advice.h"
#include "client/check/clients.h"
#include "client/check/finding.h"
#include "client/check/input.h"
#include "client/check/price.h"
#include "client/check/proof.h"
#include "client/check/rows.h"
#include "client/check/scan.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* All that a check found, and the document that is made of it. */

struct subject_outcome {
    const struct check_subject *subject;
    const struct check_subject *same_as; /* an earlier one with the same settings: see there */
    struct check_rows rows;
    bool proved;
    struct proof proof;
    bool priced;
    struct price price;
    struct client_outcome *clients; /* profile_count of them; NULL: not tried */
    struct advice advice;
    bool advised;
};

struct check_outcome {
    const char *source; /* what was checked */
    const char *start_time;
    uint64_t duration_ns;
    bool measured, interrupted;
    struct subject_outcome *subjects;
    size_t count;
    const struct scan *scan; /* of a live target; NULL: none */
    const struct client_outcome *scan_clients;
    const struct finding_list *findings;
};

/* The document of schema "suitemark-result/1", kind "check": a new object. Reports read only
 * this. */
json_t *outcome_json(const struct check_outcome *outcome);

void subject_outcome_cleanup(struct subject_outcome *outcome);

#endif
