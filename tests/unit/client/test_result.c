#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/report/field.h"
#include "client/result.h"
#include "tests/support/made_up.h"

#include <math.h>

#define AES "TLS_AES_128_GCM_SHA256"

static const json_t *case_at(const json_t *result, size_t index)
{
    return json_array_get(json_object_get(result, "cases"), index);
}

/* A field that must be there: unlike field_at, null is a value and absence is a failure. */
static const json_t *present(const json_t *object, const char *path)
{
    char key[64];

    for (; *path != '\0'; path += path[strcspn(path, ".")] == '.') {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        object = json_object_get(object, key);
        if (object == NULL)
            fail_msg("%s is missing", key);
        path += length;
    }
    return object;
}

static void assert_number(const json_t *object, const char *path, double expected)
{
    double value = json_number_value(present(object, path));

    if (!json_is_number(present(object, path)) || fabs(value - expected) > 1e-6 * fabs(expected))
        fail_msg("%s is %g instead of %g", path, value, expected);
}

static void assert_unknown(const json_t *object, const char *path)
{
    if (!json_is_null(present(object, path)))
        fail_msg("%s is not null", path);
}

static const char *const case_keys[] = {
    "id",
    "measure",
    "version",
    "suite",
    "iana",
    "certificate",
    "group",
    "record_size",
    "direction",
    "status",
    "reason",
    "note",
    "attempted",
    "completed",
    "confirmed",
    "confirmed_by",
    "failures",
    "drifts",
    "rounds",
    "rate",
    "client",
    "server",
    "bottleneck",
    "relative",
    "latency_ms",
    "histograms",
    "tickets",
    "layers",
    "handshake_bytes",
    "negotiated",
    "loop",
    "connections",
    "steal_share",
    "others_share",
    "slow_rounds",
    "server_shared",
    "counts_agree",
    "ticket_bytes",
    "http_status",
    "record_size_observed",
};

static void assert_keys(const json_t *item)
{
    for (size_t i = 0; i < sizeof case_keys / sizeof case_keys[0]; i++)
        (void)present(item, case_keys[i]);
    assert_int_equal(json_object_size(item), sizeof case_keys / sizeof case_keys[0]);
}

