#include "tests/fuzz/http_head_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>

/* The fuzz target's promises over its corpus, in every build. */

#define CORPUS TEST_SOURCE_DIR "/tests/corpus/http_head"

static bool check_file(const char *name)
{
    char path[1024], data[65536];
    assert_true(snprintf(path, sizeof path, CORPUS "/%s", name) < (int)sizeof path);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    for (size_t part = 0; part <= size; part += size / 64 + 1)
        check_http_input(data, part);
    check_http_input(data, size);
    return size > 0;
}

static void test_corpus(void **state)
{
    size_t files = 0;
    struct dirent *entry;
    (void)state;
    DIR *folder = opendir(CORPUS);
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.')
            files += check_file(entry->d_name);
    }
    closedir(folder);
    assert_true(files >= 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
