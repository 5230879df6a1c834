#ifndef CLIENT_SLOT_H
#define CLIENT_SLOT_H

#include "client/control.h"
#include "client/interrupt.h"
#include "client/measurement.h"
#include "client/processes.h"
#include "client/watch.h"
#include "common/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* One case in one round (METHOD 2): one connection alone, ramp, S0, window, S1, drain, S2. */

/* While a window runs, about four times a second: handshakes/s or bytes/s since its start. */
typedef void slot_progress(void *context, double rate);

struct slot_settings {
    const struct load_settings *load;
    const struct test_case *test_case;
    const struct negotiated *expected; /* NULL: not known */
    enum confirmation confirm;
    uint64_t window_ns, warmup_ns, unloaded_ns;
    bool window_given;       /* by --duration; else it follows from --time */
    struct control *control; /* NULL: the server's side is not known */
    struct interrupt *interrupt;
    const struct processes *processes; /* of a server that is not ours; count 0: not known */
    unsigned round;                    /* its number, from 0 */
    const struct watch *watch;
    uint64_t run_start_ns;
    slot_progress *progress; /* NULL: nobody looks */
    void *progress_context;
};

/* Adds what the slot gave to `into`: one round (unless it was interrupted before S1, or the
 * server's counters, which were to confirm it, were lost) and the totals. A slot that cannot be run
 * (no descriptor, no thread, no memory) is a failure of class local limit. */
void slot_run(const struct slot_settings *settings, struct case_measurement *into);

#endif
