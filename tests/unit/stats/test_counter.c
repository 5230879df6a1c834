/* A threaded test: one thread writes a counter while another reads it. */
#include "common/stats/counter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#define ADDED 200000

static void counts(void **state)
{
    (void)state;
    counter c = 0;
    assert_int_equal(counter_read(&c), 0);
    counter_add(&c, 3);
    counter_add(&c, UINT64_C(1) << 40);
    assert_true(counter_read(&c) == (UINT64_C(1) << 40) + 3);
}

static void *add(void *argument)
{
    for (int i = 0; i < ADDED; i++) {
        counter_add(argument, 2);
    }
    return NULL;
}

/* The reader sees only whole steps, never one back, and after the join all of them. */
static void reader_sees_it_grow(void **state)
{
    (void)state;
    counter c = 0;
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, add, (void *)&c), 0);
    uint64_t before = 0;
    for (int i = 0; i < ADDED; i++) {
        uint64_t now = counter_read(&c);
        assert_true(now >= before && now % 2 == 0);
        before = now;
    }
    pthread_join(writer, NULL);
    assert_int_equal(counter_read(&c), 2 * ADDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(reader_sees_it_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
