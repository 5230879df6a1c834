#include "server/session.h"

#include "certs/issue.h"
#include "common/base/host.h"
#include "common/tls/library.h"
#include "server/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A worker and a client in one thread, joined by a socket pair: no port and no clock. */

#define ROWS(table)  (sizeof(table) / sizeof *(table))
#define ANSWER_SPACE (1024 * 1024)
#define TURNS_MAX    20000
#define HOST         "Host: a\r\n"

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

static void open_worker(struct bench *bench)
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

static int setup(void **state)
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

static int make_identity(void **state)
{
    const struct certificate_kind *kind = kind_find("ecdsa-p256");
    (void)state;
    return library_init(false, NULL) &&
                   issue_identities(NULL, &kind, 1, &identity, NULL, NULL, NULL, NULL)
               ? 0
               : -1;
}

static int drop_identity(void **state)
{
    (void)state;
    identity_cleanup(&identity);
    return 0;
}

static void hang_up(struct bench *bench)
{
    SSL_free(bench->client);
    bench->client = NULL;
    if (bench->client_fd >= 0)
        (void)close(bench->client_fd);
    bench->client_fd = -1;
}

static int teardown(void **state)
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

static void turn(struct bench *bench)
{
    assert_true(event_base_loop(bench->worker->base, EVLOOP_NONBLOCK) >= 0);
}

static size_t open_sessions(const struct bench *bench)
{
    return (size_t)(counter_read(&bench->worker->stats.accepted) -
                    counter_read(&bench->worker->stats.closed));
}

static void dial(struct bench *bench)
{
    int pair[2];
    hang_up(bench);
    bench->answer_length = 0;
    bench->answer_ended = false;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    bench->client_fd = pair[0];
    session_start(bench->worker, pair[1]);
}

static void call(struct bench *bench, const char *alpn)
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
static void listen_once(struct bench *bench)
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

static void say(struct bench *bench, const char *bytes, size_t length)
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

static void say_text(struct bench *bench, const char *text)
{
    say(bench, text, strlen(text));
}

/* Until `length` bytes are here, or the server has ended. */
static void hear(struct bench *bench, size_t length)
{
    for (int i = 0; i < TURNS_MAX && bench->answer_length < length && !bench->answer_ended; i++) {
        turn(bench);
        listen_once(bench);
    }
}

static void settle(struct bench *bench)
{
    for (int i = 0; i < 20; i++)
        turn(bench);
}

static uint64_t outcome(const struct bench *bench, const char *text)
{
    const struct outcomes *outcomes = &bench->worker->stats.outcomes;
    for (size_t i = 0; i < outcomes->count; i++) {
        if (strcmp(outcomes->rows[i].text, text) == 0)
            return counter_read(&outcomes->rows[i].count);
    }
    return 0;
}

