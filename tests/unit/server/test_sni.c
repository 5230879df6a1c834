#include "server/sni.h"

#include "certs/issue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define KINDS       5

static const char *const kinds[KINDS] = {"ecdsa-p384", "ecdsa-p256", "ed448", "ed25519",
                                         "rsa-2048"};

static int make(void **state)
{
    static struct identity identities[KINDS];
    const struct certificate_kind *wanted[KINDS];
    struct error err = {0};
    for (size_t i = 0; i < KINDS; i++)
        wanted[i] = kind_find(kinds[i]);
    if (!issue_identities(NULL, wanted, KINDS, identities, NULL, NULL, NULL, &err))
        return -1;
    *state = identities;
    return 0;
}

static int drop(void **state)
{
    struct identity *identities = *state;
    for (size_t i = 0; i < KINDS; i++)
        identity_cleanup(&identities[i]);
    return 0;
}

static uint64_t set_for(const struct sni_plan *plan, const char *host)
{
    const struct sni_name *name = sni_plan_find(plan, host);
    return name != NULL ? name->identities : 0;
}

static void test_made_kinds(void **state)
{
    struct sni_plan plan;
    assert_true(sni_plan_build(*state, KINDS, 0, &plan, NULL));
    assert_int_equal(plan.base, 1u << 1 | 1u << 3 | 1u << 4); /* rsa-2048, ecdsa-p256, ed25519 */
    assert_int_equal(plan.count, KINDS);
    assert_int_equal(set_for(&plan, "ecdsa-p384.suitemark.test"), 1u << 0);
    assert_int_equal(set_for(&plan, "RSA-2048.Suitemark.TEST"), 1u << 4);
    assert_null(sni_plan_find(&plan, "rsa-2048.suitemark.test."));
    assert_null(sni_plan_find(&plan, "suitemark.test"));
    assert_null(sni_plan_find(&plan, ""));
    sni_plan_cleanup(&plan);
}

/* Without one of the three the base is the first kind that was asked for. */
static void test_base_of_other_kinds(void **state)
{
    const struct identity *identities = *state;
    const struct identity others[] = {identities[2], identities[0]};
    struct sni_plan plan;
    assert_true(sni_plan_build(others, 2, 0, &plan, NULL));
    assert_int_equal(plan.base, 1u << 0);
    sni_plan_cleanup(&plan);
}

/* One of each key type: no name matters. */
static void test_own_of_different_types(void **state)
{
    const struct identity *identities = *state;
    const struct identity own[] = {identities[0], identities[3], identities[4]};
    struct sni_plan plan;
    assert_true(sni_plan_build(own, 3, 3, &plan, NULL));
    assert_int_equal(plan.base, 7);
    assert_int_equal(plan.count, 0);
    sni_plan_cleanup(&plan);
}

/* Two EC keys: the first is in the base, and each is found by its own name; a name that both have
 * (localhost) gives the first. */
static void test_own_of_one_type(void **state)
{
    const struct identity *identities = *state;
    const struct identity own[] = {identities[0], identities[1], identities[4]};
    struct sni_plan plan;
    assert_true(sni_plan_build(own, 3, 3, &plan, NULL));
    assert_int_equal(plan.base, 1u << 0 | 1u << 2);
    assert_int_equal(set_for(&plan, "ecdsa-p256.suitemark.test"), 1u << 1);
    assert_int_equal(set_for(&plan, "ecdsa-p384.suitemark.test"), 1u << 0);
    assert_int_equal(set_for(&plan, "localhost"), 1u << 0 | 1u << 2);
    sni_plan_cleanup(&plan);
}

static void test_own_beside_made(void **state)
{
    struct sni_plan plan;
    assert_true(sni_plan_build(*state, KINDS, 1, &plan, NULL));
    assert_int_equal(plan.base, 1u << 0);
    assert_int_equal(set_for(&plan, "ed448.suitemark.test"), 1u << 2);
    sni_plan_cleanup(&plan);
}

static const struct wildcard_row {
    const char *host;
    uint64_t identities;
} wildcard_rows[] = {
    {"a.example.org", 2},   {"exact.example.org", 1}, {"A.EXAMPLE.ORG", 2},
    {"a.b.example.org", 0}, {"example.org", 0},       {"aexample.org", 0},
};

static void test_wildcards(void **state)
{
    char wild[] = "*.example.org", exact[] = "exact.example.org";
    struct sni_name names[] = {{wild, 2}, {exact, 1}};
    const struct sni_plan plan = {.base = 1, .names = names, .count = 2};
    (void)state;
    for (size_t i = 0; i < ROWS(wildcard_rows); i++)
        assert_int_equal(set_for(&plan, wildcard_rows[i].host), wildcard_rows[i].identities);
}

static void test_bounds(void **state)
{
    struct sni_plan plan;
    struct error err = {0};
    assert_false(sni_plan_build(*state, 0, 0, &plan, &err));
    assert_false(sni_plan_build(*state, SNI_IDENTITIES_MAX + 1, 0, &plan, &err));
    assert_non_null(strstr(err.text, "65"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_kinds),
        cmocka_unit_test(test_base_of_other_kinds),
        cmocka_unit_test(test_own_of_different_types),
        cmocka_unit_test(test_own_of_one_type),
        cmocka_unit_test(test_own_beside_made),
        cmocka_unit_test(test_wildcards),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, make, drop);
}
