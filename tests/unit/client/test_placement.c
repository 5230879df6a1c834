#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/placement.h"

#include <stdio.h>
#include <string.h>

static void list_text(const struct cpu_list *list, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->count; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%d", i ? "," : "", list->cpus[i]);
}

/* CPU numbers that no machine has siblings for, so that the rows are the same everywhere. */
static const struct cpu_list four = {{900, 901, 902, 903}, 4};
static const struct cpu_list one = {{900}, 1};

static const struct row {
    const char *what, *pin;
    const struct cpu_list *allowed;
    bool embedded;
    unsigned threads;
    int first_pin, second_pin;
    const char *server, *all;
    bool shared;
} rows[] = {
    {"one thread a side", "auto", &four, true, 1, 900, -1, "901", "900,901", false},
    {"two threads a side", "auto", &four, true, 2, 900, 901, "902,903", "900,901,902,903", false},
    {"too few CPUs", "auto", &four, true, 3, -1, -1, "", "", true},
    {"one CPU for both", "auto", &one, true, 1, -1, -1, "", "", true},
    {"nothing pinned", "none", &four, true, 1, -1, -1, "", "", true},
    {"a target elsewhere", "auto", &four, false, 2, 900, 901, "", "900,901", false},
    {"more threads than CPUs", "auto", &one, false, 2, -1, -1, "", "", false},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct load_settings load = {.threads = row->threads};
        struct placement placement;
        char text[64];
        struct error err;
        print_message("%s\n", row->what);
        assert_true(
            placement_choose(row->pin, row->allowed, row->embedded, &load, &placement, &err));
        assert_int_equal(load.pins[0], row->first_pin);
        assert_int_equal(load.pins[1], row->second_pin);
        list_text(&placement.server, text, sizeof text);
        assert_string_equal(text, row->server);
        list_text(&placement.all, text, sizeof text);
        assert_string_equal(text, row->all);
        /* Each side's CPUs apart: their sums must not hold one twice. */
        assert_int_equal(placement.client.count + placement.server.count, placement.all.count);
        assert_int_equal(placement.client.count > 0 ? placement.client.cpus[0] : -1,
                         row->first_pin);
        assert_int_equal(placement.shared, row->shared);
        assert_false(placement.siblings);
    }
}

static void test_apart(void **state)
{
    (void)state;
    static const struct {
        const char *configuration;
        size_t client_count;
        bool apart;
    } told[] = {
        {"{\"pinned\": true, \"cpus\": [902, 903]}", 2, true},
        {"{\"pinned\": true, \"cpus\": [901, 902]}", 2, false},
        {"{\"pinned\": false, \"cpus\": [902, 903]}", 2, false},
        {"{\"pinned\": true, \"cpus\": [902]}", 0, false}, /* the client runs anywhere */
        {"{}", 2, false},
    };
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        struct placement placement = {.client = {{900, 901}, told[i].client_count}};
        json_t *configuration = json_loads(told[i].configuration, 0, NULL);
        assert_non_null(configuration);
        assert_int_equal(placement_is_apart(&placement, configuration), told[i].apart);
        json_decref(configuration);
    }
    struct placement placement = {.client = {{900}, 1}};
    assert_false(placement_is_apart(&placement, NULL));
}

static void test_listed(void **state)
{
    (void)state;
    struct cpu_list allowed;
    struct load_settings load = {.threads = 2};
    struct placement placement;
    char pin[16];
    struct error err;
    assert_true(host_allowed_cpus(&allowed, &err));
    (void)snprintf(pin, sizeof pin, "%d", allowed.cpus[0]);
    assert_true(placement_choose(pin, &allowed, true, &load, &placement, &err));
    assert_int_equal(load.pins[0], allowed.cpus[0]);
    assert_int_equal(load.pins[1], allowed.cpus[0]);
    assert_int_equal(placement.server.count, allowed.count > 2 ? 2 : allowed.count - 1);
    assert_false(placement_choose("0,x", &allowed, true, &load, &placement, &err));
    assert_non_null(strstr(err.text, "--pin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
