#include "common/base/clock.h"
#include "common/base/host.h"

/* Each step waits for the one before (a multiplication and an addition: 4 to 5 cycles), so that
 * only the core's clock and what others take of it decide the time. */
#define STEPS 1800000

uint64_t host_fixed_work_ns(void)
{
    /* volatile: the compiler can neither compute the result itself, nor drop it, nor move the work
     * past the clock readings. */
    volatile uint64_t number = 1;
    uint64_t start = clock_now_ns();
    uint64_t value = number;
    for (int i = 0; i < STEPS; i++) {
        value = value * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    }
    number = value;
    return clock_now_ns() - start;
}