static void measured_handshake(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made_up_handshake(made, TLS1_2_VERSION, "ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", "x25519",
                      500, 300);
    json_t *result = result_new(&made->record);
    const json_t *item = case_at(result, 0), *other = case_at(result, 1);

    assert_keys(item);
    assert_string_equal(field_text(item, "id"),
                        "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519");
    assert_string_equal(field_text(item, "status"), "measured");
    assert_string_equal(field_text(other, "iana"), "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
    assert_string_equal(field_text(other, "suite"), "ECDHE-RSA-AES128-GCM-SHA256");
    assert_unknown(item, "reason");
    assert_unknown(item, "record_size");
    assert_unknown(item, "direction");
    assert_unknown(item, "http_status");
    assert_number(item, "attempted", 6000);
    assert_string_equal(field_text(item, "confirmed_by"), "server");
    assert_string_equal(field_text(item, "loop"), "closed, 16 in flight");
    assert_string_equal(field_text(item, "rate.unit"), "handshakes/s");
    assert_number(item, "rate.median", 2500);
    assert_number(item, "server.cpu_us_per_handshake.median", 200);
    assert_number(item, "server.cpu_us_per_handshake.high", 202);
    assert_number(item, "server.cpu_us_per_handshake.user", 100);
    assert_number(item, "client.cpu_us_per_handshake.system", 100);
    assert_number(item, "server.capacity_per_core", 5000);
    assert_number(item, "server.utilisation", 0.5);
    assert_true(field_true(item, "server.extrapolated"));
    assert_string_equal(field_text(item, "bottleneck"), "client");
    assert_string_equal(field_text(other, "relative.to"), field_text(item, "id"));
    assert_number(other, "relative.server_cost.median", 2.5);
    assert_unknown(other, "relative.client_cost");
    json_decref(result);
}

static void rounds_and_latency(void **state)
{
    struct made_up *made = *state;
    struct case_result *made_result =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made_result->measurement.rounds[1].server_known = false;
    made_result->measurement.rounds[1].speed = 0;
    made_result->measurement.rounds[1].others_cpus = 0;
    made_result->measurement.rounds[2].others_ns = -7;
    histogram_record(&made_result->measurement.loaded.tls, 5 * NS_PER_MS);
    json_t *result = result_new(&made->record);
    const json_t *item = case_at(result, 0);
    const json_t *rounds = json_object_get(item, "rounds");

    assert_int_equal(json_array_size(rounds), MADE_UP_ROUNDS);
    assert_number(json_array_get(rounds, 0), "confirmed", MADE_UP_COUNT);
    assert_number(json_array_get(rounds, 0), "wall_ns", MADE_UP_WALL);
    assert_number(json_array_get(rounds, 0), "server_count", MADE_UP_COUNT);
    assert_number(json_array_get(rounds, 0), "speed", 1);
    assert_unknown(json_array_get(rounds, 1), "server_cpu_ns");
    assert_unknown(json_array_get(rounds, 1), "server_wall_ns");
    assert_unknown(json_array_get(rounds, 1), "server_count");
    assert_unknown(json_array_get(rounds, 1), "speed");
    assert_number(json_array_get(rounds, 0), "others_ns", 0);
    assert_unknown(json_array_get(rounds, 1), "others_ns");
    assert_number(json_array_get(rounds, 2), "others_ns", -7);
    assert_number(json_array_get(rounds, 2), "steal_cpus", 2);
    assert_number(json_array_get(rounds, 2), "start_ns", 2e9);

    assert_number(item, "latency_ms.connections", 1);
    assert_number(item, "latency_ms.tls.count", 200); /* the loaded one is not in it */
    assert_true(fabs(json_number_value(present(item, "latency_ms.tls.p50")) - 0.85) < 0.85 / 64);
    assert_number(item, "latency_ms.tls.max", 0.85);
    assert_unknown(item, "latency_ms.tls.p99"); /* needs 1000 samples */
    assert_unknown(item, "latency_ms.tcp.p50");
    assert_unknown(item, "latency_ms.tcp.max");
    assert_number(item, "histograms.unloaded.tls.count", 200);
    assert_number(item, "histograms.loaded.tls.count", 1);
    json_decref(result);
}

static void bulk_case(void **state)
{
    struct made_up *made = *state;

    made_up_bulk(made, TLS1_3_VERSION, AES, "ecdsa-p256", DIRECTION_UPLOAD, 0.8, 0.7);
    json_t *result = result_new(&made->record);
    const json_t *item = case_at(result, 0);

    assert_keys(item);
    assert_string_equal(field_text(item, "direction"), "upload");
    assert_number(item, "record_size", 16384);
    assert_string_equal(field_text(item, "rate.unit"), "bytes/s");
    assert_number(item, "rate.median", 1e9);
    assert_number(item, "client.cpu_ns_per_byte.median", 0.7);
    assert_unknown(item, "record_size_observed");
    json_decref(result);
}

/* Cases without figures have nulls, in every place where a number could be mistaken for one. */
static void failed_and_skipped_cases(void **state)
{
    static const char *const no_figures[] = {"rate",         "client",     "server",
                                             "relative",     "latency_ms", "steal_share",
                                             "others_share", "slow_rounds"};
    struct made_up *made = *state;
    struct failure failure;

    failure_set(&failure, FAILURE_DRIFT, "session resumed");
    struct case_result *failed =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    failed->measurement.drifts = 3;
    failure_table_add(&failed->measurement.failures, &failure, 3);
    struct case_result *skipped =
        made_up_handshake(made, TLS1_2_VERSION, "AES128-GCM-SHA256", "rsa-pss-2048", NULL, 1, 1);
    memset(&skipped->measurement, 0, sizeof skipped->measurement);
    skipped->skipped = "static RSA needs a plain RSA certificate";
    json_t *result = result_new(&made->record);

    for (size_t i = 0; i < 2; i++) {
        assert_keys(case_at(result, i));
        for (size_t j = 0; j < sizeof no_figures / sizeof no_figures[0]; j++)
            assert_unknown(case_at(result, i), no_figures[j]);
    }
    assert_string_equal(field_text(case_at(result, 0), "status"), "failed");
    assert_number(json_object_get(case_at(result, 0), "failures"), failure.text, 3);
    assert_int_equal(json_array_size(present(case_at(result, 0), "rounds")), MADE_UP_ROUNDS);
    assert_string_equal(field_text(case_at(result, 1), "status"), "skipped");
    assert_string_equal(field_text(case_at(result, 1), "reason"), skipped->skipped);
    assert_unknown(case_at(result, 1), "group");
    assert_unknown(case_at(result, 1), "attempted");
    assert_unknown(case_at(result, 1), "confirmed_by");
    assert_unknown(case_at(result, 1), "negotiated");
    assert_unknown(case_at(result, 1), "handshake_bytes");
    assert_unknown(case_at(result, 1), "tickets");
    assert_int_equal(json_array_size(present(result, "differences")), 0);
    json_decref(result);
}

static void shared_server_is_null(void **state)
{
    struct made_up *made = *state;
    struct case_result *shared =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    shared->measurement.server_shared = true;
    shared->measurement.server_counts_agree = false;
    json_t *result = result_new(&made->record);
    const json_t *item = case_at(result, 0);

    assert_string_equal(field_text(item, "status"), "measured");
    assert_unknown(item, "server");
    assert_unknown(json_array_get(present(item, "rounds"), 0), "server_cpu_ns");
    assert_number(item, "rate.median", 2500);
    assert_true(field_true(item, "server_shared"));
    json_decref(result);
}

static void document(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-4096", "x25519", 2240, 400);
    json_t *result = result_new(&made->record);

    assert_string_equal(field_text(result, "schema"), "suitemark-result/1");
    assert_string_equal(field_text(result, "kind"), "run");
    assert_false(json_is_true(present(result, "interrupted")));
    assert_number(result, "parameters.seed", 42);
    assert_number(result, "parameters.rounds", 6);
    assert_number(result, "parameters.window_ms", 400);
    assert_number(result, "parameters.timeouts_ms.connect", 5000);
    assert_number(result, "parameters.duration_s", 78);
    assert_string_equal(field_text(result, "parameters.loop"), "closed, 16 in flight");
    assert_string_equal(field_text(result, "parameters.closing"), "server");
    assert_string_equal(field_text(result, "parameters.confirm"), "auto");
    assert_true(field_true(result, "parameters.loopback"));
    assert_unknown(result, "parameters.sni");
    assert_unknown(result, "parameters.baseline");
    const json_t *hosts = present(result, "environment.hosts");
    assert_int_equal(json_array_size(hosts), 2);
    assert_string_equal(field_text(json_array_get(hosts, 0), "role"), "client");
    assert_string_equal(field_text(json_array_get(hosts, 1), "role"), "server");
    assert_unknown(json_array_get(hosts, 1), "governor");
    const json_t *difference = json_array_get(present(result, "differences"), 0);
    assert_string_equal(field_text(difference, "dear"),
                        "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-4096/x25519");
    assert_string_equal(json_string_value(json_array_get(present(difference, "fields"), 0)),
                        "certificate");
    assert_number(difference, "ratio.median", 11.2);
    json_decref(result);
    assert_null(json_object_get(made->client, "role")); /* what was given is left as it was */
}

/* A target on this host may take the client's CPU just as an embedded server may. */
static void who_may_share_a_cpu(void **state)
{
    static const struct {
        bool embedded, shared, loopback, apart, expected;
    } rows[] = {
        {true, false, true, false, false},  {true, true, true, false, true},
        {false, false, true, false, true},  {false, false, true, true, false},
        {false, true, false, false, false},
    };
    struct made_up *made = *state;
    struct sockaddr_in *address = (struct sockaddr_in *)(void *)&made->plan.load.address;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        made->record.embedded = rows[i].embedded;
        made->record.same_core = rows[i].shared;
        made->record.apart = rows[i].apart;
        address->sin_addr.s_addr = htonl(rows[i].loopback ? INADDR_LOOPBACK : 0xC0000201);
        json_t *result = result_new(&made->record);
        const json_t *environment = json_object_get(result, "environment");
        assert_int_equal(json_is_true(json_object_get(environment, "same_cpu")), rows[i].expected);
        json_decref(result);
    }
}

