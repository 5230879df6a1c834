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

/* One thread of a process that has several. Others may not read its CPU clock: its time is known in
 * 10 ms ticks only. */
struct thread_reading {
    size_t process; /* its index */
    pid_t tid;
    uint64_t cpu_ns;
};

#define PROCESSES_THREADS_MAX 512 /* more than those are not told apart */

struct processes_reading {
    uint64_t cpu_ns[PROCESSES_MAX];
    struct thread_reading threads[PROCESSES_THREADS_MAX];
    size_t thread_count;
    struct cpu_split split; /* sampled, 10 ms ticks: sound over a whole run only */
};

/* The processes named by these words, decimal numbers, and all their descendants. */
bool processes_find(const struct text_list *words, struct processes *processes,
                    struct error *err) MUST_CHECK;

void processes_read(const struct processes *processes, struct processes_reading *reading);

/* Between two readings: the time of all, and of the busiest thread. */
uint64_t processes_used_ns(const struct processes *processes, const struct processes_reading *from,
                           const struct processes_reading *to, uint64_t *busiest_ns);

/* How many threads there were. */
size_t processes_threads(const struct processes *processes,
                         const struct processes_reading *reading);

#endif
