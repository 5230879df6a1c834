#include "common/base/host.h"

#include "common/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The numbers of a line "cpuN user nice system idle iowait irq softirq steal …" (proc(5)) that are
 * not the processes'. Whether interrupts are billed to the process that they meet is the kernel's
 * choice: they are taken as not. */
struct cpu_ticks {
    int cpu;
    unsigned long long idle, iowait, irq, softirq, steal;
};

static bool read_line(const char *line, struct cpu_ticks *ticks)
{
    return sscanf(line, "cpu%d %*u %*u %*u %llu %llu %llu %llu %llu", &ticks->cpu, &ticks->idle,
                  &ticks->iowait, &ticks->irq, &ticks->softirq, &ticks->steal) == 6;
}

static bool has_cpu(const struct cpu_list *list, int cpu)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->cpus[i] == cpu) {
            return true;
        }
    }
    return false;
}

/* Adds up those of the list; gives how many of them there are. */
static size_t add_up(const struct cpu_list *cpus, struct cpu_ticks *sum)
{
    FILE *file = fopen("/proc/stat", "re");
    char *line = NULL;
    size_t capacity = 0, found = 0;
    *sum = (struct cpu_ticks){.cpu = -1};
    if (file == NULL) {
        return 0;
    }
    while (getline(&line, &capacity, file) > 0 && strncmp(line, "cpu", 3) == 0) {
        struct cpu_ticks one;
        if (read_line(line, &one) && has_cpu(cpus, one.cpu)) {
            sum->idle += one.idle;
            sum->iowait += one.iowait;
            sum->irq += one.irq;
            sum->softirq += one.softirq;
            sum->steal += one.steal;
            found++;
        }
    }
    free(line);
    fclose(file);
    return found;
}

static uint64_t ticks_ns(unsigned long long ticks)
{
    return ticks * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
}

uint64_t host_steal_ns(const struct cpu_list *cpus)
{
    struct cpu_ticks sum;
    (void)add_up(cpus, &sum);
    return ticks_ns(sum.steal);
}

bool host_free_ns(const struct cpu_list *cpus, uint64_t *free_ns)
{
    struct cpu_ticks sum;
    size_t found = add_up(cpus, &sum);
    *free_ns = ticks_ns(sum.idle + sum.iowait + sum.irq + sum.softirq + sum.steal);
    return cpus->count > 0 && found == cpus->count;
}
