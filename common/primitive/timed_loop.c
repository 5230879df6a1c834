#include "common/primitive/timed_loop.h"

#include "common/base/clock.h"
#include "common/tls/reason.h"

#include <openssl/err.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
static uint64_t read_cycles(void)
{
    return __rdtsc();
}
#else
static uint64_t read_cycles(void)
{
    return 0;
}
#endif

#define LONG_NS NS_PER_S /* longer than others keep a CPU, even many of them */

bool timed_loop_has_cycles(void)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[8192]; /* the flags of today's CPUs take about 2000 bytes */
    bool found = false;

    while (file && !found && fgets(line, sizeof line, file))
        found = strncmp(line, "flags", 5) == 0 && strstr(line, " constant_tsc") &&
                strstr(line, " nonstop_tsc");
    if (file)
        (void)fclose(file);
    return found;
}

bool timed_loop_run(struct primitive_task *task, uint64_t count, struct timed_batch *batch,
                    struct error *err)
{
    ERR_clear_error();
    uint64_t start = clock_now_ns();
    uint64_t first = read_cycles();
    uint64_t done = task->run(task->state, count);
    uint64_t last = read_cycles();
    uint64_t end = clock_now_ns();

    *batch = (struct timed_batch){.count = count, .ns = end - start, .cycles = last - first};
    if (done == count)
        return true;
    return reason_error(err, "%s fails while it is timed",
                        primitive_operation_name(task->what.operation));
}

/* The shorter of two times for the same: either may be another process's, which took the CPU
 * meanwhile. What takes long is timed once. */
static bool run_twice(struct primitive_task *task, uint64_t count, struct timed_batch *shorter,
                      struct error *err)
{
    struct timed_batch second;

    if (shorter->ns >= LONG_NS)
        return true;
    if (!timed_loop_run(task, count, &second, err))
        return false;
    if (second.ns < shorter->ns)
        *shorter = second;
    return true;
}

bool timed_loop_size(struct primitive_task *task, uint64_t least_ns, uint64_t *count,
                     struct error *err)
{
    struct timed_batch batch = {0};

    for (uint64_t next = 1;; next *= 2) {
        if (!timed_loop_run(task, next, &batch, err))
            return false;
        if (batch.ns >= least_ns / 2 && !run_twice(task, next, &batch, err))
            return false;
        if (batch.ns >= least_ns / 2)
            break;
    }
    double wanted = (double)batch.count * (double)least_ns / (double)(batch.ns ? batch.ns : 1);
    *count = wanted < 1 ? 1 : (uint64_t)wanted;
    return true;
}
