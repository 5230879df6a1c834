#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/layers/case_layers.h"
#include "client/report/field.h"
#include "client/report/grid.h"
#include "client/report/report.h"
#include "client/report/wrap.h"
#include "tests/support/made_up.h"

#include <math.h>

#define AES    "TLS_AES_128_GCM_SHA256"
#define VISITS MADE_UP_ROUNDS

/* The wire's user and system time of made_up.h: three to one on the client, one to one on the
 * server. */

static int setup(void **state)
{
    struct made_up *made = memory_new(1, sizeof *made);

    made_up_init(made);
    *state = made;
    return 0;
}

static int teardown(void **state)
{
    struct made_up *made = *state;

    for (size_t i = 0; i < made->plan.count; i++)
        free((void *)(uintptr_t)made->results[i].layers);
    made_up_cleanup(made);
    free(made);
    return 0;
}

/* Gives a case layers whose medians are exactly these. */
static struct case_layers *add_layers(struct case_result *result)
{
    struct case_layers *layers = memory_new(1, sizeof *layers);

    result->layers = layers;
    return layers;
}

static void set_side(struct case_layers *layers, enum work_side side, enum work_component first,
                     double first_cost, enum work_component second, double second_cost,
                     double memory)
{
    struct layer_values *values = &layers->sides[side];

    for (unsigned i = 0; i < VISITS; i++) {
        values->components[first][i] = first_cost * made_up_factor(i);
        values->components[second][i] = second_cost * made_up_factor(i);
        values->primitive[i] = (first_cost + second_cost) * made_up_factor(i);
        values->memory[i] = memory * made_up_factor(i);
    }
    layers->primitive_count = layers->memory_count = VISITS;
}

/* A handshake of 200 us on the server and 400 us on the client. */
static struct case_layers *add_handshake(struct made_up *made, const char *kind, double server_us)
{
    struct case_layers *layers =
        add_layers(made_up_handshake(made, TLS1_3_VERSION, AES, kind, "x25519", server_us, 400));

    set_side(layers, WORK_SERVER, WORK_SIGNATURE, server_us - 150, WORK_KEY_EXCHANGE, 50,
             server_us - 60);
    set_side(layers, WORK_CLIENT, WORK_SIGNATURE, 50, WORK_KEY_EXCHANGE, 50, 300);
    return layers;
}

static void assert_number(const json_t *object, const char *path, double wanted)
{
    double value = NAN;

    if (!field_number(object, path, &value) || fabs(value - wanted) > 1e-3)
        fail_msg("%s is %g instead of %g", path, value, wanted);
}

static json_t *layers_of_first(const struct made_up *made, json_t **result)
{
    *result = result_new(&made->record);
    assert_non_null(*result);
    return json_object_get(json_array_get(json_object_get(*result, "cases"), 0), "layers");
}

static void handshake_json(void **state)
{
    struct made_up *made = *state;
    json_t *result, *layers;

    add_handshake(made, "ecdsa-p256", 200);
    layers = layers_of_first(made, &result);
    assert_number(layers, "server.primitive_us.median", 100);
    assert_number(layers, "server.primitive_us.rounds", VISITS);
    assert_number(layers, "server.components_us.signature", 50);
    assert_number(layers, "server.components_us.key_exchange", 50);
    assert_int_equal(json_object_size(field_at(layers, "server.components_us")), 2);
    assert_number(layers, "server.memory_us.median", 140);
    assert_number(layers, "server.wire_us.median", 200);
    assert_number(layers, "server.wire_us.user", 100);
    assert_number(layers, "server.wire_us.system", 100);
    assert_number(layers, "server.efficiency", 0.5);
    assert_number(layers, "server.shares.signature", 0.25);
    assert_number(layers, "server.shares.libssl", 0.2);
    assert_number(layers, "server.shares.kernel", 0.5);
    assert_number(layers, "server.shares.rest", -0.2); /* sampled system time is rough */
    assert_number(layers, "client.primitive_us.median", 100);
    assert_number(layers, "client.memory_us.median", 300);
    assert_number(layers, "client.wire_us.median", 400);
    assert_number(layers, "client.efficiency", 0.25);
    assert_number(layers, "client.shares.kernel", 0.25);
    assert_number(layers, "client.shares.rest", 0);
    assert_true(json_is_null(json_object_get(layers, "hint")));
    assert_true(json_is_null(json_object_get(layers, "reason")));
    json_decref(result);
}

