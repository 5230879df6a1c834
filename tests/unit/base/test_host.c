#include "common/base/clock.h"
#include "common/base/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

static struct cpu_list allowed_cpus(void)
{
    struct cpu_list allowed;
    struct error err = {0};
    assert_true(host_allowed_cpus(&allowed, &err));
    return allowed;
}

static void allowed_cpus_ascend(void **state)
{
    (void)state;
    struct cpu_list allowed = allowed_cpus();
    cpu_set_t mask;
    assert_int_equal(sched_getaffinity(0, sizeof mask, &mask), 0);
    assert_int_equal(allowed.count, CPU_COUNT(&mask));
    assert_true(allowed.count > 0);
    for (size_t i = 0; i < allowed.count; i++) {
        assert_true(CPU_ISSET(allowed.cpus[i], &mask));
        assert_true(i == 0 || allowed.cpus[i - 1] < allowed.cpus[i]);
    }
}

/* The rows name CPUs by their place in the allowed list, so that they hold on every machine. */
static void parses_allowed_cpus(void **state)
{
    (void)state;
    struct cpu_list allowed = allowed_cpus(), list;
    struct error err = {0};
    char text[64];
    int first = allowed.cpus[0], last = allowed.cpus[allowed.count - 1];

    snprintf(text, sizeof text, "%d", first);
    assert_true(host_parse_cpus(text, &list, &err));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.cpus[0], first);

    snprintf(text, sizeof text, "%d,%d,%d-%d", last, first, last, last);
    assert_true(host_parse_cpus(text, &list, &err));
    assert_int_equal(list.count, first == last ? 1 : 2);
    assert_int_equal(list.cpus[0], first);
    assert_int_equal(list.cpus[list.count - 1], last);

    if ((size_t)(last - first) + 1 == allowed.count) {
        snprintf(text, sizeof text, "%d-%d", first, last);
        assert_true(host_parse_cpus(text, &list, &err));
        assert_int_equal(list.count, allowed.count);
        assert_memory_equal(list.cpus, allowed.cpus, list.count * sizeof list.cpus[0]);
    }
}

static void refuses_other_cpus(void **state)
{
    static const char *const rows[] = {
        "",   ",",  "0,",    "0,,0", "-1",    "0-",  "1-0", "a",   "0x0",
        " 0", "0 ", "0-0-0", "1024", "99999", "0;1", "+0",  "0.0", "00000000000000",
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct cpu_list list;
        struct error err = {0};
        if (host_parse_cpus(rows[i], &list, &err) ||
            strstr(err.text, "is not a list of CPUs") == NULL) {
            fail_msg("\"%s\": %s", rows[i], err.text);
        }
    }
    struct cpu_list allowed = allowed_cpus(), list;
    struct error err = {0};
    char text[16], reason[64];
    int beyond = allowed.cpus[allowed.count - 1] + 1;
    snprintf(text, sizeof text, "%d", beyond);
    snprintf(reason, sizeof reason, "CPU %d is not there", beyond);
    assert_false(host_parse_cpus(text, &list, &err));
    assert_non_null(strstr(err.text, reason));
}

static void siblings_are_other_cpus(void **state)
{
    (void)state;
    struct cpu_list allowed = allowed_cpus();
    for (size_t i = 0; i < allowed.count; i++) {
        int a = allowed.cpus[0], b = allowed.cpus[i];
        assert_int_equal(host_are_siblings(a, b), host_are_siblings(b, a));
        assert_false(host_are_siblings(b, b));
    }
    assert_false(host_are_siblings(0, HOST_CPUS_MAX));
    assert_false(host_are_siblings(0, -1));
    assert_false(host_are_siblings(-1, 0));
}

static void two_cores_are_distinct_where_there_are_two(void **state)
{
    (void)state;
    struct cpu_list allowed = allowed_cpus(), one = {.cpus = {allowed.cpus[0]}, .count = 1};
    int first = -1, second = -1;
    bool distinct = false, siblings = true;
    host_two_cores(&allowed, &first, &second, &distinct, &siblings);
    assert_int_equal(first, allowed.cpus[0]);
    assert_int_equal(distinct, allowed.count > 1);
    assert_int_equal(distinct, first != second);
    assert_int_equal(siblings, host_are_siblings(first, second));
    for (size_t i = 1; siblings && i < allowed.count; i++) {
        assert_true(host_are_siblings(first, allowed.cpus[i]));
    }
    host_two_cores(&one, &first, &second, &distinct, &siblings);
    assert_int_equal(first, second);
    assert_false(distinct);
    assert_false(siblings);
}

