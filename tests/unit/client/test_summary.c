#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/difference.h"
#include "client/summary.h"
#include "tests/support/made_up.h"

#include <math.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-6 * fabs(b))

#define AES "TLS_AES_128_GCM_SHA256"

static struct case_result *ecdsa(struct made_up *made)
{
    return made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
}

static void fail_some(struct case_result *result, enum failure_class class, const char *detail,
                      uint64_t count)
{
    struct failure failure;

    failure_set(&failure, class, detail);
    failure_table_add(&result->measurement.failures, &failure, count);
    result->measurement.attempted += count;
}

static void handshake_figures(void **state)
{
    struct case_result *result = ecdsa(*state);
    struct case_summary summary;

    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_int_equal(summary.status, STATUS_MEASURED);
    assert_string_equal(summary.reason, "");
    assert_near(summary.rate.median, 2500.0);
    assert_false(summary.rate.is_range);
    assert_near(summary.server.cpu.median, 200.0);
    assert_near(summary.server.cpu.low, 198.0);
    assert_near(summary.server.cpu.high, 202.0);
    assert_near(summary.server.user, 100.0);
    assert_near(summary.server.system, 100.0);
    assert_near(summary.server.utilisation, 0.5);
    assert_near(summary.server.capacity.median, 5000.0);
    assert_near(summary.server.capacity.low, 1e6 / 202);
    assert_true(summary.server.extrapolated);
    assert_near(summary.client.cpu.median, 400.0);
    assert_near(summary.client.user, 300.0);
    assert_near(summary.client.capacity.median, 2500.0);
    assert_false(summary.client.extrapolated);
    assert_int_equal(summary.bottleneck, BOTTLENECK_CLIENT);
    assert_false(summary.have_relative);
}

/* Each side counts in its own window: 10 % more on the server, over a window 10 % longer. */
static void windows_are_not_mixed(void **state)
{
    struct case_result *result = ecdsa(*state);
    struct case_summary summary;

    for (size_t i = 0; i < MADE_UP_ROUNDS; i++) {
        struct round *round = &result->measurement.rounds[i];
        round->server_wall_ns = round->server_wall_ns / 10 * 11;
        round->server_count = round->server_count / 10 * 11;
        round->server_cpu_ns = 110000000;
        round->client_cpu_ns = 400000000;
        round->completed++; /* finished, but not proved: no part of any figure */
    }
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_near(summary.rate.median, 2500.0);
    assert_near(summary.server.cpu.median, 100.0);
    assert_near(summary.client.cpu.median, 400.0);
    assert_near(summary.server.utilisation, 0.5 / 1.1);
}

static void bulk_figures(void **state)
{
    struct case_result *down =
        made_up_bulk(*state, TLS1_3_VERSION, AES, "ecdsa-p256", DIRECTION_DOWNLOAD, 0.8, 0.7);
    struct case_result *up =
        made_up_bulk(*state, TLS1_3_VERSION, AES, "ecdsa-p256", DIRECTION_UPLOAD, 0.8, 0.7);
    struct case_summary summary;

    summary_of(down, MADE_UP_ROUNDS, NULL, &summary);
    assert_near(summary.rate.median, 1e9);
    assert_near(summary.server.cpu.median, 0.8);
    assert_near(summary.client.cpu.median, 0.7);
    assert_near(summary.client.capacity.median, 1e9 / 0.7);

    for (size_t i = 0; i < MADE_UP_ROUNDS; i++) {
        up->measurement.rounds[i].bytes = 1; /* what the client wrote is not what arrived */
        up->measurement.rounds[i].server_bytes /= 2;
        up->measurement.rounds[i].server_wall_ns /= 2;
    }
    summary_of(up, MADE_UP_ROUNDS, NULL, &summary);
    assert_near(summary.rate.median, 1e9);
    assert_near(summary.server.cpu.median, 1.6);
    assert_near(summary.client.cpu.median, 0.7); /* twice the time, twice the bytes */
}

