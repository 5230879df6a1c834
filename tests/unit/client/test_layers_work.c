#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/layers/case_layers.h"
#include "client/layers/work.h"
#include "common/primitive/cost.h"
#include "common/tls/library.h"

#include <stdio.h>
#include <string.h>

/* Prices in nanoseconds that no two primitives share, so that a sum names its parts. */
static const struct price {
    const char *primitive;
    double ns;
} prices[] = {
    {"ecdsa-p256 sign", 20000},
    {"ecdsa-p256 verify", 50000},
    {"rsa-pss-2048 sign", 260000},
    {"rsa-pss-2048 verify", 15000},
    {"rsa-2048 sign", 255000},
    {"rsa-2048 verify", 14000},
    {"rsa-kex-2048 encrypt", 16000},
    {"rsa-kex-2048 decrypt", 262000},
    {"ed25519 sign", 30000},
    {"ed25519 verify", 90000},
    {"x25519 exchange", 60000},
    {"p-384 exchange", 900000},
    {"ffdhe2048 exchange", 700000},
    {"X25519MLKEM768 keygen oneshot", 70000},
    {"X25519MLKEM768 decapsulate", 80000},
    {"X25519MLKEM768 encapsulate", 85000},
    {"AES-128-GCM encrypt 16384", 4000},
    {"AES-128-GCM decrypt 16384", 4100},
    {"AES-128-CCM encrypt 1024", 900},
    {"AES-128-CCM decrypt 1024", 910},
    {"AES-128-CBC encrypt 16384", 17000},
    {"AES-128-CBC decrypt 16384", 2300},
    {"hmac-sha1 16384", 9000},
    {"hmac-sha256 16384", 10000},
    {"hmac-sha384 16384", 8000},
};

static bool made_up_price(void *context, const char *primitive, double *ns, struct error *err)
{
    (void)context;
    for (size_t i = 0; i < sizeof prices / sizeof prices[0]; i++) {
        if (strcmp(prices[i].primitive, primitive) == 0) {
            *ns = prices[i].ns;
            return true;
        }
    }
    return error_set(err, "no price");
}

#define AES13 "TLS_AES_128_GCM_SHA256"
#define BULK  MEASURE_BULK
#define SHAKE MEASURE_HANDSHAKE
#define TLS12 TLS1_2_VERSION
#define TLS13 TLS1_3_VERSION
#define DOWN  DIRECTION_DOWNLOAD
#define UP    DIRECTION_UPLOAD
#define NO    false

