#include "client/evp/free_memory.h"

#include "common/base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_ROOM 4096

/* The first line of a file that begins with `key`, without its end; false: none. */
static bool find_line(const char *root, const char *path, const char *key,
                      char line[static LINE_ROOM])
{
    char *name = memory_format("%s%s", root, path);
    FILE *file = fopen(name, "re");
    bool found = false;

    while (file && !found && fgets(line, LINE_ROOM, file))
        found = strncmp(line, key, strlen(key)) == 0;
    if (file)
        (void)fclose(file);
    free(name);
    if (found)
        line[strcspn(line, "\n")] = '\0';
    return found;
}

/* The number behind `key`. What is none, as "max" for no limit, is not found. */
static bool find_number(const char *root, const char *path, const char *key, uint64_t *number)
{
    char line[LINE_ROOM];

    if (!find_line(root, path, key, line))
        return false;
    const char *digits = line + strlen(key) + strspn(line + strlen(key), " \t");
    *number = strtoull(digits, NULL, 10);
    return isdigit((unsigned char)*digits);
}

/* Where the two kinds of control groups tell of memory. In both, files' pages that nobody uses now
 * count as used, but make room. */
static const struct layout {
    const char *controller; /* in /proc/self/cgroup */
    const char *folder, *limit, *used, *idle;
} layouts[] = {
    {"", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
    {"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
};

static bool find_in_group(const char *root, const struct layout *layout, const char *group,
                          const char *file, const char *key, uint64_t *number)
{
    char *path = memory_format("%s%s/%s", layout->folder, group, file);
    bool found = find_number(root, path, key, number);

    free(path);
    return found;
}

/* Lowers *least to what a group leaves of its limit. */
static void look_at_group(const char *root, const struct layout *layout, const char *group,
                          uint64_t *least)
{
    uint64_t limit, used, idle = 0;

    if (!find_in_group(root, layout, group, layout->limit, "", &limit) ||
        !find_in_group(root, layout, group, layout->used, "", &used))
        return;
    (void)find_in_group(root, layout, group, "memory.stat", layout->idle, &idle);
    used -= idle < used ? idle : used;
    uint64_t left = limit > used ? limit - used : 1; /* 0 would be "not known" */
    *least = left < *least ? left : *least;
}

/* The group of a line such as "4:memory:/box/inner", where it is of this controller; else NULL. */
static char *group_of(char *line, const char *controller)
{
    char *name = strchr(line, ':'), *group = name ? strchr(name + 1, ':') : NULL;

    if (!group)
        return NULL;
    *group = '\0';
    return strcmp(name + 1, controller) == 0 ? group + 1 : NULL;
}

/* The group that this process is in, and all that it is in; the outermost has no name. */
static void look_at_groups(const char *root, const struct layout *layout, uint64_t *least)
{
    char *name = memory_format("%s/proc/self/cgroup", root), line[LINE_ROOM], *group, *end;
    FILE *file = fopen(name, "re");

    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!(group = group_of(line, layout->controller)))
            continue;
        for (look_at_group(root, layout, group, least); (end = strrchr(group, '/')) != NULL;) {
            *end = '\0';
            look_at_group(root, layout, group, least);
        }
    }
    if (file)
        (void)fclose(file);
    free(name);
}

uint64_t free_memory_find(const char *root)
{
    uint64_t kilobytes, least = UINT64_MAX;

    if (find_number(root, "/proc/meminfo", "MemAvailable:", &kilobytes))
        least = kilobytes * 1024;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        look_at_groups(root, &layouts[i], &least);
    return least == UINT64_MAX ? 0 : least;
}