static void bottlenecks(void **state)
{
    static const struct {
        double client, server;
        bool known;
        enum bottleneck expected;
    } rows[] = {
        {1.00, 0.50, true, BOTTLENECK_CLIENT},  {0.50, 0.93, true, BOTTLENECK_SERVER},
        {0.92, 0.92, true, BOTTLENECK_BOTH},    {0.91, 0.91, true, BOTTLENECK_NEITHER},
        {0.95, 0.95, false, BOTTLENECK_CLIENT}, {0.50, 0.95, false, BOTTLENECK_UNKNOWN},
    };
    struct case_result *result = ecdsa(*state);

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct case_summary summary;
        for (size_t i = 0; i < MADE_UP_ROUNDS; i++) {
            struct round *round = &result->measurement.rounds[i];
            round->client_busiest_ns = (uint64_t)(rows[row].client * MADE_UP_WALL + 0.5);
            round->server_busiest_ns = (uint64_t)(rows[row].server * MADE_UP_WALL + 0.5);
            round->server_known = rows[row].known;
        }
        summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
        assert_int_equal(summary.bottleneck, rows[row].expected);
        assert_int_equal(summary.server.known, rows[row].known);
        assert_int_equal(summary.client.extrapolated, rows[row].client < 0.9);
    }
}

/* What may befall a case, one change a row. */
static void befall_nothing(struct case_result *r)
{
    (void)r;
}
static void befall_skip(struct case_result *r)
{
    r->skipped = "needs an RSA certificate";
}
static void befall_one_percent(struct case_result *r)
{
    fail_some(r, FAILURE_RESET, NULL, 60); /* 60 of 6060 */
}
static void befall_more(struct case_result *r)
{
    fail_some(r, FAILURE_RESET, NULL, 61); /* 61 of 6061: just over 1 % */
}
static void befall_rejection(struct case_result *r)
{
    memset(&r->measurement, 0, sizeof r->measurement);
    fail_some(r, FAILURE_REJECTED, "alert certificate required", 64);
    r->measurement.gave_up = true;
}
static void befall_drift(struct case_result *r)
{
    fail_some(r, FAILURE_DRIFT, "session resumed", 1);
    r->measurement.drifts = 1;
}
static void befall_unconfirmed(struct case_result *r)
{
    r->measurement.confirmed -= 100; /* the server finished fewer than we did */
    r->measurement.server_counts_agree = false;
}
static void befall_unconfirmed_beside_failures(struct case_result *r)
{
    r->measurement.confirmed -= 100; /* the most of what is bad, so it is the reason */
    fail_some(r, FAILURE_RESET, NULL, 2);
}
static void befall_all_twice(struct case_result *r)
{
    r->measurement.confirmed = 10; /* bulk: its first payload counts, and then it fails */
    fail_some(r, FAILURE_RESET, NULL, 5995);
    r->measurement.attempted = 6000;
}
static void befall_contradiction(struct case_result *r)
{
    r->measurement.server_counts_agree = false;
}
static void befall_strangers(struct case_result *r)
{
    r->measurement.server_counts_agree = false;
    r->measurement.server_shared = true;
}
static void befall_interruption(struct case_result *r)
{
    r->measurement.round_count = 4;
}
static void befall_interruption_early(struct case_result *r)
{
    memset(&r->measurement, 0, sizeof r->measurement);
}
static void befall_interruption_in_the_first_round(struct case_result *r)
{
    r->measurement.round_count = 0;
}
static void befall_interruption_in_the_first_ramp(struct case_result *r)
{
    r->measurement.round_count = 0;
    r->measurement.completed = r->measurement.confirmed = 0;
}
static void befall_giving_up(struct case_result *r)
{
    r->measurement.gave_up = true;
}
static void befall_lost_server(struct case_result *r)
{
    r->measurement.rounds[5].server_known = false;
    r->measurement.server_counts_agree = false;
}
static void befall_idle_windows(struct case_result *r)
{
    for (size_t i = 0; i < MADE_UP_ROUNDS; i++)
        r->measurement.rounds[i].confirmed = 0;
}

