#include "server/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/session_bench.h"

#define HOST "Host: a\r\n"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
