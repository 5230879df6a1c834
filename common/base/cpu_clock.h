#ifndef COMMON_BASE_CPU_CLOCK_H
#define COMMON_BASE_CPU_CLOCK_H

#include "common/base/error.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* CPU clocks in nanoseconds: exact, but 1.3 us a reading. See clock_getcpuclockid(3),
 * pthread_getcpuclockid(3). */

/* User and system time as the kernel samples them (getrusage(2)): sound over seconds, not over one
 * round. */
struct cpu_split {
    uint64_t user_ns, system_ns;
};

uint64_t cpu_clock_process_ns(void); /* CPU time of this process, all threads, also ended ones */
struct cpu_split cpu_clock_process_split(void);

/* The clock of another thread of this process, or of another process. The reading is 0 once it has
 * ended. */
bool cpu_clock_of_thread(pthread_t thread, clockid_t *clock, struct error *err) MUST_CHECK;
bool cpu_clock_of_process(pid_t pid, clockid_t *clock, struct error *err) MUST_CHECK;
uint64_t cpu_clock_read_ns(clockid_t clock);

#endif
