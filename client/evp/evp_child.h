#ifndef CLIENT_EVP_EVP_CHILD_H
#define CLIENT_EVP_EVP_CHILD_H

#include "client/evp/cpu_mask.h"
#include "client/evp/evp_work.h"
#include "client/interrupt.h"

#include <jansson.h>
#include <sys/types.h>

/* A process that measures the same plan but does not see some of the CPU's features. It takes its
 * turns when it is told to (evp_measure_obey is its end), so that columns are interleaved. A signal
 * is passed on to it, so that what it has finished is kept. */
struct evp_child {
    struct cpu_mask mask;
    pid_t pid;     /* 0: not started, or over */
    int to, from;  /* its standard input and output */
    int passed_on; /* signals */
    int status;    /* of waitpid(2), once it is over */
};

/* Starts it, and waits until all of its cells are set up and proved. argv is this program's, behind
 * the subcommand's name; `seed` is for its report. After a failure there is nothing to finish. */
bool evp_child_start(struct evp_child *child, char **argv, int argc, uint64_t seed,
                     struct interrupt *interrupt, struct error *err) MUST_CHECK;

/* One round of the cell with this id. EVP_TURN_GONE also where the process is gone. */
enum evp_turn evp_child_turn(struct evp_child *child, const char *id, struct interrupt *interrupt);

/* Ends it and gives its document, the caller's; NULL after a failure, also of the proof that it did
 * not use the features. `whole`: not interrupted. Not of a process that was not started. */
json_t *evp_child_finish(struct evp_child *child, bool whole, struct interrupt *interrupt,
                         struct error *err);

#endif
