#ifndef CLIENT_TRIAL_H
#define CLIENT_TRIAL_H

#include "client/load.h"
#include "client/measurement.h"
#include "common/tls/failure.h"

#include <stdbool.h>

/* One handshake of a case before anything is measured: whether the target offers it, and the facts
 * that every later handshake of the case must repeat. */
struct trial {
    bool done;              /* the handshake was completed and is what the case pins */
    char refused[160];      /* "target offers no …": the case is to be skipped; "" otherwise */
    struct failure failure; /* any other trouble: the case is run all the same and fails there */
    struct negotiated negotiated;
    uint64_t handshake_bytes_in, handshake_bytes_out; /* tickets apart */
    uint64_t tickets, ticket_bytes;
};

void trial_run(const struct test_case *test_case, const struct load_settings *load,
               struct trial *trial);

#endif
