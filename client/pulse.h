#ifndef CLIENT_PULSE_H
#define CLIENT_PULSE_H

#include <stdint.h>

/* Notices when this process did not run: stopped by a signal, or its machine asleep. Whoever waits
 * wakes up at short intervals and looks how late it is; a window that ends on time shows nothing of
 * a stop in its middle. Pure: the clock is the caller's. Zeroed is not valid. */
struct pulse {
    uint64_t last_ns;
    uint64_t stalled_ns; /* found so far, without what a busy machine may do */
};

void pulse_start(struct pulse *pulse, uint64_t now_ns);

/* When to wake up and beat again on the way to `until_ns`. */
uint64_t pulse_due(const struct pulse *pulse, uint64_t until_ns);

void pulse_beat(struct pulse *pulse, uint64_t now_ns);

/* After something that may take its time: what has passed since the last beat is no stall. */
void pulse_skip(struct pulse *pulse, uint64_t now_ns);

#endif
