#ifndef CLIENT_CHECK_PROOF_H
#define CLIENT_CHECK_PROOF_H

#include "client/check/rows.h"
#include "client/interrupt.h"
#include "client/load.h"

#include <stddef.h>

/* Handshakes against the twin: everything that should work is negotiated, everything that should
 * not is tried and must fail; a surprise is a finding. Fills the rows' proof. */
struct proof {
    size_t tried, negotiated, refused, surprises;
};

void proof_run(const struct check_subject *subject, struct check_rows *rows,
               const struct library_facts *library, const struct load_settings *load,
               const struct interrupt *interrupt, struct proof *proof,
               struct finding_list *findings);

#endif
