#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/plan.h"

#include "client/list.h"
#include "common/base/clock.h"
#include "tests/support/plan_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_unique(const struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(plan->cases[i].test_case.id, plan->cases[j].test_case.id);
    }
}

static const char default_start[] = "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519\n"
                                    "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p384/x25519\n";
static const char default_end[] =
    "bulk/1.2/ECDHE-ECDSA-ARIA128-GCM-SHA256/ecdsa-p256/x25519/16384/download\n"
    "bulk/1.2/ECDHE-ECDSA-CAMELLIA128-SHA256/ecdsa-p256/x25519/16384/download\n";

static void test_default_plan(void **state)
{
    const struct libraries *libraries = *state;
    const struct {
        const struct library_facts *library;
        size_t cases;
    } rows[] = {{&libraries->old, 25}, {&libraries->new, 26}};

    for (size_t i = 0; i < 2; i++) {
        struct text_buffer text = {0};
        struct error err = {""};
        struct plan plan;

        assert_true(build("", rows[i].library, &plan, &err));
        assert_int_equal(plan.count, rows[i].cases);
        assert_int_equal(plan_runnable(&plan), rows[i].cases);
        expect_unique(&plan);
        print_plan(&plan, &text);
        assert_int_equal(strncmp(text.text, default_start, strlen(default_start)), 0);
        assert_string_equal(text.text + text.length - strlen(default_end), default_end);
        assert_int_equal(i == 1, strstr(text.text, "/X25519MLKEM768\n") != NULL);
        assert_int_equal(plan.schedule.rounds, 6);
        assert_false(plan.schedule.too_tight);
        assert_true(plan.schedule.total_ns < 80 * NS_PER_S);
        assert_true(plan.schedule.window_ns > 250 * NS_PER_MS);
        text_buffer_cleanup(&text);
        plan_cleanup(&plan);
    }
}

/* A library without a cipher of the default plan: a skip, not a silent gap. */
static void test_default_plan_with_gaps(void **state)
{
    struct library_facts facts = ((const struct libraries *)*state)->old;
    struct error err = {""};
    struct plan plan;

    facts.suites[suite_find("TLS_CHACHA20_POLY1305_SHA256") - suite_table] = false;
    assert_true(build("", &facts, &plan, &err));
    assert_int_equal(plan.count, 25);
    assert_int_equal(plan_runnable(&plan), 24);
    plan_cleanup(&plan);
}

static void test_every_suite(void **state)
{
    const struct libraries *libraries = *state;
    size_t has = 0;
    struct error err = {""};
    struct plan plan;

    for (size_t i = 0; i < suite_count; i++)
        has += library_has_suite(&libraries->real, &suite_table[i]);
    assert_true(build("--suites all --measure handshake", &libraries->real, &plan, &err));
    assert_int_equal(plan.count, has);
    assert_true(plan_runnable(&plan) > 60);
    expect_unique(&plan);
    for (size_t i = 0; i < plan.count; i++) {
        struct suite_facts facts = suite_facts(plan.cases[i].test_case.suite);
        bool cannot = facts.exchange == EXCHANGE_PSK || facts.exchange == EXCHANGE_SRP ||
                      facts.auth == AUTH_NONE;

        if (cannot != (plan.cases[i].skipped[0] != '\0'))
            fail_msg("%s: %s", plan.cases[i].test_case.id, plan.cases[i].skipped);
    }
    plan_cleanup(&plan);

    assert_true(
        build("--suites all --certs all --measure handshake", &libraries->real, &plan, &err));
    expect_unique(&plan);
    assert_true(plan.count > has);
    plan_cleanup(&plan);

    /* A version chooses: what "all" brought in and is not of it makes no row. */
    assert_true(
        build("--suites all --versions 1.3 --measure handshake", &libraries->real, &plan, &err));
    assert_true(plan.count >= 5);
    assert_int_equal(plan_runnable(&plan), plan.count);
    plan_cleanup(&plan);
}

