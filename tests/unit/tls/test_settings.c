#include "common/tls/settings.h"

#include "certs/authority.h"
#include "common/base/memory.h"
#include "common/tls/library.h"
#include "common/tls/suite.h"
#include "tests/support/memory_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct library_facts library;
    struct authority authority;
    struct identity rsa, ec;
};

static int setup(void **state)
{
    struct fixture *fixture = memory_new(1, sizeof(*fixture));
    struct error err;
    *state = fixture;
    return library_init(false, &err) && library_facts_read(&fixture->library, &err) &&
                   authority_init(&fixture->authority, &err) &&
                   authority_issue(&fixture->authority, kind_find("rsa-2048"), &fixture->rsa,
                                   &err) &&
                   authority_issue(&fixture->authority, kind_find("ecdsa-p256"), &fixture->ec, &err)
               ? 0
               : -1;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    identity_cleanup(&fixture->rsa);
    identity_cleanup(&fixture->ec);
    authority_cleanup(&fixture->authority);
    free(fixture);
    return 0;
}

static SSL_CTX *make(const struct tls_settings *settings, const struct identity *identity)
{
    struct error err = {{0}};
    SSL_CTX *ctx = tls_context_new(settings, &identity, identity != NULL ? 1 : 0, &err);
    if (ctx == NULL)
        fail_msg("%s", err.text);
    return ctx;
}

/* One handshake between contexts that are freed afterwards; the pair is the caller's. */
static bool shake(struct memory_pair *pair, SSL_CTX *client, SSL_CTX *server)
{
    assert_true(memory_pair_init(pair, client, server));
    SSL_CTX_free(client);
    SSL_CTX_free(server);
    return memory_pair_handshake(pair);
}

/* Settings that no library takes, and a word that the reason must name. */
static const struct {
    struct tls_settings settings;
    const char *names;
} refused[] = {
    {{.role = TLS_SERVER, .ciphers = "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA265"},
     "ECDHE-RSA-AES128-GCM-SHA265"},
    {{.role = TLS_SERVER, .ciphers = "NONSENSE"}, "NONSENSE"},
    {{.role = TLS_CLIENT, .ciphersuites = "TLS_AES_128_GCM_SHA256:TLS_AES_128_GCM_SHA255"},
     "TLS_AES_128_GCM_SHA255"},
    {{.role = TLS_CLIENT, .ciphersuites = "TLS_AES_128_GCM_SHA256:TLS_RSA_WITH_AES_128_CBC_SHA"},
     "TLS_RSA_WITH_AES_128_CBC_SHA"},
    {{.role = TLS_CLIENT, .ciphersuites = "TLS_NONE"}, "TLS_NONE"},
    {{.role = TLS_CLIENT, .groups = "X25519:X25518:P-256"}, "X25518"},
    {{.role = TLS_CLIENT, .sigalgs = "ed25519:ed25520"}, "ed25520"},
    {{.role = TLS_CLIENT, .min_version = TLS1_3_VERSION, .max_version = TLS1_2_VERSION}, "1.3"},
    {{.role = TLS_CLIENT, .alpn = "http/1.1,,h2"}, "http/1.1,,h2"},
    {{.role = TLS_SERVER, .ticket_keys = (const unsigned char *)"short", .ticket_keys_length = 5},
     "5 bytes"},
};

static void names_the_word_that_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        struct error err = {{0}};
        assert_null(tls_context_new(&refused[i].settings, NULL, 0, &err));
        if (strstr(err.text, refused[i].names) == NULL)
            fail_msg("\"%s\" does not name %s", err.text, refused[i].names);
    }
}

static const struct {
    enum tls_role role;
    const char *item;
    const char *names; /* NULL: taken */
} commands[] = {
    {TLS_SERVER, "MinProtocol=TLSv1.2", NULL},
    {TLS_CLIENT, "Options=-SessionTicket,Bugs", NULL},
    {TLS_SERVER, "Groups=P-256", NULL},
    {TLS_SERVER, "MinProtokoll=TLSv1.2", "MinProtokoll"},
    {TLS_CLIENT, "DHParameters=/nowhere", "DHParameters"},
    {TLS_SERVER, "CipherString", "CipherString"},
    {TLS_SERVER, "CipherString=NOTHING", "NOTHING"},
    {TLS_SERVER, "=x", "=x"},
};

