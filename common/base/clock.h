#ifndef COMMON_BASE_CLOCK_H
#define COMMON_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S  UINT64_C(1000000000)

/* CLOCK_MONOTONIC in nanoseconds; costs about 26 ns. Every rate and latency uses this clock (METHOD
 * 2). */
uint64_t clock_now_ns(void);

/* CLOCK_REALTIME as ISO 8601 in UTC with seconds, "2026-11-30T14:28:00Z". For start times only. */
void clock_utc_text(char text[static 21]);

#endif
