#include "common/base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void new_is_zeroed(void **state)
{
    (void)state;
    unsigned char *bytes = memory_new(100, 3);
    for (size_t i = 0; i < 300; i++) {
        assert_int_equal(bytes[i], 0);
    }
    free(bytes);
}

static void nothing_is_not_null(void **state)
{
    (void)state;
    void *a = memory_new(0, 8), *b = memory_grow(NULL, 0, 8);
    assert_non_null(a);
    assert_non_null(b);
    free(a);
    free(b);
}

static void grow_keeps_what_was_there(void **state)
{
    (void)state;
    int *numbers = memory_grow(NULL, 2, sizeof *numbers);
    numbers[0] = 4;
    numbers[1] = 5;
    numbers = memory_grow(numbers, 1000, sizeof *numbers);
    assert_int_equal(numbers[0], 4);
    assert_int_equal(numbers[1], 5);
    free(numbers);
}

static void texts(void **state)
{
    (void)state;
    char *copy = memory_copy_text("abc"), *made = memory_format("%s-%d", copy, 9);
    assert_string_equal(copy, "abc");
    assert_string_equal(made, "abc-9");
    free(copy);
    free(made);
}

static void overflow_new(void)
{
    free(memory_new(SIZE_MAX / 2, 4));
}

static void overflow_grow(void)
{
    free(memory_grow(NULL, SIZE_MAX / 2, 4));
}

/* In a child, whose message is caught: one clear line, then abort. */
static void overflow_ends_the_program(void **state)
{
    static void (*const overflows[])(void) = {overflow_new, overflow_grow};
    (void)state;
    for (size_t i = 0; i < sizeof overflows / sizeof overflows[0]; i++) {
        int message[2];
        assert_int_equal(pipe(message), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            signal(SIGABRT, SIG_DFL);
            dup2(message[1], STDERR_FILENO);
            overflows[i]();
            _exit(0);
        }
        close(message[1]);
        char text[4096] = "";
        ssize_t length = read(message[0], text, sizeof text - 1);
        close(message[0]);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(length > 0);
        /* A sanitizer's allocator may end the program itself. */
        assert_true(status != 0);
        if (WIFSIGNALED(status)) {
            assert_int_equal(WTERMSIG(status), SIGABRT);
            assert_string_equal(text, "suitemark: out of memory\n");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_is_zeroed),
        cmocka_unit_test(nothing_is_not_null),
        cmocka_unit_test(grow_keeps_what_was_there),
        cmocka_unit_test(texts),
        cmocka_unit_test(overflow_ends_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
