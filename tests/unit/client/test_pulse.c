#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/pulse.h"

#include "common/base/clock.h"

#define MS    NS_PER_MS
#define BEATS 6

/* Beats of the clock in milliseconds since the start, 0: no more; and what has been lost by then.
 */
static const struct row {
    const char *name;
    uint64_t beats[BEATS];
    uint64_t stalled_ms;
} rows[] = {
    {"on time", {50, 100, 150, 200, 250, 300}, 0},
    {"woken early, by whatever", {10, 11, 12, 60, 61, 100}, 0},
    {"late as on a busy machine", {50, 200, 350, 400}, 0},
    {"a little beyond that", {50, 201, 251}, 101},
    {"stopped for two seconds in the middle", {50, 100, 2150, 2200, 2250}, 2000},
    {"stopped before the first beat", {1050, 1100}, 1000},
    {"stopped behind the last", {50, 100, 600}, 450},
    {"stopped twice", {500, 550, 1000, 1050}, 850},
};

static void test_beats(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t start = 7000 * MS;
        struct pulse pulse;
        pulse_start(&pulse, start);
        for (size_t beat = 0; beat < BEATS && rows[i].beats[beat] > 0; beat++)
            pulse_beat(&pulse, start + rows[i].beats[beat] * MS);
        if (pulse.stalled_ns != rows[i].stalled_ms * MS)
            print_error("%s\n", rows[i].name);
        assert_int_equal(pulse.stalled_ns, rows[i].stalled_ms * MS);
    }
}

static void test_due(void **state)
{
    (void)state;
    struct pulse pulse;
    pulse_start(&pulse, 1000 * MS);
    assert_int_equal(pulse_due(&pulse, 9000 * MS), 1050 * MS);
    assert_int_equal(pulse_due(&pulse, 1020 * MS), 1020 * MS);
    pulse_beat(&pulse, 1050 * MS);
    assert_int_equal(pulse_due(&pulse, 9000 * MS), 1100 * MS);
}

/* What took its time on purpose is no stall; what was lost before it stays. */
static void test_skip(void **state)
{
    (void)state;
    struct pulse pulse;
    pulse_start(&pulse, 0);
    pulse_beat(&pulse, 1050 * MS);
    pulse_skip(&pulse, 5000 * MS);
    pulse_beat(&pulse, 5050 * MS);
    assert_int_equal(pulse.stalled_ns, 1000 * MS);
    pulse_start(&pulse, 6000 * MS);
    assert_int_equal(pulse.stalled_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beats),
        cmocka_unit_test(test_due),
        cmocka_unit_test(test_skip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
