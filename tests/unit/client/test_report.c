#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/credentials.h"
#include "client/report/grid.h"
#include "client/report/report.h"
#include "client/report/wrap.h"
#include "tests/support/made_up.h"

#define AES "TLS_AES_128_GCM_SHA256"

/* The report as one string; the caller frees. */
static char *render(const struct made_up *made, void (*report)(FILE *out, const json_t *result))
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    json_t *result = result_new(&made->record);

    assert_non_null(out);
    assert_non_null(result);
    report(out, result);
    fclose(out);
    json_decref(result);
    return text;
}

static void assert_lines_fit(const char *text)
{
    while (*text != '\0') {
        char line[1024];
        size_t length = strcspn(text, "\n");
        assert_true(length < sizeof line);
        memcpy(line, text, length);
        line[length] = '\0';
        assert_true(grid_width(line) <= WRAP_COLUMNS);
        assert_true(length == 0 || line[length - 1] != ' ');
        text += length + 1;
    }
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fputs(text, stderr);
        fail_msg("missing: %s", part);
    }
}

/* As assert_has, wherever the report breaks its lines. */
static void assert_says(const char *text, const char *part)
{
    char *flat = memory_copy_text(text), *to = flat;

    for (const char *from = text; *from != '\0'; from++) {
        bool is_break = *from == '\n';
        from += is_break ? strspn(from, "\n ") - 1 : 0;
        *to++ = is_break ? ' ' : *from;
    }
    *to = '\0';
    assert_has(flat, part);
    free(flat);
}

static void assert_has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        fputs(text, stderr);
        fail_msg("must not be there: %s", part);
    }
}

static void handshake_table(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-4096", "x25519", 2240, 330);
    made_up_handshake(made, TLS1_2_VERSION, "AES128-GCM-SHA256", "rsa-2048", NULL, 201, 123)
        ->measurement.rounds[3]
        .server_cpu_ns = 190000000;
    char *text = render(made, report_table);
    assert_has(text,
               "embedded server at 127.0.0.1:40123, 2026-11-30T14:28:00Z, 78.0 s\n"
               "client  OpenSSL 3.0.19, Some CPU, 2 cores, kernel 6.1.0, glibc 2.36\n"
               "server  the same host and library, in a process of its own\n"
               "method  6 rounds × 400 ms, cases in turn (seed 42), 1 client thread\n"
               "each    server closes first, no tickets, no resumption, chain not verified\n");
    assert_has(
        text,
        "Full handshakes: closed loop, 16 in flight, confirmed by server\n"
        "TLS  certificate  suite                   group      rate   server  client  capacity  "
        "bottleneck       p50     vs\n"
        "                                                    /s ±%    µs ±%   µs ±%   /s/core  "
        "c/s busy %        ms      ×\n"
        "1.3  ecdsa-p256   TLS_AES_128_GCM_SHA256  x25519  2500 ±0   200 ±1  400 ±1     ~5000  "
        "client 100/50  0.848   1.00\n"
        "1.3  rsa-4096     TLS_AES_128_GCM_SHA256  x25519  2500 ±0  2240 ±1  330 ±1      ~446  "
        "client 100/50  0.848   11.2\n");
    assert_says(text,
                "Largest difference: rsa-4096 costs the server 11.2 × ecdsa-p256 (95 % interval "
                "11.2 to 11.2; both TLS 1.3, TLS_AES_128_GCM_SHA256, x25519).");
    assert_has(text, "~ before a ratio");
    assert_has(text, "Loopback bills the sender");
    assert_has_not(text, "wide");
    assert_has_not(text, "steal");
    assert_has_not(text, "other processes");
    assert_lines_fit(text);
    free(text);
}

/* Not as they were planned. */
static void windows_as_they_were(void **state)
{
    struct made_up *made = *state;
    struct round *rounds =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400)
            ->measurement.rounds;
    made->plan.schedule.window_ns = 3 * NS_PER_S;
    rounds[5].wall_ns = MADE_UP_WALL + 19 * NS_PER_MS;
    char *text = render(made, report_table);
    assert_has(text, "method  6 rounds × 419 ms, cases");
    free(text);
    rounds[2].wall_ns = MADE_UP_WALL / 4;
    text = render(made, report_table);
    assert_has(text, "method  6 rounds × 100 to 419 ms, cases");
    free(text);
}

