#ifndef CLIENT_SPEED_H
#define CLIENT_SPEED_H

#include "common/base/host.h"

#include <stdint.h>

/* Times a fixed piece of work (host_fixed_work_ns) on each of these CPUs at the same moment and
 * gives the longest time: virtual machines run up to twice slower at times with no steal shown
 * (METHOD 6). With no CPU in the list it runs wherever the kernel puts it. */
uint64_t speed_fixed_work_ns(const struct cpu_list *cpus);

#endif
