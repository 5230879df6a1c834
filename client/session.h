#ifndef CLIENT_SESSION_H
#define CLIENT_SESSION_H

#include "client/credentials.h"
#include "client/embedded.h"
#include "client/interrupt.h"
#include "client/options.h"
#include "client/placement.h"
#include "client/plan.h"
#include "client/probe.h"
#include "client/processes.h"
#include "client/resolve.h"
#include "client/trial.h"
#include "client/watch.h"
#include "common/base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* Everything between a built plan and the runner: the server (embedded or a target), what it is,
 * what of the plan it offers. Owned by run.c; freed by session_close in any state. Zeroed is valid.
 */
struct session {
    struct embedded embedded;
    bool is_embedded;
    struct placement placement;
    struct credentials credentials;
    struct processes processes;
    struct probe probe;
    struct watch watch;
    struct trial *trials;       /* by case of the plan */
    enum confirmation *confirm; /* likewise */
    char target[1400];          /* as reports name it */
    char address[ADDRESS_TEXT];
};

/* Reads what options name outside the command line: CPUs, files, processes. Before anything is
 * started, since they may be wrong. */
bool session_prepare(struct session *session, const struct run_options *options, struct plan *plan,
                     struct error *err) MUST_CHECK;

/* Starts or finds the server, probes it, tries each case once, and takes what it does not offer out
 * of the plan. */
bool session_open(struct session *session, const struct run_options *options, struct plan *plan,
                  struct interrupt *interrupt, embedded_progress *progress, void *context,
                  struct error *err) MUST_CHECK;
void session_close(struct session *session);

#endif
