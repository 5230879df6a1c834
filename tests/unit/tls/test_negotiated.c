#include "common/tls/negotiated.h"

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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct library_facts library;
    struct authority authority;
    struct identity identities[32]; /* by index into kind_table; slow kinds stay empty */
};

static int setup(void **state)
{
    struct fixture *fixture = memory_new(1, sizeof(*fixture));
    struct error err;
    *state = fixture;
    if (!library_init(false, &err) || !library_facts_read(&fixture->library, &err) ||
        !authority_init(&fixture->authority, &err))
        return -1;
    for (size_t i = 0; i < kind_count; i++)
        if (!kind_table[i].slow_key && library_has_kind(&fixture->library, &kind_table[i]) &&
            !authority_issue(&fixture->authority, &kind_table[i], &fixture->identities[i], &err))
            return -1;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < kind_count; i++)
        identity_cleanup(&fixture->identities[i]);
    authority_cleanup(&fixture->authority);
    free(fixture);
    return 0;
}

/* What the client pins, and what must come of it. */
struct row {
    const char *kind;
    int version;
    const char *suite;
    const char *groups;
    const char *sigalgs; /* NULL: those of the kind */
    const char *group, *signature, *type;
    int bits;
    const char *curve;
};

static const struct row rows[] = {
    {"rsa-2048", TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "X25519", NULL, "x25519",
     "rsa_pss_rsae_sha256", "RSA", 2048, ""},
    {"rsa-2048", TLS1_3_VERSION, "TLS_AES_128_CCM_8_SHA256", "ffdhe2048", NULL, "ffdhe2048",
     "rsa_pss_rsae_sha256", "RSA", 2048, ""},
    {"rsa-2048", TLS1_2_VERSION, "ECDHE-RSA-AES128-GCM-SHA256", "P-384", "RSA+SHA256", "p-384",
     "rsa_pkcs1_sha256", "RSA", 2048, ""},
    {"rsa-2048", TLS1_2_VERSION, "ECDHE-RSA-AES128-GCM-SHA256", "X448", "rsa_pss_rsae_sha512",
     "x448", "rsa_pss_rsae_sha512", "RSA", 2048, ""},
    {"rsa-2048", TLS1_2_VERSION, "DHE-RSA-AES128-GCM-SHA256", "X25519", "RSA+SHA256", "dh-2048",
     "rsa_pkcs1_sha256", "RSA", 2048, ""},
    {"rsa-2048", TLS1_2_VERSION, "AES128-GCM-SHA256", "X25519", NULL, "", "", "RSA", 2048, ""},
    {"rsa-2048", TLS1_1_VERSION, "ECDHE-RSA-AES128-SHA", "P-256", NULL, "p-256",
     "rsa_pkcs1_md5_sha1", "RSA", 2048, ""},
    {"rsa-2048", TLS1_VERSION, "AES128-SHA", "P-256", NULL, "", "", "RSA", 2048, ""},
    {"rsa-pss-2048", TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384", "P-256", NULL, "p-256",
     "rsa_pss_pss_sha256", "RSA-PSS", 2048, ""},
    {"rsa-pss-2048", TLS1_2_VERSION, "ECDHE-RSA-AES256-GCM-SHA384", "P-256", NULL, "p-256",
     "rsa_pss_pss_sha256", "RSA-PSS", 2048, ""},
    {"ecdsa-p256", TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256", "X25519", NULL, "x25519",
     "ecdsa_secp256r1_sha256", "EC", 256, "p-256"},
    {"ecdsa-p256", TLS1_2_VERSION, "ECDHE-ECDSA-AES128-CCM8", "P-256", NULL, "p-256",
     "ecdsa_secp256r1_sha256", "EC", 256, "p-256"},
    {"ecdsa-p256", TLS1_VERSION, "ECDHE-ECDSA-AES128-SHA", "P-256", NULL, "p-256", "ecdsa_sha1",
     "EC", 256, "p-256"},
    {"ecdsa-p384", TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", "X25519:P-384", NULL, "x25519",
     "ecdsa_secp384r1_sha384", "EC", 384, "p-384"},
    {"ecdsa-p521", TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "P-521", NULL, "p-521",
     "ecdsa_secp521r1_sha512", "EC", 521, "p-521"},
    {"ed25519", TLS1_3_VERSION, "TLS_AES_128_CCM_SHA256", "X25519", NULL, "x25519", "ed25519",
     "ED25519", 256, ""},
    {"ed25519", TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", "X25519", NULL, "x25519",
     "ed25519", "ED25519", 256, ""},
    {"ed448", TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256", "X25519", NULL, "x25519", "ed448",
     "ED448", 456, ""},
    {"ml-dsa-65", TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256", "X25519MLKEM768", NULL,
     "X25519MLKEM768", "mldsa65", "ML-DSA-65", 15616, ""},
};

