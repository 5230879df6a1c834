#include "common/tls/io.h"

#include "certs/authority.h"
#include "common/base/memory.h"
#include "common/tls/library.h"
#include "common/tls/settings.h"
#include "tests/support/memory_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct fixture {
    struct authority authority;
    struct identity identity;
    SSL_CTX *client, *server;
};

static int setup(void **state)
{
    struct fixture *fixture = memory_new(1, sizeof(*fixture));
    const struct identity *identity = &fixture->identity;
    struct error err;
    *state = fixture;
    if (!library_init(false, &err) || !authority_init(&fixture->authority, &err) ||
        !authority_issue(&fixture->authority, kind_find("ecdsa-p256"), &fixture->identity, &err))
        return -1;
    fixture->client = tls_context_new(&(struct tls_settings){.role = TLS_CLIENT}, NULL, 0, &err);
    fixture->server =
        tls_context_new(&(struct tls_settings){.role = TLS_SERVER}, &identity, 1, &err);
    return fixture->client != NULL && fixture->server != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    SSL_CTX_free(fixture->client);
    SSL_CTX_free(fixture->server);
    identity_cleanup(&fixture->identity);
    authority_cleanup(&fixture->authority);
    free(fixture);
    return 0;
}

/* A TLS side on one end of a socket pair, and the other end bare. */
struct half {
    SSL *ssl;
    int peer, own;
};

static struct half half_new(SSL_CTX *ctx, bool is_client)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    struct half half = {.ssl = SSL_new(ctx), .own = ends[0], .peer = ends[1]};
    assert_non_null(half.ssl);
    assert_int_equal(SSL_set_fd(half.ssl, half.own), 1);
    if (is_client)
        SSL_set_connect_state(half.ssl);
    else
        SSL_set_accept_state(half.ssl);
    return half;
}

static void half_free(struct half *half)
{
    SSL_free(half->ssl);
    (void)close(half->own);
    if (half->peer >= 0)
        (void)close(half->peer);
}

/* What a peer may put on the wire instead of its hello, and what is said about it. */
static const struct {
    bool is_client; /* we are; else the server */
    const char *bytes;
    size_t length;
    enum failure_class class;
    const char *text;
} peers[] = {
#define PEER(text) text, sizeof(text) - 1
    {true, PEER("HTTP/1.1 400 Bad Request\r\n\r\n"), FAILURE_NOT_TLS, "peer does not speak TLS"},
    {true, PEER("220 mail.example ESMTP\r\n"), FAILURE_NOT_TLS, "peer does not speak TLS"},
    {true, PEER("SSH-2.0-OpenSSH_9.2\r\n"), FAILURE_NOT_TLS, "peer does not speak TLS"},
    {false, PEER("GET / HTTP/1.1\r\n\r\n"), FAILURE_NOT_TLS, "peer does not speak TLS"},
    {false, PEER("CONNECT a:1 HTTP/1.1\r\n\r\n"), FAILURE_NOT_TLS, "peer does not speak TLS"},
    {true, PEER("\x15\x03\x03\x00\x02\x02\x28"), FAILURE_ALERT, "alert handshake failure"},
    {true, PEER("\x15\x03\x01\x00\x02\x02\x46"), FAILURE_ALERT, "alert protocol version"},
    {true, PEER("\x15\x03\x03\x00\x02\x02\xc8"), FAILURE_ALERT, "alert 200"},
    {true, PEER("\x15\x03\x03\x00\x02\x01\x00"), FAILURE_CLOSED_EARLY,
     "closed early: close notify during the handshake"},
    {true, PEER("\x16\x03\x03\x00\x04\x02\x00\x00\x00"), FAILURE_HANDSHAKE, NULL},
    {true, NULL, 0, FAILURE_CLOSED_EARLY, "closed early: end of stream during the handshake"},
    {false, NULL, 0, FAILURE_CLOSED_EARLY, "closed early: end of stream during the handshake"},
    {true, PEER("\x16\x03\x03"), FAILURE_CLOSED_EARLY,
     "closed early: end of stream during the handshake"},
#undef PEER
};

static void tells_what_the_peer_is(void **state)
{
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(peers) / sizeof(peers[0]); i++) {
        bool is_client = peers[i].is_client;
        struct half half = half_new(is_client ? fixture->client : fixture->server, is_client);
        struct failure failure = {0};
        /* The peer says its words and no more; the socket itself stays open for our hello. */
        assert_int_equal(tls_handshake(half.ssl, &failure), IO_WANT_READ);
        if (peers[i].length > 0)
            assert_int_equal(write(half.peer, peers[i].bytes, peers[i].length), peers[i].length);
        assert_int_equal(shutdown(half.peer, SHUT_WR), 0);
        assert_int_equal(tls_handshake(half.ssl, &failure), IO_FAILED);
        if (failure.class != peers[i].class ||
            (peers[i].text != NULL && strcmp(failure.text, peers[i].text) != 0))
            fail_msg("row %zu: %s", i, failure.text);
        half_free(&half);
    }
}

static void a_caller_may_not_care_why(void **state)
{
    const struct fixture *fixture = *state;
    struct half half = half_new(fixture->client, true);
    (void)close(half.peer);
    half.peer = -1;
    assert_int_equal(tls_handshake(half.ssl, NULL), IO_FAILED);
    half_free(&half);
}