static void baselines(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-2048", "x25519", 400, 400)
        ->measurement.drifts = 1; /* the first row, but without figures */
    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made_up_handshake(made, TLS1_3_VERSION, AES, "ed25519", "x25519", 100, 400);
    made_up_bulk(made, TLS1_3_VERSION, AES, "ed25519", DIRECTION_DOWNLOAD, 1, 1);
    json_t *result = result_new(&made->record);
    assert_number(case_at(result, 2), "relative.server_cost.median", 0.5);
    json_decref(result);

    made->record.baseline = "handshake/1.3/TLS_AES_128_GCM_SHA256/ed25519/x25519";
    result = result_new(&made->record);
    assert_number(case_at(result, 1), "relative.server_cost.median", 2);
    assert_string_equal(field_text(case_at(result, 3), "relative.to"),
                        field_text(case_at(result, 3), "id")); /* the other table keeps its own */
    json_decref(result);
}

static void exit_statuses(void **state)
{
    static const struct {
        const char *statuses[3];
        bool interrupted;
        int expected;
    } rows[] = {
        {{"measured", "measured", "measured"}, false, 0},
        {{"measured", "skipped", "measured"}, false, 0},
        {{"measured", "failed", "measured"}, false, 1},
        {{"measured", "partial", "skipped"}, false, 1},
        {{"skipped", "skipped", "skipped"}, false, 1},
        {{"measured", "measured", "partial"}, true, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *result = json_pack("{s:b, s:[{s:s}, {s:s}, {s:s}]}", "interrupted",
                                   (int)rows[i].interrupted, "cases", "status", rows[i].statuses[0],
                                   "status", rows[i].statuses[1], "status", rows[i].statuses[2]);
        assert_int_equal(result_exit_status(result), rows[i].expected);
        json_decref(result);
    }
    json_t *empty = json_object();
    assert_int_equal(result_exit_status(empty), 1);
    json_decref(empty);
}

static void foreign_bytes_do_no_harm(void **state)
{
    struct made_up *made = *state;
    struct failure failure;
    struct case_result *made_result =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);

    failure_set(&failure, FAILURE_HTTP, "status line \xff\xfe");
    failure_table_add(&made_result->measurement.failures, &failure, 2);
    snprintf(made_result->measurement.note, sizeof made_result->measurement.note, "\xff");
    json_t *result = result_new(&made->record);
    assert_non_null(result);
    assert_unknown(case_at(result, 0), "note");
    assert_number(json_object_get(case_at(result, 0), "failures"), failure_class_name(FAILURE_HTTP),
                  2);
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(measured_handshake, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(rounds_and_latency, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(bulk_case, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(failed_and_skipped_cases, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(shared_server_is_null, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(document, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(who_may_share_a_cpu, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(baselines, made_up_setup, made_up_teardown),
        cmocka_unit_test(exit_statuses),
        cmocka_unit_test_setup_teardown(foreign_bytes_do_no_harm, made_up_setup, made_up_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
