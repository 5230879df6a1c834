#include "client/pace.h"

#include "common/base/clock.h"

#define LATE_NS       NS_PER_S
#define REPEATS_SHARE 5

bool pace_is_late(const struct pace *pace)
{
    uint64_t needed = pace->slots_left * pace->slot_ns;
    return pace->time_ns > 0 && pace->elapsed_ns + needed > pace->time_ns + LATE_NS;
}

bool pace_may_repeat(size_t repeats, size_t slots)
{
    return repeats * REPEATS_SHARE < slots;
}
