#ifndef COMMON_BASE_HOST_H
#define COMMON_BASE_HOST_H

#include "common/base/error.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What METHOD 14 wants of the machine. */

#define HOST_CPUS_MAX 1024

/* CPU numbers in ascending order. */
struct cpu_list {
    int cpus[HOST_CPUS_MAX];
    size_t count;
};

/* The CPUs that this process may run on (sched_getaffinity(2)). */
bool host_allowed_cpus(struct cpu_list *list, struct error *err) MUST_CHECK;

/* Those of another process or thread, by its number. */
bool host_cpus_of(pid_t pid, struct cpu_list *list, struct error *err) MUST_CHECK;

/* Parses "0,2-3". Every CPU must be allowed for this process. */
bool host_parse_cpus(const char *text, struct cpu_list *list, struct error *err) MUST_CHECK;

/* Whether two CPUs are hardware threads of one core (topology/thread_siblings_list); false where
 * not known. */
bool host_are_siblings(int cpu_a, int cpu_b);

/* Two CPUs of different physical cores from the allowed ones, where there are two; else what there
 * is: *distinct says whether they differ, *siblings whether they share a core. */
void host_two_cores(const struct cpu_list *allowed, int *first, int *second, bool *distinct,
                    bool *siblings);

/* Binds the calling thread. */
bool host_pin_thread(int cpu, struct error *err) MUST_CHECK;

/* Steal time of these CPUs since boot, summed (/proc/stat, 10 ms ticks); 0 where not known. */
uint64_t host_steal_ns(const struct cpu_list *cpus);

/* Time since boot that these CPUs gave to no process, summed: idle, interrupts, steal. What passes
 * beside it is the processes' (an idle CPU is timed exactly, but told in 10 ms ticks). False where
 * not known. */
bool host_free_ns(const struct cpu_list *cpus, uint64_t *free_ns) MUST_CHECK;

/* Runs a fixed piece of integer work (about 2 ms on a 2020s core) on the calling thread and gives
 * its wall time: a round's `speed` is a run's median of this divided by this (METHOD 6). */
uint64_t host_fixed_work_ns(void);

/* {cpu, features, cores, kernel, governor, allocator}: a new object, the caller's. Unknown values
 * are null. features: an array of those names of /proc/cpuinfo that matter to TLS (aes, vaes,
 * pclmulqdq, avx2, avx512f, sha_ni, adx, …). cores: how many CPUs this process may run on.
 * allocator: "jemalloc", "glibc 2.36", … */
json_t *host_facts(void);

#endif
