#include "client/pulse.h"

#include "common/base/clock.h"

#define INTERVAL_NS (50 * NS_PER_MS)
/* A thread that mostly sleeps is woken within a few milliseconds even where all CPUs are busy. */
#define LATE_NS (100 * NS_PER_MS)

void pulse_start(struct pulse *pulse, uint64_t now_ns)
{
    *pulse = (struct pulse){.last_ns = now_ns};
}

uint64_t pulse_due(const struct pulse *pulse, uint64_t until_ns)
{
    uint64_t next = pulse->last_ns + INTERVAL_NS;
    return next < until_ns ? next : until_ns;
}

void pulse_beat(struct pulse *pulse, uint64_t now_ns)
{
    uint64_t gap = now_ns - pulse->last_ns;
    if (gap > INTERVAL_NS + LATE_NS)
        pulse->stalled_ns += gap - INTERVAL_NS;
    pulse->last_ns = now_ns;
}

void pulse_skip(struct pulse *pulse, uint64_t now_ns)
{
    pulse->last_ns = now_ns;
}