/* What the server did, whatever was asked of it. */
static void tickets_as_seen(void **state)
{
    struct made_up *made = *state;
    struct case_result *first =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made->plan.load.tickets = 5;
    first->measurement.tickets = 1;
    char *text = render(made, report_table);
    assert_has(text, "each    server closes first, 1 ticket, no resumption");
    free(text);
    made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-2048", "x25519", 200, 400)
        ->measurement.tickets = 2;
    text = render(made, report_table);
    assert_has(text, "each    server closes first, up to 2 tickets, no resumption");
    free(text);
}

/* It costs both ends. */
static void client_certificate_is_told(void **state)
{
    static const struct credentials shown = {.have_identity = true};
    struct made_up *made = *state;
    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made->plan.load.credentials = &shown;
    char *text = render(made, report_table);
    assert_says(text, "no resumption, client certificate where asked for, chain not verified");
    free(text);
}

static void longest_names_fit(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_2_VERSION, "ECDHE-ECDSA-CAMELLIA128-SHA256", "ecdsa-p256",
                      "x25519", 234, 2345)
        ->measurement.rounds[0]
        .slow = true;
    made_up_handshake(made, TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", "rsa-pss-2048",
                      "X25519MLKEM768", 12345, 2345)
        ->measurement.rounds[0]
        .confirmed = 100;
    made_up_handshake(made, TLS1_2_VERSION, "ECDHE-RSA-AES256-GCM-SHA384", "rsa-3072", "p-521", 1,
                      1)
        ->measurement.drifts = 1;
    char *text = render(made, report_table);
    assert_lines_fit(text);
    assert_has(text, "ECDHE-ECDSA-");
    assert_has(text, "*");
    assert_has(text, "! the rate's interval is wide");
    free(text);
}

/* Upload and download, two kinds and two groups: nothing can go into the title. */
static void longest_bulk_fits(void **state)
{
    struct made_up *made = *state;

    made_up_bulk(made, TLS1_2_VERSION, "ECDHE-ECDSA-CAMELLIA128-SHA256", "ecdsa-p256",
                 DIRECTION_DOWNLOAD, 12.34, 11.11);
    made_up_bulk(made, TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", "rsa-pss-2048",
                 DIRECTION_UPLOAD, 0.75, 0.77);
    struct test_case what = made_up_what(TLS1_3_VERSION, AES, "ed25519", "X25519MLKEM768");
    what.measure = MEASURE_BULK;
    what.record_size = 1024;
    made_up_add(made, &what, 1, 1);
    char *text = render(made, report_table);
    assert_lines_fit(text);
    assert_has(text, "download");
    assert_has(text, "MB/s ±%");
    free(text);
}

static void bulk_table(void **state)
{
    struct made_up *made = *state;

    made_up_bulk(made, TLS1_3_VERSION, AES, "ecdsa-p256", DIRECTION_DOWNLOAD, 0.75, 0.7);
    made_up_bulk(made, TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", "ecdsa-p256",
                 DIRECTION_DOWNLOAD, 1.5, 0.7);
    char *text = render(made, report_table);
    assert_has(text, "Bulk transfer: closed loop, 1 in flight, certificate ecdsa-p256, group "
                     "x25519, confirmed by server, record 16k,\n  direction download\n"
                     "TLS  suite                            rate    server    client   capacity  "
                     "bottleneck       vs\n");
    assert_has(text, "1000 ±0  0.750 ±1  0.700 ±1      ~1333  client 100/50  1.00\n");
    assert_has(text, "TLS_CHACHA20_POLY1305_SHA256 costs the server 2.00 × TLS_AES_128_GCM_SHA256");
    assert_lines_fit(text);
    free(text);
}

