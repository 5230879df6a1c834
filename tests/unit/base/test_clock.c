#include "common/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void monotonic_never_goes_back(void **state)
{
    (void)state;
    uint64_t before = clock_now_ns();
    assert_true(before > 0);
    for (int i = 0; i < 10000; i++) {
        uint64_t now = clock_now_ns();
        assert_true(now >= before);
        before = now;
    }
}

static void monotonic_counts_nanoseconds(void **state)
{
    (void)state;
    struct timespec reference;
    uint64_t before = clock_now_ns();
    clock_gettime(CLOCK_MONOTONIC, &reference);
    uint64_t after = clock_now_ns();
    uint64_t between = (uint64_t)reference.tv_sec * 1000000000 + (uint64_t)reference.tv_nsec;
    assert_true(before <= between && between <= after);
}

static void utc_text_is_iso_8601(void **state)
{
    (void)state;
    char text[21];
    time_t before = time(NULL);
    clock_utc_text(text);
    time_t after = time(NULL);

    struct tm utc = {0};
    const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    assert_non_null(end);
    assert_int_equal(*end, '\0');
    assert_int_equal(strlen(text), 20);
    time_t shown = timegm(&utc);
    assert_true(before <= shown && shown <= after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monotonic_never_goes_back),
        cmocka_unit_test(monotonic_counts_nanoseconds),
        cmocka_unit_test(utc_text_is_iso_8601),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