static void applies_ssl_conf_commands(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        struct text_list list = {0};
        struct error err = {{0}};
        text_list_add(&list, commands[i].item);
        const struct tls_settings settings = {.role = commands[i].role, .ssl_conf = &list};
        SSL_CTX *ctx = tls_context_new(&settings, NULL, 0, &err);
        if (commands[i].names == NULL && ctx == NULL)
            fail_msg("%s", err.text);
        if (commands[i].names != NULL) {
            assert_null(ctx);
            assert_non_null(strstr(err.text, commands[i].names));
        }
        SSL_CTX_free(ctx);
        text_list_cleanup(&list);
    }
}

/* The commands come last, so that they win. */
static void ssl_conf_overrides_the_rest(void **state)
{
    (void)state;
    struct text_list list = {0};
    text_list_add(&list, "MinProtocol=TLSv1.2");
    SSL_CTX *ctx = make(&(struct tls_settings){.role = TLS_SERVER, .ssl_conf = &list}, NULL);
    assert_int_equal(SSL_CTX_get_min_proto_version(ctx), TLS1_2_VERSION);
    SSL_CTX_free(ctx);
    text_list_cleanup(&list);
}

static bool offers(SSL_CTX *ctx, const char *name)
{
    STACK_OF(SSL_CIPHER) *ciphers = SSL_CTX_get_ciphers(ctx);
    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); i++)
        if (strcmp(SSL_CIPHER_get_name(sk_SSL_CIPHER_value(ciphers, i)), name) == 0)
            return true;
    return false;
}

static void the_laboratory_has_every_suite(void **state)
{
    const struct fixture *fixture = *state;
    SSL_CTX *ctx = make(&(struct tls_settings){.role = TLS_SERVER}, &fixture->rsa);
    size_t seen = 0;
    for (size_t i = 0; i < suite_count; i++) {
        if (!library_has_suite(&fixture->library, &suite_table[i]))
            continue;
        if (!offers(ctx, suite_name(&suite_table[i])))
            fail_msg("%s is missing", suite_name(&suite_table[i]));
        seen++;
    }
    assert_in_range(seen, 100, suite_count);
    assert_true(offers(ctx, "NULL-SHA256"));
    assert_true(offers(ctx, "TLS_AES_128_CCM_8_SHA256"));
    assert_int_equal(SSL_CTX_get_security_level(ctx), 0);
    SSL_CTX_free(ctx);
}

static void an_empty_list_is_empty(void **state)
{
    (void)state;
    SSL_CTX *only_13 = make(&(struct tls_settings){.role = TLS_CLIENT, .ciphers = ""}, NULL);
    assert_true(offers(only_13, "TLS_AES_128_GCM_SHA256"));
    assert_false(offers(only_13, "AES128-SHA"));
    SSL_CTX *only_12 = make(&(struct tls_settings){.role = TLS_CLIENT, .ciphersuites = ""}, NULL);
    assert_false(offers(only_12, "TLS_AES_128_GCM_SHA256"));
    assert_true(offers(only_12, "AES128-SHA"));
    SSL_CTX_free(only_13);
    SSL_CTX_free(only_12);
}

