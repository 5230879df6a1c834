#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/base/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int keep_limit(void **state)
{
    static struct rlimit limit;
    *state = &limit;
    return getrlimit(RLIMIT_NOFILE, &limit);
}

static int restore_limit(void **state)
{
    return setrlimit(RLIMIT_NOFILE, *state);
}

static void set_soft(void **state, rlim_t soft)
{
    struct rlimit limit = *(const struct rlimit *)*state;
    limit.rlim_cur = soft;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void test_raise(void **state)
{
    struct rlimit limit;
    set_soft(state, 50);
    descriptors_raise();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_true(limit.rlim_cur == limit.rlim_max);
    descriptors_raise(); /* nothing to raise any more */
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_true(limit.rlim_cur == limit.rlim_max);
}

/* 100 descriptors: 32 for the program itself and 5 a thread are not for connections. */
static void test_suffice(void **state)
{
    static const struct {
        uint64_t connections, threads;
        bool fits;
    } rows[] = {{1, 1, true},   {63, 1, true},  {64, 1, false},    {58, 2, true},
                {59, 2, false}, {1, 14, false}, {100000, 1, false}};
    set_soft(state, 100);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {""};
        bool fits =
            descriptors_suffice(rows[i].connections, rows[i].threads, "--connections", &err);
        assert_int_equal(fits, rows[i].fits);
        assert_int_equal(err.text[0] == '\0', fits);
    }
}

static void test_reason(void **state)
{
    struct error err;
    set_soft(state, 100);
    assert_false(descriptors_suffice(200, 2, "--max-connections", &err));
    assert_string_equal(err.text, "--max-connections: 200 connections need 242 descriptors, and "
                                  "this process may open 100 (ulimit -Hn)");
}

/* Standard input is closed and made good again: output and error are the test's own. */
static void test_hold_standard(void **state)
{
    char byte;
    int kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    (void)state;
    (void)close(STDIN_FILENO);
    descriptors_hold_standard();
    bool is_open = fcntl(STDIN_FILENO, F_GETFD) >= 0;
    ssize_t got = read(STDIN_FILENO, &byte, 1);
    int error = errno, next = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    (void)close(next);
    if (kept >= 0) {
        (void)dup2(kept, STDIN_FILENO);
        (void)close(kept);
    }
    assert_true(is_open);
    assert_int_equal(got, -1);
    assert_int_equal(error, EBADF);
    assert_true(next > STDERR_FILENO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_raise, keep_limit, restore_limit),
        cmocka_unit_test_setup_teardown(test_suffice, keep_limit, restore_limit),
        cmocka_unit_test_setup_teardown(test_reason, keep_limit, restore_limit),
        cmocka_unit_test(test_hold_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
