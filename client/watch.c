#include "client/watch.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static bool contains(const struct cpu_list *list, int cpu)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->cpus[i] == cpu)
            return true;
    }
    return false;
}

static void add(struct cpu_list *list, const struct cpu_list *more, const struct cpu_list *without)
{
    for (size_t i = 0; i < more->count; i++) {
        if (list->count < HOST_CPUS_MAX && !contains(list, more->cpus[i]) &&
            !contains(without, more->cpus[i]))
            list->cpus[list->count++] = more->cpus[i];
    }
}

static void read_told(const json_t *configuration, struct cpu_list *told)
{
    size_t index;
    const json_t *cpu;
    json_array_foreach(json_object_get(configuration, "cpus"), index, cpu)
    {
        if (told->count < HOST_CPUS_MAX)
            told->cpus[told->count++] = (int)json_integer_value(cpu);
    }
}

/* A server may bind each of its threads elsewhere. */
static void add_threads(struct cpu_list *list, pid_t pid)
{
    static const struct cpu_list none = {.count = 0};
    char path[64];
    struct dirent *entry;
    struct cpu_list cpus;
    (void)snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *task = opendir(path);
    while (task && (entry = readdir(task))) {
        if (isdigit((unsigned char)entry->d_name[0]) &&
            host_cpus_of((pid_t)strtol(entry->d_name, NULL, 10), &cpus, NULL))
            add(list, &cpus, &none);
    }
    if (task)
        closedir(task);
}

void watch_choose(const struct cpu_list *client, const struct cpu_list *allowed, bool here,
                  const json_t *configuration, const struct processes *processes,
                  struct watch *watch)
{
    static const struct cpu_list none = {.count = 0};
    struct cpu_list server = {.count = 0};
    *watch = (struct watch){.server_cpus = 0};
    read_told(configuration, &server);
    watch->server_cpus = (unsigned)server.count;
    add(&watch->steal, client->count > 0 ? client : allowed, here ? &server : &none);
    for (size_t i = 0; server.count == 0 && i < processes->count; i++)
        add_threads(&server, processes->pids[i]);
    if (!here || client->count == 0 || server.count == 0)
        return;
    add(&watch->busy, client, &none);
    add(&watch->busy, &server, &none);
}