static const struct load_row {
    const char *line;
    unsigned threads, connections, bulk_connections;
    enum confirmation confirm;
    bool forced, suitemark_names;
    const char *server_name, *host, *path;
} load_rows[] = {
    {"", 1, 16, 1, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"--threads 4", 4, 64, 4, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"--connections 15 --threads 8", 8, 15, 15, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"--connections 3", 1, 3, 3, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"there", 1, 16, 1, CONFIRM_SERVER, false, true, "there", "there:4433", "/"},
    {"there.:443", 1, 16, 1, CONFIRM_SERVER, false, true, "there", "there.:443", "/"},
    {"192.0.2.7", 1, 16, 1, CONFIRM_SERVER, false, true, "", "192.0.2.7:4433", "/"},
    {"[::1]:5", 1, 16, 1, CONFIRM_SERVER, false, true, "", "[::1]:5", "/"},
    {"https://a.example/x?y", 1, 16, 1, CONFIRM_RESPONSE, false, false, "a.example", "a.example",
     "/x?y"},
    {"https://a.example:4433", 1, 16, 1, CONFIRM_RESPONSE, false, false, "a.example",
     "a.example:4433", "/"},
    {"https://[::1]", 1, 16, 1, CONFIRM_RESPONSE, false, false, "", "[::1]", "/"},
    {"https://a.example/x --sni b.example. --path /z", 1, 16, 1, CONFIRM_RESPONSE, false, false,
     "b.example", "a.example", "/z"},
    {"192.0.2.7 --sni b.example", 1, 16, 1, CONFIRM_SERVER, false, true, "b.example",
     "192.0.2.7:4433", "/"},
    {"--confirm close https://a.example", 1, 16, 1, CONFIRM_CLOSE, true, false, "a.example",
     "a.example", "/"},
    {"--confirm response", 1, 16, 1, CONFIRM_RESPONSE, true, true, "", "localhost", "/"},
};

static void test_load(void **state)
{
    const struct libraries *libraries = *state;

    for (size_t i = 0; i < sizeof load_rows / sizeof load_rows[0]; i++) {
        const struct load_row *row = &load_rows[i];
        struct error err = {""};
        struct plan plan;

        if (!build(row->line, &libraries->old, &plan, &err))
            fail_msg("%s: %s", row->line, err.text);
        assert_int_equal(plan.load.threads, row->threads);
        assert_int_equal(plan.load.connections, row->connections);
        assert_int_equal(plan.load.bulk_connections, row->bulk_connections);
        assert_int_equal(plan.load.confirm, row->confirm);
        assert_int_equal(plan.confirm_forced, row->forced);
        assert_int_equal(plan.load.suitemark_names, row->suitemark_names);
        assert_string_equal(plan.load.server_name, row->server_name);
        assert_string_equal(plan.load.host, row->host);
        assert_string_equal(plan.load.path, row->path);
        assert_int_equal(plan.load.close_timeout_ns, NS_PER_S);
        assert_int_equal(plan.load.pins[0], -1);
        assert_int_equal(plan.load.pins[63], -1);
        plan_cleanup(&plan);
    }
}

static void test_settings_reach_the_plan(void **state)
{
    const struct libraries *libraries = *state;
    struct error err = {""};
    struct plan plan;

    assert_true(build("--close fin --tickets 2 --connect-timeout 1s --handshake-timeout 2s "
                      "--rounds 8",
                      &libraries->old, &plan, &err));
    assert_int_equal(plan.load.close, CLOSE_FIN);
    assert_int_equal(plan.load.tickets, 2);
    assert_int_equal(plan.load.connect_timeout_ns, NS_PER_S);
    assert_int_equal(plan.load.handshake_timeout_ns, 2 * NS_PER_S);
    assert_int_equal(plan.schedule.rounds, 8);
    plan_cleanup(&plan);
    assert_true(
        build("--seed 42 --warmup 1s --duration 2s --time 30s", &libraries->old, &plan, &err));
    assert_int_equal(plan.schedule.seed, 42);
    assert_int_equal(plan.schedule.warmup_ns, NS_PER_S);
    assert_int_equal(plan.schedule.window_ns, 2 * NS_PER_S);
    assert_int_equal(plan.duration_ns, 2 * NS_PER_S);
    assert_int_equal(plan.time_ns, 30 * NS_PER_S);
    plan_cleanup(&plan);
}

