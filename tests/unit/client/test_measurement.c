#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/measurement.h"
#include "client/pace.h"
#include "common/base/clock.h"

#include <stdlib.h>

static void add_round(struct case_measurement *m, uint64_t count)
{
    m->rounds[m->round_count++] = (struct round){.confirmed = count};
    m->client_split.user_ns += count;
    m->client_split.system_ns += 10 * count;
    m->server_split.user_ns += 100 * count;
    m->server_split.system_ns += 1000 * count;
    m->confirmed += count;
}

static void assert_sum(const struct case_measurement *m, uint64_t count)
{
    assert_int_equal(m->client_split.user_ns, count);
    assert_int_equal(m->client_split.system_ns, 10 * count);
    assert_int_equal(m->server_split.user_ns, 100 * count);
    assert_int_equal(m->server_split.system_ns, 1000 * count);
}

static int setup(void **state)
{
    struct case_measurement *m = calloc(1, sizeof *m);
    if (m)
        add_round(m, 3);
    *state = m;
    return m == NULL;
}

static int teardown(void **state)
{
    free(*state);
    return 0;
}

/* A second try that gives a round stands in the first one's place, also in the split. */
static void second_try_counts(void **state)
{
    struct case_measurement *m = *state;
    struct measurement_mark before = measurement_mark(m);
    struct measurement_part first;
    add_round(m, 5);
    measurement_cut(m, &before, &first);
    assert_int_equal(m->round_count, 1);
    assert_sum(m, 3);
    add_round(m, 7);
    assert_int_equal(m->rounds[1].confirmed, 7);
    assert_sum(m, 10);
    assert_int_equal(m->confirmed, 15); /* whole slots: both tries */
}

/* One that was interrupted gives none: the first one's stays. */
static void first_try_is_kept(void **state)
{
    struct case_measurement *m = *state;
    struct measurement_mark before = measurement_mark(m);
    struct measurement_part first;
    add_round(m, 5);
    measurement_cut(m, &before, &first);
    measurement_put_back(m, &first);
    assert_int_equal(m->round_count, 2);
    assert_int_equal(m->rounds[1].confirmed, 5);
    assert_sum(m, 8);
}

static void nothing_to_cut(void **state)
{
    struct case_measurement *m = *state;
    struct measurement_mark before = measurement_mark(m);
    struct measurement_part none;
    measurement_cut(m, &before, &none);
    measurement_put_back(m, &none);
    assert_int_equal(m->round_count, 1);
    assert_sum(m, 3);
}

static void late(void **state)
{
    static const struct {
        const char *what;
        struct pace pace;
        bool late;
    } rows[] = {
        {"just in time", {80 * NS_PER_S, 60 * NS_PER_S, NS_PER_S, 20}, false},
        {"a second over", {80 * NS_PER_S, 61 * NS_PER_S, NS_PER_S, 20}, false},
        {"more than that", {80 * NS_PER_S, 61 * NS_PER_S + 1, NS_PER_S, 20}, true},
        {"nothing left to do", {80 * NS_PER_S, 80 * NS_PER_S, NS_PER_S, 0}, false},
        {"windows of a fixed length", {0, 900 * NS_PER_S, NS_PER_S, 20}, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].what);
        assert_int_equal(pace_is_late(&rows[i].pace), rows[i].late);
    }
}

static void one_in_five_is_repeated(void **state)
{
    (void)state;
    assert_false(pace_may_repeat(0, 0));
    assert_true(pace_may_repeat(0, 1));
    assert_false(pace_may_repeat(1, 5));
    assert_true(pace_may_repeat(1, 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(second_try_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(first_try_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_to_cut, setup, teardown),
        cmocka_unit_test(late),
        cmocka_unit_test(one_in_five_is_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