static const char *sigalgs_of(const struct row *row, const struct certificate_kind *kind)
{
    if (row->sigalgs != NULL)
        return row->sigalgs;
    return row->version == TLS1_3_VERSION ? kind->sigalgs_13 : kind->sigalgs_12;
}

/* Two contexts: a laboratory server with one identity, and a client that pins the row. */
static void make_contexts(const struct row *row, const struct fixture *fixture, SSL_CTX **client,
                          SSL_CTX **server)
{
    const struct certificate_kind *kind = kind_find(row->kind);
    const struct identity *identity = &fixture->identities[kind - kind_table];
    const bool is_13 = row->version == TLS1_3_VERSION;
    const struct tls_settings server_settings = {.role = TLS_SERVER};
    const struct tls_settings client_settings = {
        .role = TLS_CLIENT,
        .min_version = row->version,
        .max_version = row->version,
        .ciphers = is_13 ? "" : row->suite,
        .ciphersuites = is_13 ? row->suite : "",
        .groups = row->groups,
        .sigalgs = row->version >= TLS1_2_VERSION ? sigalgs_of(row, kind) : NULL,
    };
    struct error err = {{0}};
    *server = tls_context_new(&server_settings, &identity, 1, &err);
    *client = tls_context_new(&client_settings, NULL, 0, &err);
    if (*server == NULL || *client == NULL)
        fail_msg("%s %s: %s", row->kind, row->suite, err.text);
}

static void check_row(const struct row *row, const struct negotiated *facts)
{
    const struct suite *suite = suite_find(row->suite);
    assert_non_null(suite);
    assert_int_equal(facts->version, row->version);
    assert_int_equal(facts->suite, suite->code);
    assert_string_equal(facts->group, row->group);
    assert_string_equal(facts->signature, row->signature);
    assert_string_equal(facts->certificate_type, row->type);
    assert_int_equal(facts->certificate_bits, row->bits);
    assert_string_equal(facts->certificate_curve, row->curve);
    assert_false(facts->resumed);
}

static bool is_possible(const struct row *row, const struct fixture *fixture)
{
    const struct tls_group *group = group_find(row->group);
    return library_has_kind(&fixture->library, kind_find(row->kind)) &&
           library_has_suite(&fixture->library, suite_find(row->suite)) &&
           (group == NULL || library_has_group(&fixture->library, group));
}

static void reads_the_facts_of_each_handshake(void **state)
{
    size_t tried = 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!is_possible(&rows[i], *state))
            continue;
        SSL_CTX *client, *server;
        struct memory_pair pair;
        struct negotiated facts;
        char what[128] = "";
        make_contexts(&rows[i], *state, &client, &server);
        assert_true(memory_pair_init(&pair, client, server));
        if (!memory_pair_handshake(&pair))
            fail_msg("row %zu: client %s, server %s", i, pair.client_failure.text,
                     pair.server_failure.text);
        negotiated_read(pair.client, &facts);
        check_row(&rows[i], &facts);
        if (!negotiated_same(pair.client, &facts, what, sizeof(what)))
            fail_msg("row %zu differs from itself: %s", i, what);
        memory_pair_cleanup(&pair);
        SSL_CTX_free(client);
        SSL_CTX_free(server);
        tried++;
    }
    assert_in_range(tried, 10, sizeof(rows) / sizeof(rows[0]));
}

