#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/evp/free_memory.h"

#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FILES_MAX    10

struct file {
    const char *name, *text;
};

static const char *const folders[] = {"/proc",
                                      "/proc/self",
                                      "/sys",
                                      "/sys/fs",
                                      "/sys/fs/cgroup",
                                      "/sys/fs/cgroup/box",
                                      "/sys/fs/cgroup/box/inner",
                                      "/sys/fs/cgroup/memory",
                                      "/sys/fs/cgroup/memory/box"};

static void write_file(const char *root, const struct file *file)
{
    char *name = memory_format("%s%s", root, file->name);
    FILE *out = fopen(name, "we");

    assert_non_null(out);
    assert_true(fputs(file->text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    free(name);
}

static void remove_file(const char *root, const char *file_name, int (*take)(const char *))
{
    char *name = memory_format("%s%s", root, file_name);

    assert_int_equal(take(name), 0);
    free(name);
}

/* What is found in a root with these files. */
static uint64_t find_in(const struct file files[FILES_MAX])
{
    char root[] = "/tmp/free_memory_XXXXXX";

    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < COUNT(folders); i++) {
        char *name = memory_format("%s%s", root, folders[i]);
        assert_int_equal(mkdir(name, 0700), 0);
        free(name);
    }
    for (size_t i = 0; i < FILES_MAX && files[i].name; i++)
        write_file(root, &files[i]);
    uint64_t found = free_memory_find(root);
    for (size_t i = 0; i < FILES_MAX && files[i].name; i++)
        remove_file(root, files[i].name, unlink);
    for (size_t i = COUNT(folders); i > 0; i--)
        remove_file(root, folders[i - 1], rmdir);
    assert_int_equal(rmdir(root), 0);
    return found;
}

#define MEMINFO                                                                                    \
    {                                                                                              \
        "/proc/meminfo", "MemTotal:    2000 kB\nMemFree:  100 kB\nMemAvailable:   1000 kB\n"       \
    }

static void test_find(void **state)
{
    static const struct {
        struct file files[FILES_MAX];
        uint64_t found;
    } rows[] = {
        {{{NULL, NULL}}, 0},
        {{MEMINFO}, 1024000},
        /* A group without a limit, and one that no file tells of. */
        {{MEMINFO,
          {"/proc/self/cgroup", "0::/box\n"},
          {"/sys/fs/cgroup/box/memory.max", "max\n"},
          {"/sys/fs/cgroup/box/memory.current", "5000\n"}},
         1024000},
        {{MEMINFO, {"/proc/self/cgroup", "4:memory:/old\n0::/gone\n"}}, 1024000},
        {{MEMINFO, {"/proc/self/cgroup", "nonsense\n:\n::\n\n"}}, 1024000},
        /* A limit, with what files' pages give back. */
        {{MEMINFO,
          {"/proc/self/cgroup", "0::/box\n"},
          {"/sys/fs/cgroup/box/memory.max", "600000\n"},
          {"/sys/fs/cgroup/box/memory.current", "500000\n"},
          {"/sys/fs/cgroup/box/memory.stat", "anon 1\ninactive_file 20000\nactive_file 3\n"}},
         120000},
        /* That of a group around it; and where the group itself is the root of what is seen. */
        {{MEMINFO,
          {"/proc/self/cgroup", "0::/box/inner\n"},
          {"/sys/fs/cgroup/box/inner/memory.max", "900000\n"},
          {"/sys/fs/cgroup/box/inner/memory.current", "100\n"},
          {"/sys/fs/cgroup/box/memory.max", "600000\n"},
          {"/sys/fs/cgroup/box/memory.current", "500000\n"}},
         100000},
        {{MEMINFO,
          {"/proc/self/cgroup", "0::/\n"},
          {"/sys/fs/cgroup/memory.max", "700000\n"},
          {"/sys/fs/cgroup/memory.current", "400000\n"}},
         300000},
        /* The groups of before. In a container the name is one that only the host has. */
        {{MEMINFO,
          {"/proc/self/cgroup", "5:cpu:/box\n4:memory:/box\n0::/\n"},
          {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
          {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "1\n"},
          {"/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "800000\n"},
          {"/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "200000\n"},
          {"/sys/fs/cgroup/memory/box/memory.stat", "inactive_file 9\ntotal_inactive_file 50\n"}},
         600050},
        {{MEMINFO,
          {"/proc/self/cgroup", "4:memory:/host/only\n"},
          {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n"},
          {"/sys/fs/cgroup/memory/memory.usage_in_bytes", "200000\n"}},
         300000},
        /* Nothing is left: that is not the same as not known. */
        {{MEMINFO,
          {"/proc/self/cgroup", "0::/box\n"},
          {"/sys/fs/cgroup/box/memory.max", "600000\n"},
          {"/sys/fs/cgroup/box/memory.current", "700000\n"}},
         1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (find_in(rows[i].files) != rows[i].found)
            fail_msg("row %zu: %llu", i, (unsigned long long)find_in(rows[i].files));
}

static void test_this_host(void **state)
{
    (void)state;
    assert_true(free_memory_find("") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_this_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