/* What a system-wide openssl.cnf could have set is set back, and the fixed part is there. */
static void sets_options_and_modes(void **state)
{
    (void)state;
    SSL_CTX *ctx = make(
        &(struct tls_settings){
            .role = TLS_SERVER, .prefer_server = true, .read_ahead = true, .session_cache = true},
        NULL);
    assert_int_equal(SSL_CTX_get_options(ctx), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                                   SSL_OP_ENABLE_MIDDLEBOX_COMPAT |
                                                   SSL_OP_NO_TICKET |
                                                   SSL_OP_CIPHER_SERVER_PREFERENCE);
    assert_true(SSL_CTX_get_mode(ctx) & SSL_MODE_ENABLE_PARTIAL_WRITE);
    assert_true(SSL_CTX_get_mode(ctx) & SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    assert_int_equal(SSL_CTX_get_session_cache_mode(ctx), SSL_SESS_CACHE_SERVER);
    assert_int_equal(SSL_CTX_get_num_tickets(ctx), 0);
    assert_int_equal(SSL_CTX_get_read_ahead(ctx), 1);
    SSL_CTX_free(ctx);

    ctx =
        make(&(struct tls_settings){.role = TLS_CLIENT, .tickets = 2, .session_cache = true}, NULL);
    assert_false(SSL_CTX_get_options(ctx) & SSL_OP_NO_TICKET);
    assert_int_equal(SSL_CTX_get_session_cache_mode(ctx), SSL_SESS_CACHE_OFF);
    SSL_CTX_free(ctx);
}

static void count_ticket(int is_sent, int version, int content, const void *message, size_t length,
                         SSL *ssl, void *count)
{
    (void)is_sent, (void)version, (void)ssl;
    if (content == SSL3_RT_HANDSHAKE && length > 0 &&
        *(const unsigned char *)message == SSL3_MT_NEWSESSION_TICKET)
        (*(size_t *)count)++;
}

static size_t tickets_received(const struct fixture *fixture, int version, unsigned tickets)
{
    struct memory_pair pair;
    SSL_CTX *client = make(
        &(struct tls_settings){
            .role = TLS_CLIENT, .min_version = version, .max_version = version, .tickets = 1},
        NULL);
    SSL_CTX *server =
        make(&(struct tls_settings){.role = TLS_SERVER, .tickets = tickets}, &fixture->ec);
    size_t received = 0;
    SSL_CTX_set_msg_callback(client, count_ticket);
    SSL_CTX_set_msg_callback_arg(client, &received);
    assert_true(shake(&pair, client, server));
    assert_true(memory_pair_transfer(pair.server, pair.client, "after the tickets", 17));
    memory_pair_cleanup(&pair);
    return received;
}

static void sends_tickets_only_when_asked(void **state)
{
    assert_int_equal(tickets_received(*state, TLS1_3_VERSION, 0), 0);
    assert_int_equal(tickets_received(*state, TLS1_3_VERSION, 2), 2);
    assert_int_equal(tickets_received(*state, TLS1_2_VERSION, 0), 0);
    assert_int_equal(tickets_received(*state, TLS1_2_VERSION, 1), 1);
}

/* Two contexts of one server with the same ticket keys accept each other's tickets. */
static void shares_ticket_keys(void **state)
{
    const struct fixture *fixture = *state;
    size_t length = tls_ticket_keys_length();
    assert_in_range(length, 32, 256);
    unsigned char *keys = memory_new(length, 1);
    struct tls_settings settings = {
        .role = TLS_SERVER, .tickets = 1, .ticket_keys = keys, .ticket_keys_length = length};
    const struct tls_settings client_settings = {
        .role = TLS_CLIENT, .max_version = TLS1_2_VERSION, .tickets = 1};

    struct memory_pair first, second;
    assert_true(shake(&first, make(&client_settings, NULL), make(&settings, &fixture->ec)));
    SSL_CTX *client = make(&client_settings, NULL), *server = make(&settings, &fixture->ec);
    assert_true(memory_pair_init(&second, client, server));
    assert_int_equal(SSL_set_session(second.client, SSL_get0_session(first.client)), 1);
    assert_true(memory_pair_handshake(&second));
    assert_int_equal(SSL_session_reused(second.client), 1);
    memory_pair_cleanup(&first);
    memory_pair_cleanup(&second);
    SSL_CTX_free(client);
    SSL_CTX_free(server);
    free(keys);
}

static const struct {
    const char *client, *server, *chosen;
} protocols[] = {
    {"suitemark/1,http/1.1", "suitemark/1,http/1.1", "suitemark/1"},
    {"http/1.1,suitemark/1", "suitemark/1,http/1.1", "suitemark/1"},
    {"http/1.1", "suitemark/1,http/1.1", "http/1.1"},
    {"http/1", "suitemark/1,http/1.1", ""},
    {"h2", "suitemark/1,http/1.1", ""},
    {"h2", NULL, ""},
    {NULL, "suitemark/1", ""},
};

static void chooses_a_protocol_in_its_own_order(void **state)
{
    const struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
        struct memory_pair pair;
        SSL_CTX *client =
            make(&(struct tls_settings){.role = TLS_CLIENT, .alpn = protocols[i].client}, NULL);
        SSL_CTX *server = make(
            &(struct tls_settings){.role = TLS_SERVER, .alpn = protocols[i].server}, &fixture->ec);
        assert_true(shake(&pair, client, server));
        const unsigned char *name;
        unsigned length;
        SSL_get0_alpn_selected(pair.client, &name, &length);
        assert_int_equal(length, strlen(protocols[i].chosen));
        if (length > 0)
            assert_memory_equal(name, protocols[i].chosen, length);
        memory_pair_cleanup(&pair);
    }
}