/* Whole conversations: what is sent, what the answer begins with, how long it is, how it ends. */
static const struct talk_row {
    const char *request;
    const char *answer_start;
    size_t body; /* bytes behind the last head */
    bool closes;
    const char *outcome;
    uint64_t in, out;
} talk_rows[] = {
    {"GET /bytes/5 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 5, false, NULL, 0, 5},
    {"GET /bytes/0 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 0, false, NULL, 0, 0},
    {"GET /bytes/100?record=7 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 100, false, NULL, 0,
     100},
    {"GET /bytes/900000 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 900000, false, NULL, 0,
     900000},
    {"HEAD /bytes/900000 HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 200 OK\r\n", 0, false, NULL, 0, 0},
    {"GET /bytes/5 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n", "HTTP/1.1 200 OK\r\n", 5, true,
     "closed", 0, 5},
    {"GET /bytes/5 HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK\r\n", 5, true, "closed", 0, 5},
    {"POST /sink HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello", "HTTP/1.1 204 No Content\r\n",
     0, false, NULL, 5, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 204 No Content\r\n", 0, false, NULL, 0, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
     "HTTP/1.1 204 No Content\r\n", 0, false, NULL, 5, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX",
     "HTTP/1.1 400 Bad Request\r\n", 16, true, "refused: 400 Bad Request", 5, 0},
    {"POST /sink HTTP/1.1\r\n" HOST "Content-Length: 1\r\nExpect: 100-continue\r\n\r\n",
     "HTTP/1.1 100 Continue\r\n\r\n", 0, false, NULL, 0, 0},
    {"GET /nothing HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 404 Not Found\r\n", 14, true,
     "refused: 404 Not Found", 0, 0},
    {"DELETE /sink HTTP/1.1\r\n" HOST "\r\n", "HTTP/1.1 405 Method Not Allowed\r\n", 23, true,
     "refused: 405 Method Not Allowed", 0, 0},
    {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", 16, true, "refused: 400 Bad Request",
     0, 0},
    {"rubbish\r\n", "HTTP/1.1 400 Bad Request\r\n", 16, true, "refused: 400 Bad Request", 0, 0},
};

static void test_talks(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(talk_rows); i++) {
        const struct talk_row *row = &talk_rows[i];
        void *own;
        setup(&own);
        struct bench *bench = own;
        call(bench, NULL);
        say_text(bench, row->request);
        hear(bench, strlen(row->answer_start));
        const char *body = NULL;
        for (int k = 0; k < TURNS_MAX && body == NULL; k++) {
            hear(bench, bench->answer_length + 1);
            body = strstr(bench->answer, "\r\n\r\n");
        }
        if (strncmp(bench->answer, row->answer_start, strlen(row->answer_start)) != 0)
            fail_msg("row %zu: %.40s", i, bench->answer);
        const size_t head = (size_t)(body + 4 - bench->answer);
        hear(bench, head + row->body + (row->closes ? 1 : 0));
        settle(bench);
        listen_once(bench);
        assert_int_equal(bench->answer_length, head + row->body);
        assert_int_equal(bench->answer_ended, row->closes);
        assert_int_equal(bench->worker->stats.payload_in, row->in);
        assert_int_equal(bench->worker->stats.payload_out, row->out);
        if (row->outcome != NULL)
            assert_int_equal(outcome(bench, row->outcome), 1);
        hang_up(bench);
        settle(bench);
        assert_int_equal(open_sessions(bench), 0);
        teardown(&own);
    }
}

/* Every byte of a request in a record of its own. */
static void test_byte_by_byte(void **state)
{
    struct bench *bench = *state;
    static const char request[] =
        "POST /sink HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabcGET /bytes/2 HTTP/1.1\r\n" HOST
        "Connection: close\r\n\r\n";
    call(bench, NULL);
    for (size_t i = 0; i < sizeof request - 1; i++) {
        say(bench, request + i, 1);
        turn(bench);
    }
    hear(bench, ANSWER_SPACE);
    assert_non_null(strstr(bench->answer, "HTTP/1.1 204"));
    assert_non_null(strstr(bench->answer, "HTTP/1.1 200"));
    assert_int_equal(bench->worker->stats.payload_in, 3);
    assert_int_equal(outcome(bench, "closed"), 1);
}

/* Requests that come together are answered in order, large and small, each once. */
static void test_pipelined(void **state)
{
    struct bench *bench = *state;
    char requests[16384];
    size_t length = 0;
    const size_t count = 200;
    uint64_t expected = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned size = i % 10 == 0 ? 40000 : (unsigned)i;
        expected += size;
        length += (size_t)snprintf(requests + length, sizeof requests - length,
                                   "GET /bytes/%u HTTP/1.1\r\n" HOST "%s\r\n", size,
                                   i + 1 == count ? "Connection: close\r\n" : "");
    }
    assert_true(length < sizeof requests);
    call(bench, NULL);
    say(bench, requests, length);
    hear(bench, ANSWER_SPACE);
    assert_true(bench->answer_ended);
    assert_int_equal(bench->worker->stats.payload_out, expected);
    size_t heads = 0;
    for (const char *at = bench->answer; at < bench->answer + bench->answer_length - 12; at++)
        heads += memcmp(at, "HTTP/1.1 200", 12) == 0;
    assert_int_equal(heads, count);
}

static void test_head_too_large(void **state)
{
    struct bench *bench = *state;
    char filler[HTTP_HEAD_MAX];
    call(bench, NULL);
    memset(filler, 'x', sizeof filler);
    say_text(bench, "GET / HTTP/1.1\r\nX: ");
    say(bench, filler, sizeof filler);
    hear(bench, ANSWER_SPACE);
    assert_int_equal(strncmp(bench->answer, "HTTP/1.1 431 ", 13), 0);
    assert_true(bench->answer_ended);
}

