#include "common/base/host.h"

#include "common/base/file.h"
#include "common/base/memory.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a number below HOST_CPUS_MAX and moves *text behind it. */
static bool read_cpu(const char **text, int *cpu)
{
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 4) {
        return false;
    }
    *cpu = 0;
    for (; digits > 0; digits--) {
        *cpu = *cpu * 10 + (*(*text)++ - '0');
    }
    return *cpu < HOST_CPUS_MAX;
}

/* "0,2-3", as people and /sys write it. */
static bool read_cpu_set(const char *text, bool set[static HOST_CPUS_MAX])
{
    do {
        int first, last;
        if (!read_cpu(&text, &first)) {
            return false;
        }
        last = first;
        if (*text == '-') {
            text++;
            if (!read_cpu(&text, &last) || last < first) {
                return false;
            }
        }
        for (int cpu = first; cpu <= last; cpu++) {
            set[cpu] = true;
        }
    } while (*text++ == ',');
    return text[-1] == '\0' || text[-1] == '\n';
}

static void list_cpus(const bool set[static HOST_CPUS_MAX], struct cpu_list *list)
{
    list->count = 0;
    for (int cpu = 0; cpu < HOST_CPUS_MAX; cpu++) {
        if (set[cpu]) {
            list->cpus[list->count++] = cpu;
        }
    }
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

bool host_cpus_of(pid_t pid, struct cpu_list *list, struct error *err)
{
    cpu_set_t mask;
    if (sched_getaffinity(pid, sizeof mask, &mask) != 0) {
        return error_set(err, "cannot learn the allowed CPUs: %s", strerror(errno));
    }
    bool set[HOST_CPUS_MAX];
    for (int cpu = 0; cpu < HOST_CPUS_MAX; cpu++) {
        set[cpu] = CPU_ISSET(cpu, &mask);
    }
    list_cpus(set, list);
    return true;
}

bool host_allowed_cpus(struct cpu_list *list, struct error *err)
{
    return host_cpus_of(0, list, err);
}

bool host_parse_cpus(const char *text, struct cpu_list *list, struct error *err)
{
    bool set[HOST_CPUS_MAX] = {false};
    struct cpu_list allowed = {.count = 0};
    if (!read_cpu_set(text, set)) {
        return error_set(err, "%s is not a list of CPUs such as 0,2-3", text);
    }
    if (!host_allowed_cpus(&allowed, err)) {
        return false;
    }
    list_cpus(set, list);
    for (size_t i = 0; i < list->count; i++) {
        if (!has_cpu(&allowed, list->cpus[i])) {
            return error_set(err, "CPU %d is not there, or not allowed for this process",
                             list->cpus[i]);
        }
    }
    return true;
}

bool host_are_siblings(int cpu_a, int cpu_b)
{
    bool set[HOST_CPUS_MAX] = {false};
    if (cpu_a == cpu_b || cpu_b < 0 || cpu_b >= HOST_CPUS_MAX) {
        return false;
    }
    char *path =
        memory_format("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu_a);
    char *text = NULL;
    size_t length;
    bool known = file_read(path, 8192, &text, &length, NULL) && read_cpu_set(text, set);
    free(text);
    free(path);
    return known && set[cpu_b];
}

void host_two_cores(const struct cpu_list *allowed, int *first, int *second, bool *distinct,
                    bool *siblings)
{
    *first = allowed->count > 0 ? allowed->cpus[0] : 0;
    *second = allowed->count > 1 ? allowed->cpus[1] : *first;
    for (size_t i = 1; i < allowed->count; i++) {
        if (!host_are_siblings(*first, allowed->cpus[i])) {
            *second = allowed->cpus[i];
            break;
        }
    }
    *distinct = *first != *second;
    *siblings = host_are_siblings(*first, *second);
}

bool host_pin_thread(int cpu, struct error *err)
{
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (cpu < 0 || cpu >= HOST_CPUS_MAX) {
        return error_set(err, "there is no CPU %d", cpu);
    }
    CPU_SET(cpu, &mask);
    return sched_setaffinity(0, sizeof mask, &mask) == 0 ||
           error_set(err, "cannot bind to CPU %d: %s", cpu, strerror(errno));
}