static void bulk_json(void **state)
{
    struct made_up *made = *state;
    struct case_layers *layers = add_layers(
        made_up_bulk(made, TLS1_3_VERSION, AES, "ecdsa-p256", DIRECTION_DOWNLOAD, 0.5, 0.75));
    json_t *result, *json;

    set_side(layers, WORK_SERVER, WORK_CIPHER, 256, WORK_MAC, 0, 300);
    set_side(layers, WORK_CLIENT, WORK_CIPHER, 192, WORK_MAC, 0, 400);
    json = layers_of_first(made, &result);
    assert_number(json, "server.primitive_ns_per_kib.median", 256);
    assert_number(json, "server.components_ns_per_kib.cipher", 256);
    assert_number(json, "server.wire_ns_per_kib.median", 512);
    assert_number(json, "server.wire_ns_per_kib.system", 256);
    assert_number(json, "server.efficiency", 0.5);
    assert_number(json, "client.wire_ns_per_kib.median", 768);
    assert_number(json, "client.efficiency", 0.25);
    assert_null(field_at(json, "client.wire_us"));
    json_decref(result);
}

/* What is not known is null and never 0. */
static void nulls(void **state)
{
    struct made_up *made = *state;
    struct case_layers *layers = add_handshake(made, "ecdsa-p256", 200);
    json_t *result, *json;

    made->record.embedded = false;
    json = layers_of_first(made, &result);
    assert_true(json_is_null(json_object_get(json, "server")));
    assert_string_equal(field_text(json, "hint"), "run `suitemark evp` on the server");
    assert_number(json, "client.efficiency", 0.25);
    json_decref(result);

    made->record.embedded = true;
    layers->primitive_count = 0;
    snprintf(layers->no_primitive, sizeof layers->no_primitive, "unknown primitive \"x\"");
    json = layers_of_first(made, &result);
    assert_null(field_at(json, "server.primitive_us"));
    assert_null(field_at(json, "server.components_us"));
    assert_null(field_at(json, "server.efficiency"));
    assert_null(field_at(json, "server.shares"));
    assert_number(json, "server.memory_us.median", 140);
    assert_string_equal(field_text(json, "reason"), "primitive: unknown primitive \"x\"");
    json_decref(result);

    made->results[0].skipped = "some reason";
    json = layers_of_first(made, &result);
    assert_true(json_is_null(json));
    json_decref(result);
}

/* A case that failed has no wire: its layers stand alone. */
static void failed_case(void **state)
{
    struct made_up *made = *state;
    json_t *result, *json;

    add_handshake(made, "ecdsa-p256", 200);
    made->results[0].measurement.drifts = 1;
    json = layers_of_first(made, &result);
    assert_null(field_at(json, "server.wire_us"));
    assert_null(field_at(json, "server.efficiency"));
    assert_number(json, "server.memory_us.median", 140);
    json_decref(result);
}

/* --- the table --- */

static char *render(const struct made_up *made)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    json_t *result = result_new(&made->record);

    assert_non_null(out);
    report_table(out, result);
    fclose(out);
    json_decref(result);
    return text;
}

/* Finds a sentence wherever the lines were broken. */
static void assert_says(const char *text, const char *sentence)
{
    char *flat = memory_copy_text(text);
    size_t length = 0;

    for (const char *from = text; *from != '\0'; from++) {
        bool blank = *from == ' ' || *from == '\n';
        if (blank && length > 0 && flat[length - 1] == ' ')
            continue;
        flat[length++] = blank ? ' ' : *from;
    }
    flat[length] = '\0';
    if (!strstr(flat, sentence))
        fail_msg("\"%s\" is not in:\n%s", sentence, text);
    free(flat);
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
        text += length + (text[length] == '\n');
    }
}

static void table(void **state)
{
    struct made_up *made = *state;

    add_handshake(made, "ecdsa-p256", 200);
    add_handshake(made, "rsa-4096", 4000);
    add_handshake(made, "rsa-2048", 500);
    char *text = render(made);
    assert_says(text, "Full handshakes by layers: CPU µs per handshake, group x25519");
    assert_says(text, "server client");
    assert_says(text, "prim mem wire user/sys eff% prim mem wire user/sys eff%");
    assert_says(text, " 1.3 rsa-2048 TLS_AES_128_GCM_SHA256 400 440 500 250/250 80 100 300 400 "
                      "300/100 25 ");
    assert_says(text, "Where the cost is: ecdsa-p256, server: signature 25 %, key exchange 25 %, "
                      "libssl 20 %, kernel 50 % (20 % over in all: each is measured apart); "
                      "rsa-4096, server: signature 96 %, key exchange 1 %, libssl 1 %, kernel "
                      "50 % (48 % over in all: each is measured apart). ");
    assert_lines_fit(text);
    free(text);
}

/* The server's columns are left out, the sentence is the client's, and the legend has the hint. */
static void foreign_server(void **state)
{
    struct made_up *made = *state;

    struct case_layers *layers = add_handshake(made, "ecdsa-p256", 200);
    set_side(layers, WORK_CLIENT, WORK_SIGNATURE, 40, WORK_KEY_EXCHANGE, 60, 300);
    made->record.embedded = false;
    char *text = render(made);
    assert_says(text, "Where the cost is: ecdsa-p256, client: signature 10 %, key exchange 15 %, "
                      "libssl 50 %, kernel 25 %. ");
    assert_says(text, "not known from here: run `suitemark evp` on the server.");
    assert_lines_fit(text);
    free(text);
}

