#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/edge.h"

#define BOOT (UINT64_C(3600) * 1000000000) /* all that was stolen since the machine started */

static const struct processes nobody = {.count = 0};
static const struct watch two_cpus = {.steal = {.count = 1}, .server_cpus = 1};

/* Steal time of both sides between the edges; a clock that could not be read at one of them says 0
 * there and adds nothing. */
static void test_steal(void **state)
{
    static const struct {
        uint64_t client_from, client_to, server_from, server_to, steal;
    } rows[] = {
        {10, 10, 20, 20, 0}, {10, 13, 20, 24, 7},  {10, 0, 20, 24, 4},   {10, 13, 20, 0, 3},
        {10, 0, 20, 0, 0},   {0, BOOT, 20, 24, 4}, {10, 13, 0, BOOT, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct edge from = {.ns = 1, .steal_ns = rows[i].client_from};
        struct edge to = {.ns = 2, .steal_ns = rows[i].client_to};
        struct server_snapshot s0 = {.clock_ns = 1, .steal_ns = rows[i].server_from};
        struct server_snapshot s1 = {.clock_ns = 2, .steal_ns = rows[i].server_to};
        struct round round;
        edge_round(&round, &from, &to, &nobody, &two_cpus);
        edge_round_server(&round, &s0, &s1, false, &two_cpus);
        assert_int_equal(round.steal_ns, rows[i].steal);
        assert_int_equal(round.steal_cpus, 2);
    }
}

static void test_busiest_thread(void **state)
{
    struct server_snapshot s0 = {.threads = 3, .thread_cpu_ns = {5, 7, 9}};
    struct server_snapshot s1 = {.threads = 3, .thread_cpu_ns = {8, 17, 0}};
    struct round round = {.number = 0};
    (void)state;
    edge_round_server(&round, &s0, &s1, false, &two_cpus);
    assert_int_equal(round.server_busiest_ns, 10);
    assert_int_equal(round.server_threads, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steal),
        cmocka_unit_test(test_busiest_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
