#include "server/outcomes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static uint64_t count_of(const struct outcomes *outcomes, const char *text)
{
    for (size_t i = 0; i < outcomes->count; i++) {
        if (strcmp(outcomes->rows[i].text, text) == 0)
            return counter_read(&outcomes->rows[i].count);
    }
    return 0;
}

static void test_same_text_adds_up(void **state)
{
    struct outcomes outcomes = {0};
    (void)state;
    outcomes_add(&outcomes, "closed", 1);
    outcomes_add(&outcomes, "reset", 5);
    outcomes_add(&outcomes, "closed", 2);
    assert_int_equal(outcomes.count, 2);
    assert_int_equal(count_of(&outcomes, "closed"), 3);
    assert_int_equal(count_of(&outcomes, "reset"), 5);
}

static void test_too_many_texts_are_other(void **state)
{
    struct outcomes outcomes = {0};
    char text[32];
    (void)state;
    for (int i = 0; i < 2 * OUTCOME_ROWS; i++) {
        (void)snprintf(text, sizeof text, "alert %d", i);
        outcomes_add(&outcomes, text, 1);
    }
    outcomes_add(&outcomes, "alert 3", 1);
    assert_int_equal(outcomes.count, OUTCOME_ROWS);
    assert_int_equal(count_of(&outcomes, "alert 3"), 2);
    assert_int_equal(count_of(&outcomes, "other"), OUTCOME_ROWS + 1);
}

static void test_long_text_is_cut_and_found_again(void **state)
{
    struct outcomes outcomes = {0};
    char text[2 * OUTCOME_TEXT];
    (void)state;
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    outcomes_add(&outcomes, text, 1);
    outcomes_add(&outcomes, text, 1);
    assert_int_equal(outcomes.count, 1);
    assert_int_equal(strlen(outcomes.rows[0].text), OUTCOME_TEXT - 1);
}

static void test_merge(void **state)
{
    struct outcomes a = {0}, b = {0}, sum = {0};
    (void)state;
    outcomes_add(&a, "closed", 1);
    outcomes_add(&b, "reset", 2);
    outcomes_add(&b, "closed", 3);
    outcomes_merge(&sum, &a);
    outcomes_merge(&sum, &b);
    assert_int_equal(count_of(&sum, "closed"), 4);
    assert_int_equal(count_of(&sum, "reset"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_text_adds_up),
        cmocka_unit_test(test_too_many_texts_are_other),
        cmocka_unit_test(test_long_text_is_cut_and_found_again),
        cmocka_unit_test(test_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