/* A megabyte that the client does not read must not hold up anybody else. */
static void test_slow_reader_delays_nobody(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    say_text(bench, "GET /bytes/100000000 HTTP/1.1\r\n" HOST "\r\n");
    settle(bench);
    SSL *slow = bench->client;
    const int slow_fd = bench->client_fd;
    bench->client = NULL;
    bench->client_fd = -1;

    call(bench, NULL);
    say_text(bench, "GET /bytes/3 HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n");
    hear(bench, ANSWER_SPACE);
    assert_non_null(strstr(bench->answer, "200 OK"));
    assert_int_equal(open_sessions(bench), 2); /* it lingers for our end of stream */

    SSL_free(slow);
    (void)close(slow_fd);
    hang_up(bench);
    settle(bench);
    assert_int_equal(open_sessions(bench), 0);
    assert_int_equal(outcome(bench, "client stopped"), 1);
}

static void test_close_notify_is_answered(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    assert_int_equal(SSL_shutdown(bench->client), 0);
    hear(bench, 1);
    assert_true((SSL_get_shutdown(bench->client) & SSL_RECEIVED_SHUTDOWN) != 0);
    assert_int_equal(open_sessions(bench), 0);
    assert_int_equal(outcome(bench, "closed"), 1);
    assert_int_equal(bench->worker->stats.finished, 1);
    assert_int_equal(bench->worker->stats.certificates[0], 1);
}

static void test_end_without_close_notify(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    hang_up(bench);
    settle(bench);
    assert_int_equal(open_sessions(bench), 0);
    assert_int_equal(outcome(bench, "closed without close_notify"), 1);
}

static void test_client_stops_in_body(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    say_text(bench, "POST /sink HTTP/1.1\r\n" HOST "Content-Length: 100\r\n\r\nabc");
    settle(bench);
    assert_int_equal(SSL_shutdown(bench->client), 0);
    settle(bench);
    assert_int_equal(outcome(bench, "client stopped"), 1);
    assert_int_equal(bench->worker->stats.payload_in, 3);
    assert_int_equal(open_sessions(bench), 0);
}

/* A client that vanishes after each possible number of bytes of its first flight. */
static void test_vanishes_in_handshake(void **state)
{
    struct bench *bench = *state;
    unsigned char hello[2048];
    dial(bench);
    bench->client = SSL_new(bench->client_context);
    assert_int_equal(SSL_set_fd(bench->client, bench->client_fd), 1);
    SSL_set_connect_state(bench->client);

    int tap[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, tap), 0);
    assert_int_equal(SSL_set_fd(bench->client, tap[0]), 1);
    assert_true(SSL_connect(bench->client) < 0);
    const ssize_t length = read(tap[1], hello, sizeof hello);
    assert_true(length > 50);
    (void)close(tap[0]);
    (void)close(tap[1]);
    hang_up(bench);
    settle(bench);
    const uint64_t before = bench->worker->stats.failed;

    for (ssize_t part = 0; part <= length; part++) {
        dial(bench);
        assert_int_equal(write(bench->client_fd, hello, (size_t)part), part);
        turn(bench);
        hang_up(bench);
        settle(bench);
        assert_int_equal(open_sessions(bench), 0);
    }
    assert_int_equal(bench->worker->stats.failed, before + (uint64_t)length + 1);
    assert_int_equal(bench->worker->stats.finished, 0);
    call(bench, NULL); /* and it still serves */
}

static void test_rubbish_gets_an_alert(void **state)
{
    struct bench *bench = *state;
    unsigned char alert[64];
    dial(bench);
    assert_int_equal(write(bench->client_fd, "GET / HTTP/1.1\r\n\r\n", 18), 18);
    settle(bench);
    assert_int_equal(outcome(bench, "peer does not speak TLS"), 1);
    assert_int_equal(bench->worker->stats.failed, 1);
    const ssize_t got = read(bench->client_fd, alert, sizeof alert);
    assert_true(got == 0 || (got == 7 && alert[0] == 0x15));
    hang_up(bench);
    settle(bench);
    assert_int_equal(open_sessions(bench), 0);
}

static void test_control_is_counted_apart(void **state)
{
    struct bench *bench = *state;
    struct stats_totals totals;
    call(bench, TLS_ALPN_CONTROL);
    say_text(bench, "GET /stats HTTP/1.1\r\n" HOST "\r\n");
    hear(bench, 100);
    assert_non_null(strstr(bench->answer, "application/json"));
    stats_read(&bench->stats, &totals);
    assert_int_equal(totals.control, 1);
    assert_int_equal(totals.control_finished, 1);
    assert_int_equal(totals.accepted, 0);
    assert_int_equal(totals.open, 0);
    assert_int_equal(totals.finished, 0);
    hang_up(bench);
    settle(bench);
    stats_read(&bench->stats, &totals);
    assert_int_equal(totals.open, 0);
    assert_int_equal(totals.outcomes.count, 0);
}

