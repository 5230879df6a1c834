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

/* Rows that have no vector: there is none in the standard that is short enough, or none at all. Of
 * a name that ends in '*' all rows that begin so. */
static const char *const without_vector[] = {
    "aes-192-ccm",
    "aes-256-ccm",
    "aes-192-ocb",
    "aes-256-ocb",
    "aes-192-siv",
    "aes-256-siv",
    "aes-192-gcm-siv",
    "aes-128-cbc-*",
    "aes-256-cbc-*",
    "aria-128-ccm",
    "aria-192-ccm",
    "aria-256-ccm",
    "aria-128-gcm",
    "aria-192-gcm",
    "aria-256-gcm",
    "ecdsa-brainpool*",
    "ecdsa-secp1*",
    "ecdsa-secp2*",
    "ecdsa-sect*",
    "ffdhe*",
    "p-224",
    "secp256k1",
    "rsa-kex",
    "ml-*",
    "x25519mlkem768",
    "secp256r1mlkem768",
    "secp384r1mlkem1024",
};

static bool is_without_vector(const char *name)
{
    for (size_t i = 0; i < COUNT(without_vector); i++) {
        size_t length = strcspn(without_vector[i], "*");
        bool all = without_vector[i][length] == '*';
        if (strncmp(name, without_vector[i], length) == 0 && (all || name[length] == '\0'))
            return true;
    }
    return false;
}

/* What another library computes is compared with EVP's. */
static void expect_vector(const struct primitive_task *task)
{
    const struct primitive *row = task->what.primitive;
    bool wanted = strcmp(row->class->backend, "evp") == 0 &&
                  row->class->family != FAMILY_YARDSTICK && !is_without_vector(row->name);

    if (wanted != (strstr(task->verified, " vector") != NULL))
        fail_msg("%s: %s", row->name, task->verified);
    if (strstr(row->name, "-cbc-hmac-") && !strstr(task->verified, "AES-CBC and HMAC apart"))
        fail_msg("%s: %s", row->name, task->verified);
}

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
    expect_vector(&task);
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