static X509_STORE *store_of(X509 *root)
{
    X509_STORE *store = X509_STORE_new();
    assert_non_null(store);
    assert_int_equal(X509_STORE_add_cert(store, root), 1);
    return store;
}

static void verifies_the_server(void **state)
{
    const struct fixture *fixture = *state;
    struct memory_pair pair;
    X509_STORE *right = store_of(fixture->authority.root), *wrong = X509_STORE_new();

    SSL_CTX *client = make(&(struct tls_settings){.role = TLS_CLIENT, .trust = right}, NULL);
    assert_true(
        shake(&pair, client, make(&(struct tls_settings){.role = TLS_SERVER}, &fixture->rsa)));
    assert_int_equal(SSL_get_verify_result(pair.client), X509_V_OK);
    memory_pair_cleanup(&pair);

    client = make(&(struct tls_settings){.role = TLS_CLIENT, .trust = wrong}, NULL);
    assert_false(
        shake(&pair, client, make(&(struct tls_settings){.role = TLS_SERVER}, &fixture->rsa)));
    assert_string_equal(pair.client_failure.text,
                        "certificate verify: unable to get local issuer certificate");
    assert_string_equal(pair.server_failure.text, "alert unknown ca");
    memory_pair_cleanup(&pair);
    X509_STORE_free(right);
    X509_STORE_free(wrong);
}

/* The lie of TLS 1.3: the client is done before the server has looked for its certificate. */
static void requires_a_client_certificate(void **state)
{
    const struct fixture *fixture = *state;
    X509_STORE *store = store_of(fixture->authority.root);
    const struct tls_settings server = {.role = TLS_SERVER, .client_ca = store};
    struct memory_pair pair;

    assert_true(shake(&pair, make(&(struct tls_settings){.role = TLS_CLIENT}, &fixture->ec),
                      make(&server, &fixture->rsa)));
    assert_non_null(SSL_get0_peer_certificate(pair.server));
    assert_int_equal(sk_X509_NAME_num(SSL_get_client_CA_list(pair.client)), 1);
    memory_pair_cleanup(&pair);

    assert_false(shake(&pair, make(&(struct tls_settings){.role = TLS_CLIENT}, NULL),
                       make(&server, &fixture->rsa)));
    assert_string_equal(pair.server_failure.text, "TLS error: peer did not return a certificate");
    char byte;
    size_t done;
    struct failure failure;
    assert_int_equal(SSL_is_init_finished(pair.client), 1);
    assert_int_equal(tls_read(pair.client, &byte, 1, &done, &failure), IO_FAILED);
    assert_string_equal(failure.text, "alert certificate required");
    memory_pair_cleanup(&pair);
    X509_STORE_free(store);
}

/* What a level refuses is refused when the context is made, not in a handshake. */
static void judges_certificates_by_the_level(void **state)
{
    const struct fixture *fixture = *state;
    const struct identity *identity = &fixture->rsa;
    struct error err = {{0}};
    const struct tls_settings settings = {.role = TLS_SERVER, .security_level = 3};
    assert_null(tls_context_new(&settings, &identity, 1, &err));
    assert_string_equal(err.text, "certificate rsa-2048: ee key too small");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_word_that_is_wrong),
        cmocka_unit_test(applies_ssl_conf_commands),
        cmocka_unit_test(ssl_conf_overrides_the_rest),
        cmocka_unit_test(the_laboratory_has_every_suite),
        cmocka_unit_test(an_empty_list_is_empty),
        cmocka_unit_test(sets_options_and_modes),
        cmocka_unit_test(sends_tickets_only_when_asked),
        cmocka_unit_test(shares_ticket_keys),
        cmocka_unit_test(chooses_a_protocol_in_its_own_order),
        cmocka_unit_test(verifies_the_server),
        cmocka_unit_test(requires_a_client_certificate),
        cmocka_unit_test(judges_certificates_by_the_level),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
