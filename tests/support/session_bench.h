#ifndef TESTS_SUPPORT_SESSION_BENCH_H
#define TESTS_SUPPORT_SESSION_BENCH_H

/* A worker and a client in one thread, joined by a socket pair: no port and no clock. Header only,
 * included behind cmocka.h. */

#include "certs/issue.h"
#include "common/base/host.h"
#include "common/tls/library.h"
#include "server/session.h"
#include "server/worker.h"

#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_SPACE (1024 * 1024)
#define TURNS_MAX    20000

/* Made once for all tests: keys take their time. */
static struct identity identity;

struct bench {
    struct sni_plan sni;
    struct contexts contexts;
    struct worker_settings settings;
    struct stats_source stats;
    const struct worker_stats *worker_stats[1];
    struct cpu_list cpus;
    json_t *empty;
    _Atomic uint64_t connections;
    struct worker *worker;
    SSL_CTX *client_context;
    SSL *client;
    int client_fd;
    char *answer;
    size_t answer_length;
    bool answer_ended; /* close_notify or end of stream */
};

static inline void open_worker(struct bench *bench)
{
    const struct tls_settings settings = {
        .role = TLS_SERVER, .alpn = TLS_ALPN_CONTROL "," TLS_ALPN_HTTP, .read_ahead = true};
    assert_true(sni_plan_build(&identity, 1, 0, &bench->sni, NULL));
    assert_true(contexts_init(&bench->contexts, &settings, &identity, 1, &bench->sni, NULL));
    bench->settings.connections = &bench->connections;
    bench->settings.stats = &bench->stats;
    bench->settings.done_fd = -1;
    bench->worker = worker_new(&bench->settings, &bench->contexts, NULL, 0, NULL);
    assert_non_null(bench->worker);
    for (int i = 0; i < QUEUE_COUNT; i++)
        bench->settings.timeout_ns[i] = UINT64_MAX;
    bench->empty = json_object();
    bench->worker_stats[0] = &bench->worker->stats;
    bench->stats = (struct stats_source){.workers = bench->worker_stats,
                                         .worker_count = 1,
                                         .cpus = &bench->cpus,
                                         .identities = &identity,
                                         .identity_count = 1,
                                         .configuration = bench->empty,
                                         .environment = bench->empty};
}

static inline int setup(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    const struct tls_settings client = {.role = TLS_CLIENT};
    struct error err = {0};
    assert_non_null(bench);
    open_worker(bench);
    bench->client_context = tls_context_new(&client, NULL, 0, &err);
    assert_non_null(bench->client_context);
    bench->answer = malloc(ANSWER_SPACE + 1);
    assert_non_null(bench->answer);
    bench->client_fd = -1;
    *state = bench;
    return 0;
}

static inline int make_identity(void **state)
{
    const struct certificate_kind *kind = kind_find("ecdsa-p256");
    (void)state;
    return library_init(false, NULL) &&
                   issue_identities(NULL, &kind, 1, &identity, NULL, NULL, NULL, NULL)
               ? 0
               : -1;
}

static inline int drop_identity(void **state)
{
    (void)state;
    identity_cleanup(&identity);
    return 0;
}

static inline void hang_up(struct bench *bench)
{
    SSL_free(bench->client);
    bench->client = NULL;
    if (bench->client_fd >= 0)
        (void)close(bench->client_fd);
    bench->client_fd = -1;
}

static inline int teardown(void **state)
{
    struct bench *bench = *state;
    hang_up(bench);
    worker_free(bench->worker);
    contexts_cleanup(&bench->contexts);
    sni_plan_cleanup(&bench->sni);
    SSL_CTX_free(bench->client_context);
    json_decref(bench->empty);
    free(bench->answer);
    free(bench);
    return 0;
}

static inline void turn(struct bench *bench)
{
    assert_true(event_base_loop(bench->worker->base, EVLOOP_NONBLOCK) >= 0);
}

static inline size_t open_sessions(const struct bench *bench)
{
    return (size_t)(counter_read(&bench->worker->stats.accepted) -
                    counter_read(&bench->worker->stats.closed));
}

static inline void dial(struct bench *bench)
{
    int pair[2];
    hang_up(bench);
    bench->answer_length = 0;
    bench->answer_ended = false;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    bench->client_fd = pair[0];
    session_start(bench->worker, pair[1]);
}

static inline void call(struct bench *bench, const char *alpn)
{
    unsigned char list[32];
    dial(bench);
    bench->client = SSL_new(bench->client_context);
    assert_int_equal(SSL_set_fd(bench->client, bench->client_fd), 1);
    if (alpn != NULL) {
        list[0] = (unsigned char)strlen(alpn);
        memcpy(list + 1, alpn, list[0]);
        assert_int_equal(SSL_set_alpn_protos(bench->client, list, list[0] + 1u), 0);
    }
    int result = 0;
    for (int i = 0; i < TURNS_MAX && (result = SSL_connect(bench->client)) != 1; i++)
        turn(bench);
    assert_int_equal(result, 1);
    turn(bench);
}

/* Adds what has come to the answer. */
static inline void listen_once(struct bench *bench)
{
    int got = 1;
    while (got > 0 && bench->answer_length < ANSWER_SPACE) {
        ERR_clear_error();
        got = SSL_read(bench->client, bench->answer + bench->answer_length,
                       (int)(ANSWER_SPACE - bench->answer_length));
        if (got > 0)
            bench->answer_length += (size_t)got;
        else if (SSL_get_error(bench->client, got) != SSL_ERROR_WANT_READ)
            bench->answer_ended = true;
    }
    bench->answer[bench->answer_length] = '\0';
}

static inline void say(struct bench *bench, const char *bytes, size_t length)
{
    size_t sent = 0;
    for (int i = 0; i < TURNS_MAX && sent < length; i++) {
        const size_t rest = length - sent;
        const int wrote =
            SSL_write(bench->client, bytes + sent, (int)(rest < 16384 ? rest : 16384));
        if (wrote > 0)
            sent += (size_t)wrote;
        else
            turn(bench);
        if (wrote <= 0)
            assert_int_equal(SSL_get_error(bench->client, wrote), SSL_ERROR_WANT_WRITE);
    }
    assert_int_equal(sent, length);
}

static inline void say_text(struct bench *bench, const char *text)
{
    say(bench, text, strlen(text));
}

/* Until `length` bytes are here, or the server has ended. */
static inline void hear(struct bench *bench, size_t length)
{
    for (int i = 0; i < TURNS_MAX && bench->answer_length < length && !bench->answer_ended; i++) {
        turn(bench);
        listen_once(bench);
    }
}

static inline void settle(struct bench *bench)
{
    for (int i = 0; i < 20; i++)
        turn(bench);
}

static inline uint64_t outcome(const struct bench *bench, const char *text)
{
    const struct outcomes *outcomes = &bench->worker->stats.outcomes;
    for (size_t i = 0; i < outcomes->count; i++) {
        if (strcmp(outcomes->rows[i].text, text) == 0)
            return counter_read(&outcomes->rows[i].count);
    }
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