static void failures_show_no_number(void **state)
{
    struct made_up *made = *state;
    struct failure failure;

    failure_set(&failure, FAILURE_REJECTED, "alert certificate\trequired"); /* no control bytes */
    struct case_result *failed =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 777, 888);
    failed->measurement.confirmed = 0;
    failure_table_add(&failed->measurement.failures, &failure, failed->measurement.attempted);
    made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-2048", "x25519", 200, 400);
    made_up_handshake(made, TLS1_2_VERSION, "AES128-GCM-SHA256", "rsa-pss-2048", NULL, 555, 666)
        ->skipped = "static RSA needs a plain RSA certificate";
    made_up_bulk(made, TLS1_3_VERSION, AES, "rsa-2048", DIRECTION_UPLOAD, 1, 1)->skipped =
        "target takes no uploads";
    char *text = render(made, report_table);
    assert_has(text, "SHA256  failed: 0 of 6000 confirmed: rejected: alert certificate required\n");
    assert_says(text, "failed   handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519: 0 of 6000 "
                      "confirmed: rejected: alert certificate required");
    assert_has(text, "skipped  handshake/1.2/AES128-GCM-SHA256/rsa-pss-2048");
    assert_has(text, "static RSA needs a plain RSA certificate");
    assert_has(text, "bulk: no case could be run\nskipped  bulk/1.3/");
    assert_has_not(text, "777");
    assert_has_not(text, "888");
    assert_has_not(text, "555");
    assert_has_not(text, "0.00");
    assert_has_not(text, "Largest difference");
    assert_says(text, "the first row"); /* with figures: the failed one is no baseline */
    assert_lines_fit(text);
    free(text);
}

/* No target was asked, so nothing is said of one. */
static void nothing_was_run(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_2_VERSION, "AES128-GCM-SHA256", "rsa-pss-2048", NULL, 555, 666)
        ->skipped = "static RSA needs a plain RSA certificate";
    made->record.target = made->record.address = "";
    made->record.server_environment = NULL;
    char *text = render(made, report_table);
    assert_has(text, ": nothing was run, 2026-11-30T14:28:00Z, 78.0 s\n\n"
                     "handshake: no case could be run\nskipped  handshake/1.2/");
    free(text);
}

/* Failures that a status tolerates stand beside the number, and what went wrong is told. */
static void marks_are_explained(void **state)
{
    struct made_up *made = *state;
    struct failure failure;
    struct case_result *tolerated =
        made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    struct case_result *partial =
        made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-2048", "x25519", 400, 400);

    failure_set(&failure, FAILURE_RESET, NULL);
    failure_table_add(&tolerated->measurement.failures, &failure, 3);
    tolerated->measurement.rounds[0].slow = true;
    partial->measurement.round_count = 5;
    partial->measurement.rounds[1].steal_ns = MADE_UP_WALL;
    partial->measurement.rounds[2].others_ns = MADE_UP_WALL / 2; /* of 5 windows on 2 CPUs: 5 % */
    char *text = render(made, report_table);
    assert_has(text, "1.00  *#\n");
    assert_has(text, "2.00  so#\n");
    assert_has(text, "\ns another virtual machine");
    assert_has(text, "\no other processes used these CPUs");
    assert_has(text, "\n* a round on a machine");
    assert_has(text, "\n# with failures");
    assert_has(text, "of their range under 6 rounds");
    assert_has(text, "measured handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519: 3 of 6000 "
                     "failed: ");
    assert_has(text,
               "partial  handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519: 5 of 6 rounds");
    free(text);
}

static void unknown_server(void **state)
{
    struct made_up *made = *state;
    struct case_result *results[2];

    results[0] = made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    results[1] = made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-2048", "x25519", 500, 300);
    for (size_t i = 0; i < 2; i++) {
        for (size_t round = 0; round < MADE_UP_ROUNDS; round++)
            results[i]->measurement.rounds[round].server_known = false;
        results[i]->measurement.confirmed_by = CONFIRM_CLOSE;
        snprintf(results[i]->measurement.note, sizeof results[i]->measurement.note,
                 "server counters not reachable");
    }
    results[0]->measurement.http_status = 400; /* the note comes first */
    made->record.server_environment = NULL;
    char *text = render(made, report_table);
    assert_has(text, "confirmed by close");
    assert_has(text, "client 100/–");
    assert_has(text, "costs the client 1.33 ×");
    assert_says(text, "the client's cost over that of the first row");
    assert_has(text, "note     2 cases: server counters not reachable\n");
    assert_has(text, "server  not known");
    assert_says(text, "for another one on this host give --server-pid");
    assert_has_not(text, "capacity");
    assert_lines_fit(text);
    free(text);
}