static const struct row {
    enum measure measure;
    int version;
    const char *suite, *kind, *group;
    uint32_t record_size;
    enum direction direction;
    bool verified;
    double client, server; /* right answers */
} rows[] = {
    {SHAKE, TLS13, AES13, "ecdsa-p256", "x25519", 0, DOWN, NO, 50000 + 60000, 20000 + 60000},
    {SHAKE, TLS13, AES13, "rsa-2048", "x25519", 0, DOWN, NO, 15000 + 60000, 260000 + 60000},
    {SHAKE, TLS13, AES13, "rsa-pss-2048", "p-384", 0, DOWN, NO, 15000 + 900000, 260000 + 900000},
    {SHAKE, TLS13, AES13, "ed25519", "x25519", 0, DOWN, NO, 90000 + 60000, 30000 + 60000},
    {SHAKE, TLS13, AES13, "ecdsa-p256", "X25519MLKEM768", 0, DOWN, NO, 50000 + 70000 + 80000,
     20000 + 85000},
    {SHAKE, TLS12, "ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", "x25519", 0, DOWN, NO, 15000 + 60000,
     260000 + 60000},
    {SHAKE, TLS1_VERSION, "ECDHE-RSA-AES128-SHA", "rsa-2048", "x25519", 0, DOWN, NO, 14000 + 60000,
     255000 + 60000},
    {SHAKE, TLS12, "AES128-GCM-SHA256", "rsa-2048", NULL, 0, DOWN, NO, 16000, 262000},
    {SHAKE, TLS12, "DHE-RSA-AES128-GCM-SHA256", "rsa-2048", NULL, 0, DOWN, NO, 15000 + 700000,
     260000 + 700000},
    /* The chain: the leaf by its issuer, the issuer by the root. */
    {SHAKE, TLS13, AES13, "rsa-2048", "x25519", 0, DOWN, true, 15000 + 60000 + 14000 + 50000,
     260000 + 60000},
    {SHAKE, TLS13, AES13, "ed25519", "x25519", 0, DOWN, true, 90000 + 60000 + 2 * 50000,
     30000 + 60000},
    {SHAKE, TLS12, "AES128-GCM-SHA256", "rsa-2048", NULL, 0, DOWN, true, 16000 + 14000 + 50000,
     262000},
    {BULK, TLS13, AES13, "ecdsa-p256", "x25519", 16384, DOWN, true, 4100, 4000},
    {BULK, TLS13, AES13, "ecdsa-p256", "x25519", 16384, UP, NO, 4000, 4100},
    {BULK, TLS13, "TLS_AES_128_CCM_8_SHA256", "ecdsa-p256", "x25519", 1024, DOWN, NO, 910, 900},
    {BULK, TLS12, "ECDHE-ECDSA-AES128-SHA", "ecdsa-p256", "x25519", 16384, DOWN, NO, 2300 + 9000,
     17000 + 9000},
    {BULK, TLS12, "ECDHE-ECDSA-AES128-SHA256", "ecdsa-p256", "x25519", 16384, UP, NO, 17000 + 10000,
     2300 + 10000},
    {BULK, TLS12, "ECDHE-RSA-NULL-SHA", "rsa-2048", "x25519", 16384, DOWN, NO, 9000, 9000},
};

static struct test_case case_of(const struct row *row)
{
    struct test_case test_case = {.measure = row->measure,
                                  .version = row->version,
                                  .suite = suite_find(row->suite),
                                  .kind = kind_find(row->kind),
                                  .group = row->group ? group_find(row->group) : NULL,
                                  .record_size = row->record_size,
                                  .direction = row->direction};

    assert_non_null(test_case.suite);
    assert_non_null(test_case.kind);
    case_set_id(&test_case);
    return test_case;
}

static void sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        const struct test_case test_case = case_of(row);
        const double wanted[WORK_SIDES] = {row->client, row->server};

        printf("# %s%s\n", test_case.id, row->verified ? ", chain verified" : "");
        for (int side = 0; side < WORK_SIDES; side++) {
            double components[WORK_COMPONENTS], sum, all = 0;
            struct error err = {""};
            struct work work;
            work_of(&test_case, (enum work_side)side, row->verified, &work);
            bool ok = work_cost(&work, made_up_price, NULL, components, &sum, &err);
            assert_string_equal(err.text, "");
            assert_true(ok);
            assert_float_equal(sum, wanted[side], 0.001);
            for (int c = 0; c < WORK_COMPONENTS; c++)
                all += components[c];
            assert_float_equal(all, sum, 0.001);
        }
    }
}

/* Every primitive that a case asks for is one that the library of primitives knows. */
static void names_are_known(void **state)
{
    (void)state;
    for (size_t k = 0; k < kind_count; k++) {
        for (size_t g = 0; g < group_count; g++) {
            static const char *const common[] = {"x25519",    "p-256",     "p-384",
                                                 "p-521",     "x448",      "ffdhe2048",
                                                 "ffdhe3072", "ffdhe4096", "X25519MLKEM768"};
            const struct test_case test_case = {.version = TLS1_3_VERSION,
                                                .suite = suite_find(AES13),
                                                .kind = &kind_table[k],
                                                .group = &group_table[g]};
            bool wanted = false;
            for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
                wanted |= strcmp(common[i], group_table[g].name) == 0;
            for (int side = 0; wanted && side < WORK_SIDES; side++) {
                struct work work;
                work_of(&test_case, (enum work_side)side, true, &work);
                assert_true(work.count >= 2);
                for (size_t i = 0; i < work.count; i++) {
                    struct primitive_case what;
                    struct error err = {""};
                    if (!primitive_case_parse(work.parts[i].primitive, &what, &err))
                        fail_msg("%s: %s", work.parts[i].primitive, err.text);
                }
            }
        }
    }
}