static void pins_the_thread(void **state)
{
    (void)state;
    cpu_set_t before, now;
    struct error err = {0};
    struct cpu_list allowed = allowed_cpus();
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    int last = allowed.cpus[allowed.count - 1];
    assert_true(host_pin_thread(last, &err));
    assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
    assert_int_equal(CPU_COUNT(&now), 1);
    assert_true(CPU_ISSET(last, &now));
    assert_int_equal(sched_getcpu(), last);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);

    static const int wrong[] = {-1, HOST_CPUS_MAX, HOST_CPUS_MAX - 1};
    for (size_t i = 0; i < ROWS(wrong); i++) {
        err.text[0] = '\0';
        assert_false(host_pin_thread(wrong[i], &err));
        assert_true(err.text[0] != '\0');
    }
}

static void steal_adds_up(void **state)
{
    (void)state;
    struct cpu_list allowed = allowed_cpus(), none = {.count = 0};
    uint64_t before = host_steal_ns(&allowed), sum = 0;
    for (size_t i = 0; i < allowed.count; i++) {
        struct cpu_list one = {.cpus = {allowed.cpus[i]}, .count = 1};
        sum += host_steal_ns(&one);
    }
    assert_true(before <= sum && sum <= host_steal_ns(&allowed));
    assert_int_equal(host_steal_ns(&none), 0);
}

/* No CPU is free for longer than time passes, but for the ticks; and another one's time is not in
 * it. */
static void free_time_passes_with_the_clock(void **state)
{
    (void)state;
    struct cpu_list allowed = allowed_cpus(), none = {.count = 0}, nowhere = allowed;
    uint64_t before, after, start = clock_now_ns();
    assert_true(host_free_ns(&allowed, &before));
    while (clock_now_ns() < start + 100 * NS_PER_MS)
        ;
    assert_true(host_free_ns(&allowed, &after));
    uint64_t most = (clock_now_ns() - start + 60 * NS_PER_MS) * allowed.count;
    assert_true(after <= before + most);
    assert_true(before <= after + most); /* the kernel's estimate may go back a little */
    assert_false(host_free_ns(&none, &after));
    nowhere.cpus[0] = HOST_CPUS_MAX;
    assert_false(host_free_ns(&nowhere, &after));
}

/* Wide bounds: only that the work is done (the compiler has not removed it) and is short. */
static void fixed_work_takes_time(void **state)
{
    (void)state;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t before = clock_now_ns();
        uint64_t work = host_fixed_work_ns();
        assert_true(work <= clock_now_ns() - before);
        least = work < least ? work : least;
    }
    assert_true(least > NS_PER_MS / 10);
    assert_true(least < NS_PER_S);
}

static void facts_have_their_types(void **state)
{
    (void)state;
    json_t *facts = host_facts();
    assert_non_null(facts);
    static const struct {
        const char *name;
        json_type type;
        bool may_be_null;
    } rows[] = {
        {"cpu", JSON_STRING, true},      {"features", JSON_ARRAY, true},
        {"cores", JSON_INTEGER, false},  {"kernel", JSON_STRING, false},
        {"governor", JSON_STRING, true}, {"allocator", JSON_STRING, false},
    };
    assert_int_equal(json_object_size(facts), ROWS(rows));
    for (size_t i = 0; i < ROWS(rows); i++) {
        json_t *value = json_object_get(facts, rows[i].name);
        assert_non_null(value);
        if (!(rows[i].may_be_null && json_is_null(value))) {
            assert_int_equal(json_typeof(value), rows[i].type);
        }
        if (json_is_string(value)) {
            assert_true(json_string_length(value) > 0);
            assert_null(strchr(json_string_value(value), '\n'));
        }
    }
    assert_int_equal(json_integer_value(json_object_get(facts, "cores")), allowed_cpus().count);
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allowed_cpus_ascend),
        cmocka_unit_test(parses_allowed_cpus),
        cmocka_unit_test(refuses_other_cpus),
        cmocka_unit_test(siblings_are_other_cpus),
        cmocka_unit_test(two_cores_are_distinct_where_there_are_two),
        cmocka_unit_test(pins_the_thread),
        cmocka_unit_test(steal_adds_up),
        cmocka_unit_test(free_time_passes_with_the_clock),
        cmocka_unit_test(fixed_work_takes_time),
        cmocka_unit_test(facts_have_their_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