static void few_rounds_say_range(void **state)
{
    struct made_up *made = *state;

    made->plan.schedule.rounds = 3;
    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400)
        ->measurement.round_count = 3;
    made_up_handshake(made, TLS1_3_VERSION, AES, "ed25519", "x25519", 200, 400)
        ->measurement.round_count = 3;
    made->results[1].measurement.rounds[0].server_cpu_ns = 190000000;
    char *text = render(made, report_table);
    assert_says(text, "half of their range (too few");
    assert_says(text, "No sure difference: at most, ecdsa-p256 costs the server 1.00 × ed25519");
    assert_says(text, "which includes 1.00");
    free(text);
}

/* Of one pair there is no interval that could include anything. */
static void one_pair_says_so(void **state)
{
    struct made_up *made = *state;

    made->plan.schedule.rounds = 1;
    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400)
        ->measurement.round_count = 1;
    made_up_handshake(made, TLS1_3_VERSION, AES, "rsa-2048", "x25519", 234, 400)
        ->measurement.round_count = 1;
    char *text = render(made, report_table);
    assert_says(text, "No sure difference: at most, rsa-2048 costs the server 1.17 × ecdsa-p256 "
                      "(from one pair of rounds; both TLS 1.3,");
    assert_has_not(text, "includes 1.00");
    assert_says(text, "~ before a ratio: from one pair of rounds.");
    free(text);
}

static void nothing_at_all(void **state)
{
    char *text = render(*state, report_table);
    assert_has(text, "suitemark");
    assert_has_not(text, "rate");
    free(text);

    json_t *strange = json_pack("{s:[{s:s, s:s}, n, i], s:s}", "cases", "measure", "handshake",
                                "rate", "fast", 3, "environment", "none");
    FILE *out = open_memstream(&text, &(size_t){0});
    report_table(out, strange); /* a document from elsewhere is read as far as it goes */
    fclose(out);
    free(text);
    json_decref(strange);
}

static void json_report_reads_back(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made_up_bulk(made, TLS1_3_VERSION, AES, "rsa-2048", DIRECTION_UPLOAD, 1, 1);
    char *text = render(made, report_json);
    json_error_t where;
    json_t *back = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    json_t *result = result_new(&made->record);
    assert_non_null(back);
    assert_int_equal(json_object_size(back), json_object_size(result));
    assert_true(
        json_equal(json_object_get(back, "parameters"), json_object_get(result, "parameters")));
    assert_int_equal(json_array_size(json_object_get(back, "cases")), 2);
    assert_has(text, "\n    {\"id\": \"bulk/1.3/");
    json_decref(back);
    json_decref(result);
    free(text);
}

static char *render_plan(const struct plan *plan)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    assert_non_null(out);
    report_plan(out, plan);
    fclose(out);
    return text;
}

static void plan_report(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    made_up_handshake(made, TLS1_2_VERSION, "AES128-GCM-SHA256", "rsa-pss-2048", NULL, 1, 1);
    snprintf(made->plan.cases[1].skipped, sizeof made->plan.cases[1].skipped, "no such thing");
    made->plan.schedule.total_ns = 78 * NS_PER_S;
    char *text = render_plan(&made->plan);
    assert_has(text, "1 case × 6 rounds, window 400 ms, about 78 s, seed 42, 1 skipped\n");
    assert_has(text, "\n  handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519\n");
    assert_has(text, "skipped: no such thing\n");
    assert_has_not(text, "minimum");
    assert_lines_fit(text);
    free(text);

    made->plan.schedule.too_tight = true;
    made->plan.time_ns = 20 * NS_PER_S;
    text = render_plan(&made->plan);
    assert_has(text, "more than the 20 s asked for");
    free(text);

    made->plan.cases[0] = made->plan.cases[1]; /* a schedule of nothing is none */
    text = render_plan(&made->plan);
    assert_ptr_equal(strstr(text, "no case can be run, 2 skipped\n  handshake/1.2/"), text);
    assert_has_not(text, "window");
    assert_has_not(text, "closed loop");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tickets_as_seen, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(client_certificate_is_told, made_up_setup,
                                        made_up_teardown),
        cmocka_unit_test_setup_teardown(nothing_was_run, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(windows_as_they_were, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(handshake_table, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(longest_names_fit, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(longest_bulk_fits, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(bulk_table, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(failures_show_no_number, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(marks_are_explained, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(unknown_server, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(few_rounds_say_range, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(one_pair_says_so, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(nothing_at_all, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(json_report_reads_back, made_up_setup, made_up_teardown),
        cmocka_unit_test_setup_teardown(plan_report, made_up_setup, made_up_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
