#ifndef CLIENT_TALLY_H
#define CLIENT_TALLY_H

#include "client/measurement.h"
#include "common/stats/counter.h"
#include "common/tls/failure.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The phases of a slot (METHOD 2), in order. The runner moves them on, workers read. */
enum slot_phase {
    PHASE_UNLOADED, /* one connection alone, for latency */
    PHASE_RAMP,     /* until every connection has finished once */
    PHASE_WINDOW,   /* S0 to S1 */
    PHASE_DRAIN,    /* nothing new; what is in flight ends */
    PHASE_ABORT,    /* whatever is still there is stopped: the user does not want to wait */
};

/* What one worker counts during one slot. The counters may be read by the runner while it runs; the
 * rest only after the worker has ended. */
struct tally {
    counter attempted;   /* connections started */
    counter completed;   /* finished without failure; bulk: those that moved payload */
    counter bytes;       /* payload moved */
    counter established; /* handshakes that this side has finished, whatever became of them */
    counter ramped;      /* connections that have finished (or moved payload) once */

    uint64_t unconnected; /* attempts that never reached the server: refused, timed out, no port */
    uint64_t stopped;     /* ended by us in the middle of bulk: no failure */
    unsigned failed_in_row;
    _Atomic int gave_up; /* 64 failures in a row: the slot is over */
    uint64_t drifts;
    struct failure_table failures;
    struct latency unloaded, loaded;
    uint32_t record_size_observed;
    int http_status;
};

#endif
