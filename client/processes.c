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

static bool read_stat_file(const char *path, struct stat_fields *fields)
{
    char text[1024];
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

static bool read_stat(pid_t pid, struct stat_fields *fields)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    return read_stat_file(path, fields);
}

static pid_t number_of(const struct dirent *entry)
{
    return isdigit((unsigned char)entry->d_name[0]) ? (pid_t)strtol(entry->d_name, NULL, 10) : 0;
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
        pid_t pid = number_of(entry);
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

static uint64_t tick_length_ns(void)
{
    return NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
}

/* The threads of one process, unless it has but one: its clock says more than ticks do. */
static void read_threads(pid_t pid, size_t process, struct processes_reading *reading)
{
    char path[96];
    struct dirent *entry;
    size_t first = reading->thread_count;
    (void)snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *task = opendir(path);
    while (task && reading->thread_count < PROCESSES_THREADS_MAX && (entry = readdir(task))) {
        struct stat_fields fields;
        pid_t tid = number_of(entry);
        (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)pid, (long)tid);
        if (tid > 0 && read_stat_file(path, &fields))
            reading->threads[reading->thread_count++] = (struct thread_reading){
                process, tid, (fields.user_ticks + fields.system_ticks) * tick_length_ns()};
    }
    if (task)
        closedir(task);
    if (reading->thread_count == first + 1)
        reading->thread_count = first;
}

void processes_read(const struct processes *processes, struct processes_reading *reading)
{
    uint64_t tick_ns = tick_length_ns();
    reading->split = (struct cpu_split){0, 0};
    reading->thread_count = 0;
    for (size_t i = 0; i < processes->count; i++) {
        struct stat_fields fields;
        reading->cpu_ns[i] = cpu_clock_read_ns(processes->clocks[i]);
        if (!read_stat(processes->pids[i], &fields))
            continue;
        reading->split.user_ns += fields.user_ticks * tick_ns;
        reading->split.system_ns += fields.system_ticks * tick_ns;
    }
    for (size_t i = 0; i < processes->count; i++)
        read_threads(processes->pids[i], i, reading);
}

static uint64_t thread_before(const struct processes_reading *from, const struct thread_reading *to)
{
    for (size_t i = 0; i < from->thread_count; i++) {
        if (from->threads[i].tid == to->tid && from->threads[i].process == to->process)
            return from->threads[i].cpu_ns;
    }
    return 0; /* it began in between */
}

/* Of one process, which has used `used_ns` in all. */
static uint64_t busiest_thread(size_t process, uint64_t used_ns,
                               const struct processes_reading *from,
                               const struct processes_reading *to)
{
    uint64_t busiest = 0;
    bool several = false;
    for (size_t i = 0; i < to->thread_count; i++) {
        const struct thread_reading *thread = &to->threads[i];
        if (thread->process != process)
            continue;
        several = true;
        uint64_t before = thread_before(from, thread);
        if (thread->cpu_ns > before + busiest)
            busiest = thread->cpu_ns - before;
    }
    return several && busiest < used_ns ? busiest : used_ns;
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
        uint64_t busiest = busiest_thread(i, used, from, to);
        *busiest_ns = busiest > *busiest_ns ? busiest : *busiest_ns;
    }
    return sum;
}

size_t processes_threads(const struct processes *processes, const struct processes_reading *reading)
{
    size_t count = processes->count + reading->thread_count;
    for (size_t i = 0; i < reading->thread_count; i++)
        count -= i == 0 || reading->threads[i].process != reading->threads[i - 1].process;
    return count;
}
