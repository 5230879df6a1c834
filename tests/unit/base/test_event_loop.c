#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/base/event_loop.h"

#include <event2/event.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

/* A loop that comes with `left` free descriptors, or NULL and its reason. The limit is put back. */
static struct event_base *loop_with(rlim_t left, struct error *err)
{
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int first_free = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(first_free >= 0);
    assert_int_equal(close(first_free), 0);
    struct rlimit low = {.rlim_cur = (rlim_t)first_free + left, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    struct event_base *base = event_loop_new(err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    return base;
}

/* The process lives on, with each number of descriptors that is too small. */
static void test_no_descriptor(void **state)
{
    (void)state;
    for (rlim_t left = 0; left < EVENT_LOOP_DESCRIPTORS; left++) {
        struct error err = {""};
        assert_null(loop_with(left, &err));
        assert_string_equal(err.text, "no free descriptor (EMFILE)");
    }
}

/* No more are needed than the header says. */
static void test_just_enough(void **state)
{
    (void)state;
    struct error err = {""};
    struct event_base *base = loop_with(EVENT_LOOP_DESCRIPTORS, &err);
    assert_non_null(base);
    assert_string_equal(err.text, "");
    event_base_free(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_descriptor),
        cmocka_unit_test(test_just_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
