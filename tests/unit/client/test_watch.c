#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/edge.h"
#include "client/watch.h"
#include "common/base/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void list_text(const struct cpu_list *list, char text[static 64])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->count; i++)
        length += (size_t)snprintf(text + length, 64 - length, "%s%d", i ? "," : "", list->cpus[i]);
}

static const struct processes strangers = {.count = 0};

/* The client may run on CPUs 0 and 1. */
static const struct row {
    const char *what;
    struct cpu_list client;
    bool here;
    const char *configuration; /* NULL: a stranger */
    const char *steal;
    unsigned server_cpus;
    const char *busy;
} rows[] = {
    {"both pinned", {{0}, 1}, true, "{\"cpus\": [1]}", "0", 1, "0,1"},
    {"a server that is not pinned", {{0}, 1}, true, "{\"cpus\": [0, 1]}", "", 2, "0,1"},
    {"a client that is not pinned", {{0}, 0}, true, "{\"cpus\": [1]}", "0", 1, ""},
    {"neither is pinned", {{0}, 0}, true, "{\"cpus\": [0, 1]}", "", 2, ""},
    {"elsewhere, with like numbers", {{0}, 1}, false, "{\"cpus\": [0, 1, 2]}", "0", 3, ""},
    {"a stranger", {{0}, 1}, true, NULL, "0", 0, ""},
    {"a stranger elsewhere", {{0}, 0}, false, NULL, "0,1", 0, ""},
};

static void chooses_cpus(void **state)
{
    static const struct cpu_list allowed = {{0, 1}, 2};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        json_t *configuration = row->configuration ? json_loads(row->configuration, 0, NULL) : NULL;
        struct watch watch;
        char text[64];
        print_message("%s\n", row->what);
        watch_choose(&row->client, &allowed, row->here, configuration, &strangers, &watch);
        list_text(&watch.steal, text);
        assert_string_equal(text, row->steal);
        assert_int_equal(watch.server_cpus, row->server_cpus);
        list_text(&watch.busy, text);
        assert_string_equal(text, row->busy);
        json_decref(configuration);
    }
}

/* A stranger's processes may run where the system lets them. */
static void named_processes_are_where_they_may_run(void **state)
{
    struct cpu_list allowed, client = {.count = 1};
    struct processes self = {.pids = {getpid()}, .count = 1};
    struct watch watch;
    struct error err;
    (void)state;
    assert_true(host_allowed_cpus(&allowed, &err));
    client.cpus[0] = allowed.cpus[0];
    watch_choose(&client, &allowed, true, NULL, &self, &watch);
    assert_int_equal(watch.busy.count, allowed.count);
    assert_int_equal(watch.server_cpus, 0);
    assert_int_equal(watch.steal.count, 1);
}

/* A window of 1 s on two CPUs, which gave 0.4 s to no process; the client used 0.9 s, and the
 * server 0.55 s in a window of its own of 1.1 s: 0.2 s are left. */
static void others_are_what_is_left(void **state)
{
    static const struct watch watch = {.busy = {{0, 1}, 2}};
    struct edge from = {.free_known = true, .free_ns = 700 * NS_PER_MS};
    struct edge to = {.free_known = true, .free_ns = 1100 * NS_PER_MS};
    struct round round = {.wall_ns = NS_PER_S,
                          .server_known = true,
                          .server_cpu_ns = 550 * NS_PER_MS,
                          .server_wall_ns = 1100 * NS_PER_MS};
    (void)state;
    from.process_ns = NS_PER_S;
    to.process_ns = 1900 * NS_PER_MS;
    edge_round_others(&round, &from, &to, &watch);
    assert_int_equal(round.others_cpus, 2);
    assert_int_equal(round.others_ns / 1000, 200000);

    to.free_ns += 210 * NS_PER_MS;
    edge_round_others(&round, &from, &to, &watch);
    assert_int_equal(round.others_ns / 1000, -10000);

    round = (struct round){.wall_ns = NS_PER_S};
    edge_round_others(&round, &from, &to, &watch); /* the server's part is not known */
    assert_int_equal(round.others_cpus, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_cpus),
        cmocka_unit_test(named_processes_are_where_they_may_run),
        cmocka_unit_test(others_are_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