static struct session *only_session(struct bench *bench, enum session_queue queue)
{
    struct session *session = TAILQ_FIRST(&bench->worker->queues[queue]);
    assert_non_null(session);
    return session;
}

static void test_handshake_timeout(void **state)
{
    struct bench *bench = *state;
    dial(bench);
    turn(bench);
    session_expire(only_session(bench, QUEUE_HANDSHAKE));
    assert_int_equal(open_sessions(bench), 0);
    assert_int_equal(outcome(bench, "handshake timeout"), 1);
    assert_int_equal(bench->worker->stats.failed, 1);
}

/* A quiet connection gives its buffers back first, still works, and is closed politely later. */
static void test_idle_timeout(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    session_expire(only_session(bench, QUEUE_ACTIVE));
    assert_int_equal(open_sessions(bench), 1);
    (void)only_session(bench, QUEUE_DOZING);

    say_text(bench, "GET /bytes/3 HTTP/1.1\r\n" HOST "\r\n");
    hear(bench, 20);
    assert_non_null(strstr(bench->answer, "200 OK"));
    session_expire(only_session(bench, QUEUE_ACTIVE));
    session_expire(only_session(bench, QUEUE_DOZING));
    assert_int_equal(open_sessions(bench), 0);
    assert_int_equal(outcome(bench, "idle timeout"), 1);
    hear(bench, ANSWER_SPACE);
    assert_true((SSL_get_shutdown(bench->client) & SSL_RECEIVED_SHUTDOWN) != 0);
}

/* Bytes of an unfinished head are no progress: who sends one now and then does not stay forever. */
static void test_trickled_head_does_not_renew(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    const uint64_t since = only_session(bench, QUEUE_ACTIVE)->since_ns;
    say_text(bench, "GET");
    settle(bench);
    assert_true(only_session(bench, QUEUE_ACTIVE)->since_ns == since);
    assert_int_equal(only_session(bench, QUEUE_ACTIVE)->input.length, 3);
}

static void test_too_many_connections(void **state)
{
    struct bench *bench = *state;
    char byte;
    bench->settings.max_connections = 1;
    call(bench, NULL);
    SSL *first = bench->client;
    const int first_fd = bench->client_fd;
    bench->client = NULL;
    bench->client_fd = -1;

    dial(bench);
    assert_int_equal(read(bench->client_fd, &byte, 1), 0);
    assert_int_equal(bench->worker->stats.refused, 1);
    assert_int_equal(bench->worker->stats.accepted, 1);

    SSL_free(first);
    (void)close(first_fd);
    settle(bench);
    call(bench, NULL);
    assert_int_equal(bench->worker->stats.accepted, 2);
    assert_int_equal(bench->connections, 1);
}

/* An idle connection is closed at once, an answer on its way is finished first. */
static void test_drain(void **state)
{
    struct bench *bench = *state;
    call(bench, NULL);
    say_text(bench, "GET /bytes/500000 HTTP/1.1\r\n" HOST "\r\n");
    for (int i = 0; i < 3; i++)
        turn(bench);
    bench->worker->draining = true;
    session_drain(only_session(bench, QUEUE_ACTIVE));
    hear(bench, ANSWER_SPACE);
    assert_true(bench->answer_ended);
    assert_int_equal(bench->worker->stats.payload_out, 500000);
    assert_int_equal(outcome(bench, "server stopped"), 1);
    bench->worker->draining = false;

    call(bench, NULL);
    bench->worker->draining = true;
    session_drain(only_session(bench, QUEUE_ACTIVE));
    hear(bench, ANSWER_SPACE);
    assert_true((SSL_get_shutdown(bench->client) & SSL_RECEIVED_SHUTDOWN) != 0);
    assert_int_equal(outcome(bench, "server stopped"), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_talks),
        TEST(test_byte_by_byte),
        TEST(test_pipelined),
        TEST(test_head_too_large),
        TEST(test_slow_reader_delays_nobody),
        TEST(test_close_notify_is_answered),
        TEST(test_end_without_close_notify),
        TEST(test_client_stops_in_body),
        TEST(test_vanishes_in_handshake),
        TEST(test_rubbish_gets_an_alert),
        TEST(test_control_is_counted_apart),
        TEST(test_handshake_timeout),
        TEST(test_idle_timeout),
        TEST(test_trickled_head_does_not_renew),
        TEST(test_too_many_connections),
        TEST(test_drain),
    };
    return cmocka_run_group_tests(tests, make_identity, drop_identity);
}
