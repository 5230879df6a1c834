#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/primitive/cost.h"

#include "common/base/clock.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_cases_from_texts(void **state)
{
    static const struct {
        const char *text, *name;
        enum primitive_operation operation;
        enum primitive_shape shape;
        size_t size;
        unsigned bits;
    } rows[] = {
        {"rsa-2048 sign", "rsa-2048", OPERATION_SIGN, SHAPE_MESSAGE, 0, 2048},
        {"RSA-PSS-3072 verify", "rsa-pss-3072", OPERATION_VERIFY, SHAPE_MESSAGE, 0, 3072},
        {"rsa-kex-2048 decrypt", "rsa-kex-2048", OPERATION_DECRYPT, SHAPE_MESSAGE, 0, 2048},
        {"x25519 keygen", "x25519", OPERATION_KEYGEN, SHAPE_ONESHOT, 0, 0},
        {"p-256 message derive", "p-256", OPERATION_DERIVE, SHAPE_MESSAGE, 0, 0},
        {"aes-128-gcm encrypt 16k", "aes-128-gcm", OPERATION_ENCRYPT, SHAPE_RECORD, 16384, 0},
        {"AES-128-CBC 64 decrypt", "aes-128-cbc", OPERATION_DECRYPT, SHAPE_MESSAGE, 64, 0},
        {"des-ede3-cbc 64 decrypt", "3des-cbc", OPERATION_DECRYPT, SHAPE_MESSAGE, 64, 0},
        {"sha256 64", "sha256", OPERATION_DIGEST, SHAPE_MESSAGE, 64, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct primitive_case what;
        struct error err = {""};
        char name[PRIMITIVE_NAME];
        if (!primitive_case_parse(rows[i].text, &what, &err))
            fail_msg("%s: %s", rows[i].text, err.text);
        assert_string_equal(primitive_name(&what, name), rows[i].name);
        assert_int_equal(what.operation, rows[i].operation);
        assert_int_equal(what.shape, rows[i].shape);
        assert_int_equal(what.size, rows[i].size);
        assert_int_equal(what.bits, rows[i].bits);
    }
}

static void test_refused_texts(void **state)
{
    static const struct {
        const char *text, *reason;
    } rows[] = {
        {"", "no primitive"},
        {"nosuch sign", "unknown primitive \"nosuch\""},
        {"rsa sign", "unknown primitive"},
        {"rsa-2048", "which operation"},
        {"aes-128-gcm encrypt 16q", "16q"},
        {"aes-128-gcm encrypt streem 16", "did you mean stream"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct primitive_case what;
        struct error err = {""};
        assert_false(primitive_case_parse(rows[i].text, &what, &err));
        if (!strstr(err.text, rows[i].reason))
            fail_msg("%s: %s", rows[i].text, err.text);
    }
}

static double cost_of(const char *text, struct key_ring *keys)
{
    struct primitive_case what;
    struct error err = {""};
    double ns = 0;

    if (!primitive_case_parse(text, &what, &err) ||
        !primitive_cost(&what, keys, 10 * NS_PER_MS, &ns, &err))
        fail_msg("%s: %s", text, err.text);
    return ns;
}

/* Differences that no machine turns around. */
static void test_costs_are_in_order(void **state)
{
    struct key_ring keys = {0};

    (void)state;
    assert_true(cost_of("nothing nothing", &keys) > 0);
    assert_true(cost_of("nothing nothing", &keys) < cost_of("sha256 64", &keys));
    assert_true(cost_of("aes-128-gcm encrypt 64", &keys) <
                cost_of("aes-128-gcm encrypt 16k", &keys));
    assert_true(cost_of("aes-128-ccm encrypt 16k", &keys) >
                cost_of("aes-128-gcm encrypt 16k", &keys));
    assert_true(cost_of("rsa-1024 verify", &keys) < cost_of("rsa-1024 sign", &keys));
    assert_int_equal(keys.count, 1); /* one key for both */
    key_ring_cleanup(&keys);
}

static void test_impossible_costs_nothing(void **state)
{
    struct primitive_case what;
    struct error err = {""};
    double ns = -1;

    (void)state;
    assert_true(primitive_case_parse("aes-128-xts encrypt 8", &what, &err));
    assert_false(primitive_cost(&what, NULL, NS_PER_MS, &ns, &err));
    assert_non_null(strstr(err.text, "XTS needs 16 bytes or more"));
    assert_true(ns == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_from_texts),
        cmocka_unit_test(test_refused_texts),
        cmocka_unit_test(test_costs_are_in_order),
        cmocka_unit_test(test_impossible_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
