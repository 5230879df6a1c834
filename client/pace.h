#ifndef CLIENT_PACE_H
#define CLIENT_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a run has time for what it can do without: repeated slots, and layers after the first
 * round. Pure. */
struct pace {
    uint64_t time_ns; /* that the run may take; 0: as long as its windows need (--duration) */
    uint64_t elapsed_ns;
    uint64_t slot_ns; /* of a slot, window and all */
    size_t slots_left;
};

/* The slots that are left need over a second more than the time that is left. */
bool pace_is_late(const struct pace *pace);

/* At most one slot in five is repeated: time is bounded. */
bool pace_may_repeat(size_t repeats, size_t slots);

#endif