/* A closed socket pair answers a write with EPIPE, and a read of what it never took with a reset.
 */
static void a_vanished_peer_is_a_reset(void **state)
{
    const struct fixture *fixture = *state;
    struct half half = half_new(fixture->client, true);
    struct failure failure = {0};
    (void)close(half.peer);
    half.peer = -1;
    assert_int_equal(tls_handshake(half.ssl, &failure), IO_FAILED);
    assert_string_equal(failure.text, "reset: Broken pipe");
    half_free(&half);

    half = half_new(fixture->client, true);
    assert_int_equal(tls_handshake(half.ssl, &failure), IO_WANT_READ);
    (void)close(half.peer);
    half.peer = -1;
    assert_int_equal(tls_handshake(half.ssl, &failure), IO_FAILED);
    assert_int_equal(failure.class, FAILURE_RESET);
    assert_string_equal(failure.text, "reset");
    half_free(&half);
}

static void moves_bytes_and_closes(void **state)
{
    const struct fixture *fixture = *state;
    struct memory_pair pair;
    struct failure failure = {0};
    char buffer[64];
    size_t done = 99;
    assert_true(memory_pair_init(&pair, fixture->client, fixture->server));
    assert_true(memory_pair_handshake(&pair));

    assert_int_equal(tls_read(pair.server, buffer, sizeof(buffer), &done, &failure), IO_WANT_READ);
    assert_int_equal(done, 0);
    assert_int_equal(tls_write(pair.client, "hello", 5, &done, &failure), IO_OK);
    assert_int_equal(done, 5);
    assert_int_equal(tls_read(pair.server, buffer, sizeof(buffer), &done, &failure), IO_OK);
    assert_int_equal(done, 5);
    assert_memory_equal(buffer, "hello", 5);

    assert_int_equal(tls_send_close(pair.client, &failure), IO_OK);
    assert_int_equal(tls_read(pair.server, buffer, sizeof(buffer), &done, &failure), IO_CLOSED);
    assert_int_equal(done, 0);
    assert_int_equal(failure.class, FAILURE_NONE);
    memory_pair_cleanup(&pair);
}

/* Both kinds of end, and a stale entry in OpenSSL's queue, which must not be taken for ours. */
static void tells_an_end_without_close_notify(void **state)
{
    const struct fixture *fixture = *state;
    struct memory_pair pair;
    struct failure failure = {0};
    char byte;
    size_t done;
    assert_true(memory_pair_init(&pair, fixture->client, fixture->server));
    assert_true(memory_pair_handshake(&pair));
    ERR_raise(ERR_LIB_SSL, SSL_R_BAD_LENGTH);
    assert_int_equal(tls_read(pair.client, &byte, 1, &done, &failure), IO_WANT_READ);
    BIO_set_mem_eof_return(SSL_get_rbio(pair.client), 0);
    assert_int_equal(tls_read(pair.client, &byte, 1, &done, &failure), IO_EOF);
    memory_pair_cleanup(&pair);
}

static void a_broken_record_is_no_plaintext(void **state)
{
    const struct fixture *fixture = *state;
    struct memory_pair pair;
    struct failure failure = {0};
    char byte;
    size_t done;
    assert_true(memory_pair_init(&pair, fixture->client, fixture->server));
    assert_true(memory_pair_handshake(&pair));
    static const char record[] = "HTTP/1.1 200 OK\r\n";
    assert_int_equal(BIO_write(SSL_get_rbio(pair.client), record, sizeof(record) - 1),
                     sizeof(record) - 1);
    assert_int_equal(tls_read(pair.client, &byte, 1, &done, &failure), IO_FAILED);
    assert_int_equal(failure.class, FAILURE_HANDSHAKE);
    assert_int_equal(strncmp(failure.text, "TLS error: ", 11), 0);
    memory_pair_cleanup(&pair);
}

/* One side's refusal is the other side's alert. */
static void tells_both_sides_why_they_disagree(void **state)
{
    const struct fixture *fixture = *state;
    struct error err;
    struct memory_pair pair;
    SSL_CTX *client =
        tls_context_new(&(struct tls_settings){.role = TLS_CLIENT,
                                               .max_version = TLS1_2_VERSION,
                                               .ciphers = "ECDHE-RSA-AES128-GCM-SHA256"},
                        NULL, 0, &err);
    assert_non_null(client);
    assert_true(memory_pair_init(&pair, client, fixture->server));
    assert_false(memory_pair_handshake(&pair));
    assert_string_equal(pair.server_failure.text, "TLS error: no shared cipher");
    assert_string_equal(pair.client_failure.text, "alert handshake failure");
    memory_pair_cleanup(&pair);
    SSL_CTX_free(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_the_peer_is),
        cmocka_unit_test(a_caller_may_not_care_why),
        cmocka_unit_test(a_vanished_peer_is_a_reset),
        cmocka_unit_test(moves_bytes_and_closes),
        cmocka_unit_test(tells_an_end_without_close_notify),
        cmocka_unit_test(a_broken_record_is_no_plaintext),
        cmocka_unit_test(tells_both_sides_why_they_disagree),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
