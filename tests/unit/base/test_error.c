#include "common/base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void reason_is_written(void **state)
{
    (void)state;
    struct error err = {0};
    assert_false(error_set(&err, "suite %s refused: %d", "X", 7));
    assert_string_equal(err.text, "suite X refused: 7");
    assert_false(error_prefix(&err, "case %d", 3));
    assert_string_equal(err.text, "case 3: suite X refused: 7");
}

static void null_is_allowed(void **state)
{
    (void)state;
    assert_false(error_set(NULL, "x %d", 1));
    assert_false(error_prefix(NULL, "x"));
}

static void arguments_may_point_into_the_reason(void **state)
{
    (void)state;
    struct error err = {0};
    error_set(&err, "inner");
    error_set(&err, "outer (%s)", err.text);
    assert_string_equal(err.text, "outer (inner)");
    error_prefix(&err, "%s again", err.text);
    assert_string_equal(err.text, "outer (inner) again: outer (inner)");
}

static void reason_is_one_clean_line(void **state)
{
    static const struct {
        const char *given, *kept;
    } rows[] = {
        {"line\n", "line"},        {"two\nlines\n\n", "two lines"},
        {"tab\there", "tab here"}, {"\033[31mred", "?[31mred"},
        {"del\x7f", "del?"},       {"27 µs", "27 µs"},
        {"", "no reason given"},   {"\n", "no reason given"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {0};
        error_set(&err, "%s", rows[i].given);
        assert_string_equal(err.text, rows[i].kept);
    }
}

/* The cut falls before, inside and behind a character of two bytes. */
static void long_reason_is_cut_between_characters(void **state)
{
    (void)state;
    for (size_t lead = sizeof((struct error *)0)->text - 4; lead < 511; lead++) {
        char given[700] = "";
        memset(given, 'a', lead);
        strncat(given, "µµµµ", sizeof given - lead - 1);
        struct error err = {0};
        error_set(&err, "%s", given);
        size_t length = strlen(err.text);
        assert_in_range(length, 508, 511);
        assert_true((length - lead) % 2 == 0);
        assert_memory_equal(err.text, given, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reason_is_written),
        cmocka_unit_test(null_is_allowed),
        cmocka_unit_test(arguments_may_point_into_the_reason),
        cmocka_unit_test(reason_is_one_clean_line),
        cmocka_unit_test(long_reason_is_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