static void longest_names(void **state)
{
    struct made_up *made = *state;
    struct case_layers *layers;

    layers = add_layers(made_up_handshake(made, TLS1_2_VERSION, "ECDHE-ECDSA-CAMELLIA256-SHA384",
                                          "ecdsa-p521", "brainpoolP512r1", 12345, 23456));
    set_side(layers, WORK_SERVER, WORK_SIGNATURE, 4000, WORK_KEY_EXCHANGE, 6000, 11000);
    set_side(layers, WORK_CLIENT, WORK_SIGNATURE, 9000, WORK_KEY_EXCHANGE, 9000, 20000);
    add_handshake(made, "rsa-pss-2048", 500);
    char *text = render(made);
    assert_says(text, "by layers");
    assert_lines_fit(text);
    free(text);
}

static void without_layers(void **state)
{
    struct made_up *made = *state;

    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    char *text = render(made);
    assert_null(strstr(text, "layers"));
    free(text);
}

/* --- the plan --- */

static const struct rule {
    const char *line;
    bool layers;
} rules[] = {
    {"", true},
    {"--measure bulk", true},
    {"--layers on", true},
    {"--layers off", false},
    {"--layers auto --certs rsa-2048", false},
    {"--layers on --certs rsa-2048 localhost", true},
    {"localhost", false},
    {"--duration 1s", false},
    {"--time 29s", false},
    {"--time 30s", true},
    {"--time 5s --layers on", true},
};

static bool parse(const char *line, struct run_options *options, struct error *err)
{
    struct text_list words = {0};
    char *argv[8] = {(char *)(uintptr_t) "run"};
    int argc = 1;

    text_list_add_split(&words, line, " ");
    for (size_t i = 0; i < words.count; i++)
        argv[argc++] = words.items[i];
    bool ok = run_options_parse(argc, argv, options, err);
    text_list_cleanup(&words);
    return ok;
}

static void when(void **state)
{
    struct library_facts facts = {.version = 0x30000000L};

    (void)state;
    memset(facts.suites, 1, sizeof facts.suites);
    memset(facts.kinds, 1, sizeof facts.kinds);
    memset(facts.groups, 1, sizeof facts.groups);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct run_options options;
        struct plan plan;
        struct error err = {""};
        printf("# \"%s\"\n", rules[i].line);
        assert_true(parse(rules[i].line, &options, &err));
        assert_true(plan_build(&options, &facts, &plan, &err));
        assert_int_equal(plan.layers, rules[i].layers);
        assert_int_equal(plan.schedule.layers_ns > 0, rules[i].layers);
        plan_cleanup(&plan);
        run_options_cleanup(&options);
    }
}

static void refused(void **state)
{
    struct run_options options;
    struct error err = {""};

    (void)state;
    assert_false(parse("--layers on --client-cert c.pem localhost", &options, &err));
    assert_non_null(strstr(err.text, "--layers on: "));
    assert_false(parse("--layers maybe", &options, &err));
    assert_non_null(strstr(err.text, "auto, on"));
}

/* What the layers take is taken from the windows and not added to the run. */
static void schedule(void **state)
{
    struct made_up *made = *state;
    struct plan *plan = &made->plan;
    struct schedule without;

    made_up_handshake(made, TLS1_3_VERSION, AES, "ecdsa-p256", "x25519", 200, 400);
    plan->time_ns = 20 * NS_PER_S;
    plan_schedule(plan, 0);
    without = plan->schedule;
    assert_int_equal(without.layers_ns, 0);
    plan->layers = true;
    plan_schedule(plan, 0);
    assert_true(plan->schedule.layers_ns > 0);
    assert_int_equal(plan->schedule.window_ns + plan->schedule.layers_ns, without.window_ns);
    assert_int_equal(plan->schedule.total_ns, without.total_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(handshake_json, setup, teardown),
        cmocka_unit_test_setup_teardown(bulk_json, setup, teardown),
        cmocka_unit_test_setup_teardown(nulls, setup, teardown),
        cmocka_unit_test_setup_teardown(failed_case, setup, teardown),
        cmocka_unit_test_setup_teardown(table, setup, teardown),
        cmocka_unit_test_setup_teardown(foreign_server, setup, teardown),
        cmocka_unit_test_setup_teardown(longest_names, setup, teardown),
        cmocka_unit_test_setup_teardown(without_layers, setup, teardown),
        cmocka_unit_test(when),
        cmocka_unit_test(refused),
        cmocka_unit_test_setup_teardown(schedule, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
