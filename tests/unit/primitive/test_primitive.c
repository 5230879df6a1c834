#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/primitive/cost.h"
#include "common/primitive/timed_loop.h"

#include "common/base/clock.h"

#include <openssl/provider.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Every row in every operation and shape that its class has, at sizes around block borders: what
 * the library has must pass its own proof, twice in the timed loop too. */
static const size_t sizes[] = {1, 13, 16, 31, 64, 1000, 16384};

struct tally {
    size_t proved, impossible;
};

static void prove(const struct primitive_case *what, struct key_ring *keys, struct tally *tally)
{
    struct primitive_task task;
    struct timed_batch batch;
    struct error err = {""};
    char name[PRIMITIVE_NAME];

    if (!primitive_possible(what, &err)) {
        assert_true(strlen(err.text) > 0);
        tally->impossible++;
        return;
    }
    if (!primitive_open(&task, what, keys, &err))
        fail_msg("%s %s %s %zu: %s", primitive_name(what, name),
                 primitive_operation_name(what->operation), primitive_shape_name(what->shape),
                 what->size, err.text);
    assert_true(timed_loop_run(&task, 3, &batch, &err));
    assert_int_equal(batch.count, 3);
    assert_true(strlen(task.verified) > 0 || what->primitive->class->family == FAMILY_YARDSTICK);
    primitive_close(&task);
    tally->proved++;
}

static void prove_sizes(struct primitive_case what, struct key_ring *keys, struct tally *tally)
{
    if (!what.primitive->class->sized) {
        what.bits = what.primitive->bits_open ? 1024 : 0;
        prove(&what, keys, tally);
        return;
    }
    for (size_t i = 0; i < COUNT(sizes); i++) {
        what.size = sizes[i];
        prove(&what, keys, tally);
    }
}

static void test_every_row(void **state)
{
    struct key_ring keys = {0};
    struct tally tally = {0};
    const struct primitive *row;

    (void)state;
    for (size_t i = 0; (row = primitive_at(i)) != NULL; i++) {
        for (int operation = 0; operation < OPERATION_COUNT; operation++)
            for (int shape = 0; shape < SHAPE_COUNT; shape++)
                if ((row->class->operations & PRIMITIVE_BIT(operation)) &&
                    (row->class->shapes & PRIMITIVE_BIT(shape)))
                    prove_sizes(
                        (struct primitive_case){.primitive = row,
                                                .operation = (enum primitive_operation)operation,
                                                .shape = (enum primitive_shape)shape},
                        &keys, &tally);
    }
    key_ring_cleanup(&keys);
    assert_true(tally.proved > 1000);
    assert_true(tally.impossible > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row),
    };
    OSSL_PROVIDER *legacy = OSSL_PROVIDER_try_load(NULL, "legacy", 1);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);

    OSSL_PROVIDER_unload(legacy);
    return failures;
}
