#include "client/processes.h"

#include "common/base/clock.h"
#include "common/base/file.h"
#include "common/base/units.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The fields of /proc/PID/stat that we need; see proc(5). */
struct stat_fields {
    pid_t parent;
    unsigned long long user_ticks, system_ticks;
};

static bool read_stat(pid_t pid, struct stat_fields *fields)
{
    char path[64], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *behind_name = strrchr(text, ')'); /* the name may hold blanks and parentheses */
    long parent;
    if (!behind_name ||
        sscanf(behind_name + 1, " %*c %ld %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu", &parent,
               &fields->user_ticks, &fields->system_ticks) != 3)
        return false;
    fields->parent = (pid_t)parent;
    return true;
}

static bool contains(const struct processes *processes, pid_t pid)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (processes->pids[i] == pid)
            return true;
    }
    return false;
}

static bool add(struct processes *processes, pid_t pid, struct error *err)
{
    if (contains(processes, pid))
        return true;
    if (processes->count == PROCESSES_MAX)
        return error_set(err, "more than %d server processes", PROCESSES_MAX);
    if (!cpu_clock_of_process(pid, &processes->clocks[processes->count], err))
        return false;
    processes->pids[processes->count++] = pid;
    return true;
}

/* One pass over /proc: adds whose parent is known already. */
static bool add_children(struct processes *processes, struct error *err)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    bool ok = true;
    while (ok && proc && (entry = readdir(proc))) {
        struct stat_fields fields;
        pid_t pid =
            isdigit((unsigned char)entry->d_name[0]) ? (pid_t)strtol(entry->d_name, NULL, 10) : 0;
        if (pid > 0 && read_stat(pid, &fields) && contains(processes, fields.parent))
            ok = add(processes, pid, err);
    }
    if (proc)
        closedir(proc);
    return ok;
}

bool processes_find(const struct text_list *words, struct processes *processes, struct error *err)
{
    *processes = (struct processes){.count = 0};
    for (size_t i = 0; i < words->count; i++) {
        uint64_t pid;
        struct stat_fields fields;
        if (!units_parse_count(words->items[i], &pid, err) || pid == 0 || pid > INT_MAX)
            return error_set(err, "\"%s\" is no process id", words->items[i]);
        if (!read_stat((pid_t)pid, &fields))
            return error_set(err, "there is no process %s", words->items[i]);
        if (!add(processes, (pid_t)pid, err))
            return false;
    }
    for (size_t before = 0; before != processes->count;) {
        before = processes->count;
        if (before > 0 && !add_children(processes, err))
            return false;
    }
    return true;
}

void processes_read(const struct processes *processes, struct processes_reading *reading)
{
    uint64_t tick_ns = NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
    reading->split = (struct cpu_split){0, 0};
    for (size_t i = 0; i < processes->count; i++) {
        struct stat_fields fields;
        reading->cpu_ns[i] = cpu_clock_read_ns(processes->clocks[i]);
        if (!read_stat(processes->pids[i], &fields))
            continue;
        reading->split.user_ns += fields.user_ticks * tick_ns;
        reading->split.system_ns += fields.system_ticks * tick_ns;
    }
}

uint64_t processes_used_ns(const struct processes *processes, const struct processes_reading *from,
                           const struct processes_reading *to, uint64_t *busiest_ns)
{
    uint64_t sum = 0;
    *busiest_ns = 0;
    for (size_t i = 0; i < processes->count; i++) {
        /* The clock of one that has ended reads 0. */
        uint64_t used = to->cpu_ns[i] > from->cpu_ns[i] ? to->cpu_ns[i] - from->cpu_ns[i] : 0;
        sum += used;
        *busiest_ns = used > *busiest_ns ? used : *busiest_ns;
    }
    return sum;
}