static void missing_price_is_named(void **state)
{
    const struct row row = {SHAKE, TLS13, AES13, "ed448", "x25519", 0, DOWN, NO, 0, 0};
    const struct test_case test_case = case_of(&row);
    double components[WORK_COMPONENTS], sum;
    struct error err = {""};
    struct work work;

    (void)state;
    work_of(&test_case, WORK_SERVER, false, &work);
    assert_false(work_cost(&work, made_up_price, NULL, components, &sum, &err));
    assert_string_equal(err.text, "ed448 sign: no price");
}

/* --- shares --- */

static const struct share_row {
    const char *name;
    double signature, exchange, memory, wire, user, system;
    /* Right answers. */
    double efficiency, libssl, kernel, rest;
} share_rows[] = {
    {"rsa", 260, 60, 400, 500, 400, 100, 0.64, 0.16, 0.2, 0},
    {"ecdsa", 20, 60, 160, 250, 180, 70, 0.32, 0.32, 0.28, 0.08},
    {"split not known", 20, 60, 160, 200, 0, 0, 0.4, 0.4, 0, 0.2},
    {"primitive over memory, as noise makes it", 100, 0, 90, 100, 100, 0, 1, -0.1, 0, 0.1},
};

static void shares(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof share_rows / sizeof share_rows[0]; i++) {
        const struct share_row *row = &share_rows[i];
        struct case_layers layers = {.primitive_count = 3, .memory_count = 3};
        struct layer_values *values = &layers.sides[WORK_SERVER];
        struct layer_summary summary;
        double all = 0;

        printf("# %s\n", row->name);
        for (int v = 0; v < 3; v++) { /* around their medians */
            values->components[WORK_SIGNATURE][v] = row->signature + v - 1;
            values->components[WORK_KEY_EXCHANGE][v] = row->exchange + v - 1;
            values->primitive[v] = row->signature + row->exchange + 2 * (v - 1);
            values->memory[v] = row->memory + v - 1;
        }
        case_layers_summary(&layers, WORK_SERVER, row->wire, row->user, row->system, &summary);
        assert_true(summary.have_efficiency && summary.have_shares);
        assert_float_equal(summary.efficiency, row->efficiency, 1e-9);
        assert_float_equal(summary.shares.libssl, row->libssl, 1e-9);
        assert_float_equal(summary.shares.kernel, row->kernel, 1e-9);
        assert_float_equal(summary.shares.rest, row->rest, 1e-9);
        assert_int_equal(summary.shares.kernel_known, row->user + row->system > 0);
        assert_int_equal(summary.memory.count, 3);
        assert_true(summary.memory.is_range);
        for (int c = 0; c < WORK_COMPONENTS; c++)
            all += summary.shares.components[c];
        all += summary.shares.libssl + summary.shares.kernel + summary.shares.rest;
        assert_float_equal(all, 1, 1e-9);
    }
}

static void what_is_not_known(void **state)
{
    struct case_layers layers = {.primitive_count = 1};
    struct layer_summary summary;

    (void)state;
    layers.sides[WORK_CLIENT].primitive[0] = 50;
    case_layers_summary(&layers, WORK_CLIENT, 100, 60, 40, &summary);
    assert_true(summary.have_efficiency);
    assert_false(summary.have_shares); /* without the memory layer there is no libssl's share */
    assert_int_equal(summary.memory.count, 0);
    case_layers_summary(&layers, WORK_CLIENT, 0, 0, 0, &summary);
    assert_false(summary.have_efficiency || summary.have_shares);
    assert_float_equal(summary.primitive.median, 50, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(names_are_known),
        cmocka_unit_test(missing_price_is_named),
        cmocka_unit_test(shares),
        cmocka_unit_test(what_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