static void test_target_facts(void **state)
{
    const struct libraries *libraries = *state;
    const char *const refused[] = {"target offers no TLS 1.3", NULL, NULL, NULL, "late"};
    const struct {
        struct target_facts facts;
        const char *skipped[4];
    } rows[] = {
        {{.suitemark = true}, {"", "", "", ""}},
        {{.suitemark = false}, {"", "", "", "target is not suitemark-server, which upload needs"}},
        {{.no_http = "target is mute"},
         {"", "", "target is mute, which bulk needs",
          "target is not suitemark-server, which upload needs"}},
        {{.suitemark = true, .refused = refused}, {"target offers no TLS 1.3", "", "", ""}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {""};
        struct test_case bulk;
        struct plan plan;

        assert_true(build("--suites TLS_AES_128_GCM_SHA256,AES128-SHA --measure handshake",
                          &libraries->old, &plan, &err));
        bulk = plan.cases[0].test_case;
        bulk.measure = MEASURE_BULK;
        for (enum direction d = DIRECTION_DOWNLOAD; d <= DIRECTION_UPLOAD; d++) {
            bulk.direction = d;
            assert_true(plan_add(&plan, &bulk, "", &err));
        }
        assert_true(plan_add(&plan, &bulk, "an earlier reason", &err));
        plan_apply_target(&plan, &rows[i].facts);
        for (size_t c = 0; c < 4; c++)
            assert_string_equal(plan.cases[c].skipped, rows[i].skipped[c]);
        assert_string_equal(plan.cases[4].skipped, "an earlier reason");
        plan_cleanup(&plan);
    }
}

static void test_lists(void **state)
{
    const struct libraries *libraries = *state;
    static const char *const rows[][3] = {
        {"suites", "ECDHE-ECDSA-CAMELLIA256-SHA384", "SEED-SHA"},
        {"certs", "rsa-pss-2048", "needs OpenSSL 3.5"},
        {"groups", "secp256r1", "needs OpenSSL 3.5"},
    };
    struct error err = {""};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);

        assert_non_null(out);
        assert_true(list_print(out, rows[i][0], &libraries->old, &err));
        assert_int_equal(fclose(out), 0);
        assert_non_null(strstr(text, rows[i][1]));
        assert_non_null(strstr(text, rows[i][2]));
        for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
            size_t width = strcspn(line, "\n");

            if (width >= 100)
                fail_msg("--list %s: %zu columns: %.*s", rows[i][0], width, (int)width, line);
        }
        free(text);
    }
    assert_false(list_print(stdout, "things", &libraries->old, &err));
}

/* Default bulk rows have a twin for servers with an RSA certificate only; nothing else has one. */
static void test_twins(void **state)
{
    const struct libraries *libraries = *state;
    struct plan plan = {0};
    struct error err;
    size_t twins = 0;

    assert_true(build("", &libraries->real, &plan, &err));
    for (size_t i = 0; i < plan.count; i++) {
        const struct planned_case *planned = &plan.cases[i];
        const struct test_case *instead = &planned->instead;
        assert_int_equal(instead->suite != NULL, planned->test_case.measure == MEASURE_BULK);
        if (!instead->suite)
            continue;
        twins++;
        assert_string_equal(instead->kind->name, "rsa-2048");
        assert_non_null(strstr(instead->id, "/rsa-2048/x25519/16384/download"));
        assert_int_equal(instead->version, planned->test_case.version);
        assert_string_equal(suite_facts(instead->suite).cipher,
                            suite_facts(planned->test_case.suite).cipher);
    }
    assert_int_equal(twins, 9);
    plan_cleanup(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_plan),
        cmocka_unit_test(test_default_plan_with_gaps),
        cmocka_unit_test(test_every_suite),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_settings_reach_the_plan),
        cmocka_unit_test(test_target_facts),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_twins),
    };

    return cmocka_run_group_tests(tests, make_libraries, NULL);
}
