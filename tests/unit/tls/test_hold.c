#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/tls/hold.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LARGE 8192 /* more than is ever kept */

struct bench {
    BIO_METHOD *method;
    SSL_CTX *context;
    SSL *ssl;
    BIO *hold;
    int own, peer;
};

static void set_up(struct bench *bench)
{
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    bench->own = pair[0];
    bench->peer = pair[1];
    bench->method = hold_method_new();
    bench->context = SSL_CTX_new(TLS_method());
    bench->ssl = SSL_new(bench->context);
    assert_int_equal(SSL_set_fd(bench->ssl, bench->own), 1);
    bench->hold = hold_attach(bench->ssl, bench->method);
    assert_non_null(bench->hold);
}

static void tear_down(struct bench *bench)
{
    SSL_free(bench->ssl);
    SSL_CTX_free(bench->context);
    BIO_meth_free(bench->method);
    close(bench->own);
    if (bench->peer >= 0)
        close(bench->peer);
}

static void say(struct bench *bench, const void *data, size_t length)
{
    size_t written = 0;
    assert_int_equal(BIO_write_ex(bench->hold, data, length, &written), 1);
    assert_int_equal(written, length);
    assert_true(BIO_flush(bench->hold) > 0); /* as libssl does after each of its messages */
}

/* What has reached the peer, at most `size`. */
static size_t hear(struct bench *bench, char *into, size_t size)
{
    size_t total = 0;
    ssize_t got;
    while (total < size && (got = read(bench->peer, into + total, size - total)) > 0)
        total += (size_t)got;
    return total;
}

static void expect_heard(struct bench *bench, const char *wanted)
{
    char text[64];
    size_t length = hear(bench, text, sizeof text);
    assert_int_equal(length, strlen(wanted));
    assert_memory_equal(text, wanted, length);
}

static void test_kept_until_the_flush(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    say(&bench, "ticket ", 7);
    say(&bench, "answer", 6);
    expect_heard(&bench, "");
    assert_int_equal(hold_flush(bench.hold), HOLD_EMPTY);
    expect_heard(&bench, "ticket answer");
    assert_int_equal(hold_flush(bench.hold), HOLD_EMPTY);
    expect_heard(&bench, "");
    tear_down(&bench);
}

static void test_off_it_only_passes_on(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    say(&bench, "head ", 5);
    hold_set(bench.hold, false);
    say(&bench, "record", 6);
    expect_heard(&bench, "head record");
    hold_set(bench.hold, true);
    say(&bench, "close", 5);
    expect_heard(&bench, "");
    tear_down(&bench);
}

static void test_large_writes_keep_their_place(void **state)
{
    (void)state;
    struct bench bench;
    static char large[LARGE], heard[2 * LARGE];
    set_up(&bench);
    memset(large, 'x', sizeof large);
    say(&bench, "before", 6);
    say(&bench, large, sizeof large);
    assert_int_equal(hear(&bench, heard, sizeof heard), 6 + LARGE);
    assert_memory_equal(heard, "beforex", 7);
    tear_down(&bench);
}

static void fill(const struct bench *bench)
{
    static const char junk[4096];
    while (write(bench->own, junk, sizeof junk) > 0)
        ;
    while (write(bench->own, junk, 1) > 0)
        ;
}

/* A full socket stops what comes behind, loses nothing, and all leaves in order once it is read. */
static void test_full_socket(void **state)
{
    (void)state;
    struct bench bench;
    static char large[LARGE], heard[1 << 22];
    size_t written = 0;
    set_up(&bench);
    fill(&bench);
    say(&bench, "before", 6);
    assert_int_equal(hold_flush(bench.hold), HOLD_BLOCKED);
    memset(large, 'x', sizeof large);
    assert_int_equal(BIO_write_ex(bench.hold, large, sizeof large, &written), 0);
    assert_true(BIO_should_write(bench.hold));
    size_t junk = hear(&bench, heard, sizeof heard);
    assert_in_range(junk, 1, sizeof heard - 1);
    assert_int_equal(hold_flush(bench.hold), HOLD_EMPTY);
    expect_heard(&bench, "before");
    assert_int_equal(BIO_write_ex(bench.hold, large, sizeof large, &written), 1);
    assert_int_equal(written, sizeof large);
    tear_down(&bench);
}

static void test_broken_connection(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench);
    (void)signal(SIGPIPE, SIG_IGN); /* as the server does */
    say(&bench, "nobody hears", 12);
    close(bench.peer);
    bench.peer = -1;
    assert_int_equal(hold_flush(bench.hold), HOLD_LOST);
    assert_int_equal(hold_flush(bench.hold), HOLD_EMPTY);
    tear_down(&bench);
}

static void test_reading_and_control_pass_through(void **state)
{
    (void)state;
    struct bench bench;
    char text[8];
    size_t got = 0;
    set_up(&bench);
    assert_int_equal(write(bench.peer, "hello", 5), 5);
    assert_int_equal(BIO_read_ex(bench.hold, text, sizeof text, &got), 1);
    assert_int_equal(got, 5);
    assert_int_equal(BIO_read_ex(bench.hold, text, sizeof text, &got), 0);
    assert_true(BIO_should_read(bench.hold));
    assert_int_equal(SSL_get_wfd(bench.ssl), bench.own);
    tear_down(&bench);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_until_the_flush),
        cmocka_unit_test(test_off_it_only_passes_on),
        cmocka_unit_test(test_large_writes_keep_their_place),
        cmocka_unit_test(test_full_socket),
        cmocka_unit_test(test_broken_connection),
        cmocka_unit_test(test_reading_and_control_pass_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
