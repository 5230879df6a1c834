#ifndef CLIENT_LAYERS_LAYERS_H
#define CLIENT_LAYERS_LAYERS_H

#include "certs/issue.h"
#include "client/credentials.h"
#include "client/layers/case_layers.h"
#include "client/layers/price_book.h"
#include "client/plan.h"
#include "client/trial.h"
#include "common/base/error.h"
#include "common/tls/identity.h"

#include <stddef.h>

/* The primitive and the memory layer of all cases of a run. Each case is visited once a round,
 * beside its slot and never while load runs, so that all three layers see the machine in the same
 * state. Zeroed is valid. */
struct layers {
    const struct plan *plan;
    struct certificate_kinds {
        const struct certificate_kind *items[32];
        size_t count;
    } kinds;
    struct identity *identities;    /* by kind: certificates like the server's */
    struct credentials credentials; /* the run's, but that trust ends in our own root */
    X509_STORE *trust;
    struct price_book prices;
    struct case_layers *cases; /* by case of the plan */
};

/* Makes a certificate of each kind that the plan runs, or takes it from `cert_dir` (may be NULL);
 * RSA keys take seconds, which `progress` tells. `trials`, one for each case, say how many tickets
 * the server really sends. The plan must outlive it. */
bool layers_init(struct layers *layers, const struct plan *plan, const struct trial *trials,
                 const char *cert_dir, issue_progress *progress, void *context,
                 struct error *err) MUST_CHECK;
void layers_cleanup(struct layers *layers);

/* Measures one case once, in a thread on the client's first CPU: about 25 ms, more where one
 * operation takes milliseconds. A case that cannot be measured says why and is not tried again. */
void layers_visit(void *layers, size_t index);

#endif
