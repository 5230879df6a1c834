#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/base/clock.h"
#include "common/primitive/timed_loop.h"

#define BATCH_NS NS_PER_MS

/* An operation of a few nanoseconds, in whose run of so many the CPU is once another's. */
struct disturbed {
    uint64_t at, late_ns;
    unsigned calls;
};

static uint64_t run(void *state, uint64_t count)
{
    struct disturbed *disturbed = state;
    uint64_t start = clock_now_ns();

    disturbed->calls++;
    for (volatile uint64_t i = 0; i < count; i++)
        continue;
    if (count == disturbed->at) {
        while (clock_now_ns() - start < disturbed->late_ns)
            continue;
        disturbed->at = 0;
    }
    return count;
}

static void size(struct disturbed *disturbed, uint64_t *count)
{
    struct primitive_task task = {.run = run, .state = disturbed};
    struct error err;

    assert_true(timed_loop_size(&task, BATCH_NS, count, &err));
}

/* Batches do not come out a thousand times too short, where the clock around them would count. */
static void test_a_disturbance_is_no_size(void **state)
{
    static const uint64_t at[] = {1, 2, 16, 128};
    uint64_t count;

    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        struct disturbed disturbed = {.at = at[i], .late_ns = 15 * NS_PER_MS};
        size(&disturbed, &count);
        assert_true(count > 1000);
    }
}

/* What takes long anyhow is not done again. */
static void test_a_long_operation_is_timed_once(void **state)
{
    struct disturbed disturbed = {.at = 1, .late_ns = NS_PER_S};
    uint64_t count;

    (void)state;
    size(&disturbed, &count);
    assert_int_equal(count, 1);
    assert_int_equal(disturbed.calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_disturbance_is_no_size),
        cmocka_unit_test(test_a_long_operation_is_timed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