/* A handshake as rows[0] pins it, with one expectation changed. */
struct difference {
    const char *words;
    void (*change)(struct negotiated *expected);
};

static void change_version(struct negotiated *expected)
{
    expected->version = TLS1_2_VERSION;
}

static void change_suite(struct negotiated *expected)
{
    expected->suite = 0x1302;
}

static void change_resumed(struct negotiated *expected)
{
    expected->resumed = true;
}

static void change_group(struct negotiated *expected)
{
    (void)snprintf(expected->group, sizeof(expected->group), "p-256");
    expected->ids.group = 415;
}

static void change_signature(struct negotiated *expected)
{
    (void)snprintf(expected->signature, sizeof(expected->signature), "ed25519");
    expected->ids.signature = 1087;
}

static void change_bits(struct negotiated *expected)
{
    expected->certificate_bits = 3072;
}

static void change_type(struct negotiated *expected)
{
    (void)snprintf(expected->certificate_type, sizeof(expected->certificate_type), "RSA-PSS");
}

static void change_curve(struct negotiated *expected)
{
    (void)snprintf(expected->certificate_type, sizeof(expected->certificate_type), "EC");
    (void)snprintf(expected->certificate_curve, sizeof(expected->certificate_curve), "p-256");
}

static const struct difference differences[] = {
    {"version 1.3 instead of 1.2", change_version},
    {"suite TLS_AES_128_GCM_SHA256 instead of TLS_AES_256_GCM_SHA384", change_suite},
    {"session not resumed", change_resumed},
    {"group x25519 instead of p-256", change_group},
    {"signature rsa_pss_rsae_sha256 instead of ed25519", change_signature},
    {"certificate key RSA 2048 instead of RSA 3072", change_bits},
    {"certificate key RSA 2048 instead of RSA-PSS 2048", change_type},
    {"certificate key RSA 2048 instead of EC p-256", change_curve},
};

static void names_the_first_difference(void **state)
{
    SSL_CTX *client, *server;
    struct memory_pair pair;
    struct negotiated facts;
    make_contexts(&rows[0], *state, &client, &server);
    assert_true(memory_pair_init(&pair, client, server));
    assert_true(memory_pair_handshake(&pair));
    negotiated_read(pair.client, &facts);

    for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++) {
        struct negotiated expected = facts;
        char what[128] = "";
        differences[i].change(&expected);
        assert_false(negotiated_same(pair.client, &expected, what, sizeof(what)));
        assert_string_equal(what, differences[i].words);
    }
    memory_pair_cleanup(&pair);
    SSL_CTX_free(client);
    SSL_CTX_free(server);
}

/* A second handshake that the first one's ticket shortens is no full handshake. */
static void sees_a_resumed_session(void **state)
{
    const struct fixture *fixture = *state;
    const struct identity *identity = &fixture->identities[kind_find("ecdsa-p256") - kind_table];
    const struct tls_settings server_settings = {.role = TLS_SERVER, .tickets = 1};
    const struct tls_settings client_settings = {
        .role = TLS_CLIENT, .tickets = 1, .max_version = TLS1_2_VERSION};
    struct error err;
    SSL_CTX *server = tls_context_new(&server_settings, &identity, 1, &err);
    SSL_CTX *client = tls_context_new(&client_settings, NULL, 0, &err);
    assert_non_null(server);
    assert_non_null(client);

    struct memory_pair first, second;
    struct negotiated facts;
    char what[128] = "";
    assert_true(memory_pair_init(&first, client, server));
    assert_true(memory_pair_handshake(&first));
    negotiated_read(first.client, &facts);
    assert_true(memory_pair_init(&second, client, server));
    assert_int_equal(SSL_set_session(second.client, SSL_get0_session(first.client)), 1);
    assert_true(memory_pair_handshake(&second));
    assert_false(negotiated_same(second.client, &facts, what, sizeof(what)));
    assert_string_equal(what, "session resumed");
    memory_pair_cleanup(&first);
    memory_pair_cleanup(&second);
    SSL_CTX_free(client);
    SSL_CTX_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_facts_of_each_handshake),
        cmocka_unit_test(names_the_first_difference),
        cmocka_unit_test(sees_a_resumed_session),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
