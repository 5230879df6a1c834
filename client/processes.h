#ifndef CLIENT_PROCESSES_H
#define CLIENT_PROCESSES_H

#include "common/base/cpu_clock.h"
#include "common/base/error.h"
#include "common/base/text.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* A server that is not ours, on this host: its processes' CPU time by their clocks
 * (clock_getcpuclockid(3)), so that its side is known too. Processes that it starts later are not
 * seen. */

#define PROCESSES_MAX 256

struct processes {
    pid_t pids[PROCESSES_MAX];
    clockid_t clocks[PROCESSES_MAX];
    size_t count; /* 0: none */
};

struct processes_reading {
    uint64_t cpu_ns[PROCESSES_MAX];
    struct cpu_split split; /* sampled, 10 ms ticks: sound over a whole run only */
};

/* The processes named by these words, decimal numbers, and all their descendants. */
bool processes_find(const struct text_list *words, struct processes *processes,
                    struct error *err) MUST_CHECK;

void processes_read(const struct processes *processes, struct processes_reading *reading);

/* Between two readings: the time of all, and of the busiest process. */
uint64_t processes_used_ns(const struct processes *processes, const struct processes_reading *from,
                           const struct processes_reading *to, uint64_t *busiest_ns);

#endif