static void statuses(void **state)
{
    static const struct {
        void (*befall)(struct case_result *result);
        enum case_status status;
        const char *reason; /* a part of it; "" : empty */
        bool figures, server;
    } rows[] = {
        {befall_nothing, STATUS_MEASURED, "", true, true},
        {befall_skip, STATUS_SKIPPED, "needs an RSA certificate", false, false},
        {befall_one_percent, STATUS_MEASURED, "60 of 6060 failed", true, true},
        {befall_more, STATUS_FAILED, "61 of 6061 failed", false, false},
        {befall_rejection, STATUS_FAILED, "0 of 64 confirmed: rejected", false, false},
        {befall_drift, STATUS_FAILED, "session resumed", false, false},
        {befall_unconfirmed, STATUS_FAILED, "100 of 6000 failed", false, false},
        {befall_unconfirmed_beside_failures, STATUS_FAILED,
         "102 of 6002 failed: finished here, but the server did not confirm it", false, false},
        {befall_all_twice, STATUS_FAILED, "6000 of 6000 failed: reset", false, false},
        {befall_contradiction, STATUS_FAILED, "counted differently", false, false},
        {befall_strangers, STATUS_MEASURED, "", true, false},
        {befall_interruption, STATUS_PARTIAL, "4 of 6 rounds", true, true},
        {befall_interruption_early, STATUS_PARTIAL, "not run", false, false},
        {befall_interruption_in_the_first_round, STATUS_PARTIAL, "no round was", false, false},
        {befall_interruption_in_the_first_ramp, STATUS_PARTIAL, "no round was", false, false},
        {befall_giving_up, STATUS_PARTIAL, "failures in a row", true, true},
        {befall_lost_server, STATUS_PARTIAL, "counters were lost", true, true},
        {befall_idle_windows, STATUS_FAILED, "inside a window", false, false},
    };

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct made_up *made = *state;
        struct case_summary summary;
        made->plan.count = 0;
        memset(&made->results[0], 0, sizeof made->results[0]);
        struct case_result *result = ecdsa(made);
        rows[row].befall(result);
        summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
        assert_string_equal(case_status_name(summary.status), case_status_name(rows[row].status));
        assert_non_null(strstr(summary.reason, rows[row].reason));
        assert_int_equal(summary.reason[0] == '\0', rows[row].reason[0] == '\0');
        assert_int_equal(summary.rate.count > 0, rows[row].figures);
        assert_int_equal(summary.client.known, rows[row].figures);
        assert_int_equal(summary.server.known, rows[row].server);
    }
}

static void bulk_without_payload(void **state)
{
    struct case_result *down =
        made_up_bulk(*state, TLS1_3_VERSION, AES, "ecdsa-p256", DIRECTION_DOWNLOAD, 0.8, 0.7);
    struct case_result *up =
        made_up_bulk(*state, TLS1_3_VERSION, AES, "ecdsa-p256", DIRECTION_UPLOAD, 0.8, 0.7);
    struct case_summary summary;

    for (size_t i = 0; i < MADE_UP_ROUNDS; i++) {
        down->measurement.rounds[i].bytes = 0;
        up->measurement.rounds[i].server_known = false;
    }
    summary_of(down, MADE_UP_ROUNDS, NULL, &summary);
    assert_int_equal(summary.status, STATUS_FAILED);
    assert_string_equal(summary.reason, "no payload arrived");
    summary_of(up, MADE_UP_ROUNDS, NULL, &summary);
    assert_int_equal(summary.status, STATUS_FAILED);
    assert_string_equal(summary.reason, "the server does not tell what arrived");
}

static void marks(void **state)
{
    struct case_result *result = ecdsa(*state);
    struct case_summary summary;

    result->measurement.rounds[0].confirmed = 880; /* interval 880 to 1000: half is 6 % */
    result->measurement.rounds[1].slow = true;
    result->measurement.rounds[2].steal_ns = 60 * NS_PER_MS; /* of 2400 ms on each of 2 CPUs */
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_true(summary.wide);
    assert_int_equal(summary.slow_rounds, 1);
    assert_near(summary.steal_share, 0.0125);

    result->measurement.rounds[0].confirmed = 1000;
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_false(summary.wide);
}

/* Rounds with ticks that fell into their neighbours even out; what is not known is no 0. */
static void others(void **state)
{
    struct case_result *result = ecdsa(*state);
    struct round *rounds = result->measurement.rounds;
    struct case_summary summary;

    rounds[1].others_ns = 260 * (int64_t)NS_PER_MS;
    rounds[2].others_ns = -20 * (int64_t)NS_PER_MS;
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_true(summary.others_known);
    assert_near(summary.others_share, 0.05);

    rounds[1].others_ns = 0;
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_true(summary.others_known);
    assert_near(summary.others_share, 0.0);

    rounds[1] = (struct round){.wall_ns = MADE_UP_WALL}; /* the server was lost */
    rounds[3].steal_ns = 20 * NS_PER_MS;
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_near(summary.steal_share, 0.005);
    result->measurement.round_count = 2; /* 0.4 s on 2 CPUs */
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_true(summary.steal_known);
    assert_false(summary.others_known);
    rounds[0].steal_cpus = 0;
    summary_of(result, MADE_UP_ROUNDS, NULL, &summary);
    assert_false(summary.steal_known);
}

