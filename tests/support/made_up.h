#ifndef TESTS_SUPPORT_MADE_UP_H
#define TESTS_SUPPORT_MADE_UP_H

/* Made-up measurements whose figures are known beforehand, for tests of everything that is derived
 * from rounds. Header only: a unit test is one file. */

#include "client/result.h"
#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/tls/version.h"

#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MADE_UP_CASES  16
#define MADE_UP_ROUNDS 6
#define MADE_UP_WALL   (UINT64_C(400) * NS_PER_MS)
#define MADE_UP_COUNT  UINT64_C(1000)      /* handshakes a window: 2500/s */
#define MADE_UP_BYTES  UINT64_C(400000000) /* payload a window: 1000 MB/s */

struct made_up {
    struct plan plan;
    struct case_result *results;
    json_t *client, *server;
    struct run_record record;
};

static inline void made_up_init(struct made_up *made)
{
    memset(made, 0, sizeof *made);
    made->plan.cases = memory_new(MADE_UP_CASES, sizeof *made->plan.cases);
    made->results = memory_new(MADE_UP_CASES, sizeof *made->results);
    made->plan.schedule = (struct schedule){.rounds = MADE_UP_ROUNDS,
                                            .window_ns = MADE_UP_WALL,
                                            .warmup_ns = 100 * NS_PER_MS,
                                            .unloaded_ns = 50 * NS_PER_MS,
                                            .seed = 42};
    made->plan.load.threads = 1;
    made->plan.load.connections = 16;
    made->plan.load.bulk_connections = 1;
    made->plan.load.pins[0] = 0;
    made->plan.load.connect_timeout_ns = 5 * NS_PER_S;
    struct sockaddr_in *address = (struct sockaddr_in *)(void *)&made->plan.load.address;
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    made->client =
        json_pack("{s:s, s:s, s:i, s:s, s:n, s:s}", "openssl", "OpenSSL 3.0.19", "cpu", "Some CPU",
                  "cores", 2, "kernel", "6.1.0", "governor", "allocator", "glibc 2.36");
    made->server = json_deep_copy(made->client);
    made->record = (struct run_record){.plan = &made->plan,
                                       .results = made->results,
                                       .client_environment = made->client,
                                       .server_environment = made->server,
                                       .target = "embedded server",
                                       .address = "127.0.0.1:40123",
                                       .start_time = "2026-11-30T14:28:00Z",
                                       .duration_ns = 78 * NS_PER_S,
                                       .embedded = true};
}

static inline void made_up_cleanup(struct made_up *made)
{
    json_decref(made->client);
    json_decref(made->server);
    free(made->plan.cases);
    free(made->results);
}

/* A CMocka test's fixture: *state is a struct made_up. */
static inline int made_up_setup(void **state)
{
    struct made_up *made = memory_new(1, sizeof *made);

    made_up_init(made);
    *state = made;
    return 0;
}

static inline int made_up_teardown(void **state)
{
    made_up_cleanup(*state);
    free(*state);
    return 0;
}

/* Rounds spread evenly by +-1 % around what is asked for, so that medians are exactly it. */
static inline double made_up_factor(unsigned round)
{
    static const double factors[MADE_UP_ROUNDS] = {0.99, 1.006, 0.998, 1.01, 0.994, 1.002};

    return factors[round % MADE_UP_ROUNDS];
}

/* Appends a case that went well. Costs are us per handshake, or ns per byte for bulk. */
static inline struct case_result *made_up_add(struct made_up *made, const struct test_case *what,
                                              double server_cost, double client_cost)
{
    bool bulk = what->measure == MEASURE_BULK;
    double server_ns = bulk ? server_cost * MADE_UP_BYTES : server_cost * 1000 * MADE_UP_COUNT;
    double client_ns = bulk ? client_cost * MADE_UP_BYTES : client_cost * 1000 * MADE_UP_COUNT;
    size_t index = made->plan.count++;
    struct case_result *result = &made->results[index];
    struct case_measurement *m = &result->measurement;

    assert(index < MADE_UP_CASES);
    made->plan.cases[index].test_case = *what;
    result->test_case = &made->plan.cases[index].test_case;
    case_set_id(&made->plan.cases[index].test_case);
    for (unsigned i = 0; i < MADE_UP_ROUNDS; i++) {
        struct round *round = &m->rounds[m->round_count++];
        *round = (struct round){.number = i, .start_ns = i * NS_PER_S, .wall_ns = MADE_UP_WALL};
        round->attempted = round->completed = round->confirmed = bulk ? 1 : MADE_UP_COUNT;
        round->bytes = bulk ? MADE_UP_BYTES : 0;
        round->client_cpu_ns = (uint64_t)(client_ns * made_up_factor(i) + 0.5);
        round->client_busiest_ns = MADE_UP_WALL;
        round->server_known = true;
        round->server_cpu_ns = (uint64_t)(server_ns * made_up_factor(i) + 0.5);
        round->server_busiest_ns = MADE_UP_WALL / 2;
        round->server_wall_ns = MADE_UP_WALL;
        round->server_count = bulk ? 0 : MADE_UP_COUNT;
        round->server_bytes = bulk ? MADE_UP_BYTES : 0;
        round->server_threads = 1;
        round->steal_cpus = round->others_cpus = 2;
        round->speed = 1;
    }
    m->attempted = m->completed = m->confirmed = MADE_UP_ROUNDS * MADE_UP_COUNT;
    m->server_counts_agree = true;
    m->connections_used = bulk ? 1 : 16;
    m->client_split = (struct cpu_split){3 * NS_PER_S, NS_PER_S};
    m->server_split = (struct cpu_split){NS_PER_S, NS_PER_S};
    for (int i = 0; i < 200; i++)
        histogram_record(&m->unloaded.tls, 850 * NS_PER_US);
    m->have_negotiated = true;
    m->negotiated = (struct negotiated){.version = what->version, .suite = what->suite->code};
    snprintf(m->negotiated.group, sizeof m->negotiated.group, "%s",
             what->group != NULL ? what->group->name : "");
    return result;
}

static inline struct test_case made_up_what(int version, const char *suite, const char *kind,
                                            const char *group)
{
    struct test_case what = {.measure = MEASURE_HANDSHAKE, .version = version};

    what.suite = suite_find(suite);
    what.kind = kind_find(kind);
    what.group = group != NULL ? group_find(group) : NULL;
    assert(what.suite != NULL && what.kind != NULL && (group == NULL || what.group != NULL));
    return what;
}

static inline struct case_result *made_up_handshake(struct made_up *made, int version,
                                                    const char *suite, const char *kind,
                                                    const char *group, double server_us,
                                                    double client_us)
{
    struct test_case what = made_up_what(version, suite, kind, group);

    return made_up_add(made, &what, server_us, client_us);
}

static inline struct case_result *made_up_bulk(struct made_up *made, int version, const char *suite,
                                               const char *kind, enum direction direction,
                                               double server_ns, double client_ns)
{
    struct test_case what = made_up_what(version, suite, kind, "x25519");

    what.measure = MEASURE_BULK;
    what.record_size = 16384;
    what.direction = direction;
    return made_up_add(made, &what, server_ns, client_ns);
}

#endif
