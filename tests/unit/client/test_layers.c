/* A threaded test: every visit measures in a thread of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/layers/layers.h"
#include "common/tls/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define VISITS 2

static const struct row {
    enum measure measure;
    int version;
    const char *suite, *kind, *group;
    uint32_t record_size;
    enum direction direction;
} rows[] = {
    {MEASURE_HANDSHAKE, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 0, 0},
    {MEASURE_HANDSHAKE, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "rsa-2048", "x25519", 0, 0},
    {MEASURE_HANDSHAKE, TLS1_2_VERSION, "AES128-GCM-SHA256", "rsa-2048", NULL, 0, 0},
    {MEASURE_HANDSHAKE, TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", "ecdsa-p256", "x25519", 0,
     0},
    {MEASURE_BULK, TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "ecdsa-p256", "x25519", 16384,
     DIRECTION_DOWNLOAD},
    {MEASURE_BULK, TLS1_2_VERSION, "ECDHE-ECDSA-AES128-SHA", "ecdsa-p256", "x25519", 100,
     DIRECTION_UPLOAD},
};
#define ROWS (sizeof rows / sizeof rows[0])

static const struct trial trials[ROWS]; /* no tickets */

static void build(struct plan *plan, enum close_policy close)
{
    struct error err = {""};

    *plan = (struct plan){.load = {.close = close, .pins = {-1}}};
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        const struct test_case test_case = {.measure = row->measure,
                                            .version = row->version,
                                            .suite = suite_find(row->suite),
                                            .kind = kind_find(row->kind),
                                            .group = row->group ? group_find(row->group) : NULL,
                                            .record_size = row->record_size,
                                            .direction = row->direction};
        assert_true(plan_add(plan, &test_case, "", &err));
    }
}

static void assert_measured(const struct test_case *test_case, const struct case_layers *layers,
                            size_t visits)
{
    printf("# %s\n", test_case->id);
    assert_string_equal(layers->no_memory, "");
    assert_string_equal(layers->no_primitive, "");
    assert_int_equal(layers->memory_count, visits);
    assert_int_equal(layers->primitive_count, visits);
    for (int side = 0; side < WORK_SIDES; side++) {
        for (size_t v = 0; v < visits; v++) {
            double memory = layers->sides[side].memory[v];
            double primitive = layers->sides[side].primitive[v];
            assert_true(isfinite(memory) && memory > 0);
            assert_true(isfinite(primitive) && primitive > 0);
        }
    }
}

static double server_primitive(const struct layers *layers, size_t index)
{
    return layers->cases[index].sides[WORK_SERVER].primitive[0];
}

static void every_layer_is_there(void **state)
{
    struct plan plan;
    struct layers layers;
    struct error err = {""};

    (void)state;
    build(&plan, CLOSE_SERVER);
    assert_true(layers_init(&layers, &plan, trials, NULL, NULL, NULL, &err));
    for (int visit = 0; visit < VISITS; visit++)
        for (size_t i = 0; i < plan.count; i++)
            layers_visit(&layers, i);
    for (size_t i = 0; i < plan.count; i++)
        assert_measured(&plan.cases[i].test_case, &layers.cases[i], VISITS);
    /* An RSA-2048 signature costs many times an ECDSA one, whatever the machine. */
    assert_true(server_primitive(&layers, 1) > server_primitive(&layers, 0));
    layers_cleanup(&layers);
    plan_cleanup(&plan);
}

/* A reset and tickets change how a connection ends and what the server sends: as many as the first
 * connection showed, whatever the options say. */
static void other_ends(void **state)
{
    static const struct {
        enum close_policy close;
        unsigned tickets;
    } ends[] = {{CLOSE_RST, 0}, {CLOSE_FIN, 2}, {CLOSE_RST, 2}};

    (void)state;
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        struct plan plan;
        struct layers layers;
        struct error err = {""};
        struct trial seen[ROWS] = {0};
        for (size_t i = 0; i < ROWS; i++)
            seen[i].tickets = ends[e].tickets;
        build(&plan, ends[e].close);
        assert_true(layers_init(&layers, &plan, seen, NULL, NULL, NULL, &err));
        for (size_t i = 0; i < plan.count; i++) {
            if (plan.cases[i].test_case.kind == kind_find("ecdsa-p256")) {
                layers_visit(&layers, i);
                assert_measured(&plan.cases[i].test_case, &layers.cases[i], 1);
                assert_int_equal(layers.cases[i].tickets, ends[e].tickets);
            }
        }
        layers_cleanup(&layers);
        plan_cleanup(&plan);
    }
}

/* With --ca the client verifies here too, by a root that is not the run's. */
static void chain_is_verified(void **state)
{
    struct credentials credentials = {.trust = X509_STORE_new(), .verify_name = "some.where"};
    struct plan plan;
    struct layers layers;
    struct error err = {""};

    (void)state;
    build(&plan, CLOSE_SERVER);
    plan.load.credentials = &credentials;
    assert_true(layers_init(&layers, &plan, trials, NULL, NULL, NULL, &err));
    layers_visit(&layers, 0);
    assert_measured(&plan.cases[0].test_case, &layers.cases[0], 1);
    assert_true(layers.cases[0].sides[WORK_CLIENT].components[WORK_CHAIN][0] > 0);
    assert_true(layers.cases[0].sides[WORK_SERVER].components[WORK_CHAIN][0] == 0);
    layers_cleanup(&layers);
    credentials_cleanup(&credentials);
    plan_cleanup(&plan);
}

/* What cannot be says why, once, and leaves no value. */
static void impossible_case(void **state)
{
    struct plan plan;
    struct layers layers;
    struct error err = {""};

    (void)state;
    build(&plan, CLOSE_SERVER);
    plan.cases[0].test_case.group = group_find("secp160k1"); /* TLS 1.3 has it not */
    assert_true(layers_init(&layers, &plan, trials, NULL, NULL, NULL, &err));
    layers_visit(&layers, 0);
    layers_visit(&layers, 0);
    assert_string_not_equal(layers.cases[0].no_memory, "");
    assert_string_not_equal(layers.cases[0].no_primitive, "");
    assert_int_equal(layers.cases[0].memory_count + layers.cases[0].primitive_count, 0);
    layers_cleanup(&layers);
    plan_cleanup(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layer_is_there),
        cmocka_unit_test(other_ends),
        cmocka_unit_test(chain_is_verified),
        cmocka_unit_test(impossible_case),
    };
    struct error err;

    if (!library_init(false, &err)) {
        (void)fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