static void relative_costs(void **state)
{
    struct case_result *base = ecdsa(*state);
    struct case_result *dear =
        made_up_handshake(*state, TLS1_3_VERSION, AES, "rsa-4096", "x25519", 2240, 300);
    struct case_result *alike =
        made_up_handshake(*state, TLS1_3_VERSION, AES, "ed25519", "x25519", 201, 400);
    struct case_summary summary;

    summary_of(dear, MADE_UP_ROUNDS, base, &summary);
    assert_true(summary.have_relative);
    assert_false(summary.relative_of_client);
    assert_near(summary.relative.median, 11.2); /* noise that both share is gone: paired */
    assert_near(summary.relative.low, 11.2);
    assert_false(summary.relative_unsure);

    alike->measurement.rounds[3].server_cpu_ns = 190000000;
    summary_of(alike, MADE_UP_ROUNDS, base, &summary);
    assert_true(summary.relative_unsure);

    summary_of(base, MADE_UP_ROUNDS, base, &summary);
    assert_near(summary.relative.median, 1.0);
    assert_false(summary.relative_unsure);

    for (size_t i = 0; i < MADE_UP_ROUNDS; i++)
        dear->measurement.rounds[i].server_known = false;
    summary_of(dear, MADE_UP_ROUNDS, base, &summary);
    assert_true(summary.relative_of_client);
    assert_near(summary.relative.median, 0.75);

    base->measurement.drifts = 1; /* a failed baseline is none */
    summary_of(alike, MADE_UP_ROUNDS, base, &summary);
    assert_false(summary.have_relative);
}

static void few_rounds_have_a_range(void **state)
{
    struct case_result *result = ecdsa(*state);
    struct case_summary summary;

    result->measurement.round_count = 3;
    summary_of(result, 3, result, &summary);
    assert_int_equal(summary.status, STATUS_MEASURED);
    assert_true(summary.rate.is_range);
    assert_int_equal(summary.server.cpu.count, 3);
}

/* Like with like: pairs that differ in the certificate alone come before the larger ratio between
 * cases that differ in more. */
static void largest_difference(void **state)
{
    struct made_up *made = *state;
    struct difference difference;

    assert_false(
        difference_largest(made->results, 0, MADE_UP_ROUNDS, MEASURE_HANDSHAKE, &difference));
    struct case_result *base = ecdsa(made);
    assert_false(
        difference_largest(made->results, 1, MADE_UP_ROUNDS, MEASURE_HANDSHAKE, &difference));
    struct case_result *dear =
        made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-4096", "x25519", 2240, 300);
    made_up_handshake(made, TLS1_2_VERSION, "AES128-GCM-SHA256", "rsa-3072", NULL, 20, 300);
    made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-2048", "x25519", 9999, 300)
        ->measurement.drifts = 1; /* failed: has no cost */

    assert_true(difference_largest(made->results, made->plan.count, MADE_UP_ROUNDS,
                                   MEASURE_HANDSHAKE, &difference));
    assert_ptr_equal(difference.dear, dear);
    assert_ptr_equal(difference.cheap, base);
    assert_near(difference.ratio.median, 11.2);
    assert_false(difference.unsure);
    for (int i = 0; i < DIFFERENCE_FIELDS; i++)
        assert_int_equal(difference.differs[i], i == DIFFERENCE_CERTIFICATE);
    assert_false(difference_largest(made->results, made->plan.count, MADE_UP_ROUNDS, MEASURE_BULK,
                                    &difference));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(handshake_figures, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(windows_are_not_mixed, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(bulk_figures, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(bottlenecks, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(statuses, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(bulk_without_payload, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(marks, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(others, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(relative_costs, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(few_rounds_have_a_range, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(largest_difference, made_up_setup, made_up_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
