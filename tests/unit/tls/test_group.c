#include "common/tls/group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/base/text.h"
#include "tests/support/memory_pair.h"

#include <openssl/objects.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

static void table_names_are_unique(void **state)
{
    (void)state;
    assert_in_range(group_count, 40, 64);
    for (size_t i = 0; i < group_count; i++) {
        const struct tls_group *group = &group_table[i];
        print_message("%s\n", group->name);
        assert_ptr_equal(group_find(group->name), group);
        assert_ptr_equal(group_find(group->openssl), group);
        if (group->alias)
            assert_ptr_equal(group_find(group->alias), group);
        assert_ptr_equal(group_by_nid(0x1000000 | group->code), group);
        if (group->nid != NID_undef)
            assert_ptr_equal(group_by_nid(group->nid), group);
        assert_true(group->min_version <= group->max_version);
    }
}

static void names_are_found(void **state)
{
    static const struct {
        const char *name;
        int code; /* -1: unknown */
    } rows[] = {
        {"x25519", 29},
        {"X25519", 29},
        {"P-256", 23},
        {"p-256", 23},
        {"secp256r1", 23},
        {"SECP256R1", 23},
        {"prime256v1", 23},
        {"secp384r1", 24},
        {"P-521", 25},
        {"x448", 30},
        {"FFDHE2048", 256},
        {"ffdhe8192", 260},
        {"mlkem768", 513},
        {"ML-KEM-768", 513},
        {"x25519mlkem768", 0x11EC},
        {"curveSM2", 41},
        {"K-163", 1},
        {"secp256k1", 22},
        {"brainpoolP256r1", 26},
        {"brainpoolP256r1tls13", 31},
        {"p-257", -1},
        {"ffdhe", -1},
        {"", -1},
        {"rsaEncryption", -1},
        {"P256", -1},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct tls_group *group = group_find(rows[i].name);
        if ((group ? group->code : -1) != rows[i].code)
            fail_msg("\"%s\" is %s", rows[i].name, group ? group->name : "unknown");
    }
    assert_null(group_by_nid(NID_undef));
    assert_null(group_by_nid(NID_rsaEncryption));
    assert_null(group_by_nid(0x1000000 | 0x7777));
    assert_string_equal(group_nearest("x25591"), "x25519");
    assert_string_equal(group_nearest("secp256r2"), "secp256r1");
    assert_string_equal(group_nearest("X25519MLKEM786"), "X25519MLKEM768");
    assert_null(group_nearest("certificate"));
}

/* An Ed25519 certificate asks nothing of the group in any version. */
static bool use_certificate(SSL_CTX *server)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    X509 *leaf = X509_new();
    bool used = key && leaf && ASN1_INTEGER_set(X509_get_serialNumber(leaf), 1) == 1 &&
                X509_gmtime_adj(X509_getm_notBefore(leaf), 0) &&
                X509_gmtime_adj(X509_getm_notAfter(leaf), 3600) &&
                X509_set_pubkey(leaf, key) == 1 && X509_sign(leaf, key, NULL) > 0 &&
                SSL_CTX_use_certificate(server, leaf) == 1 &&
                SSL_CTX_use_PrivateKey(server, key) == 1;

    X509_free(leaf);
    EVP_PKEY_free(key);
    return used;
}

/* A handshake in this version with this group alone, on both sides. */
static bool group_is_negotiated(const struct tls_group *group, int version)
{
    SSL_CTX *client = SSL_CTX_new(TLS_client_method());
    SSL_CTX *server = SSL_CTX_new(TLS_server_method());
    SSL_CTX *both[] = {client, server};
    struct memory_pair pair = {0};

    assert_true(use_certificate(server));
    for (size_t i = 0; i < ROWS(both); i++) {
        SSL_CTX_set_security_level(both[i], 0);
        assert_int_equal(SSL_CTX_set_min_proto_version(both[i], version), 1);
        assert_int_equal(SSL_CTX_set_max_proto_version(both[i], version), 1);
        assert_int_equal(SSL_CTX_set1_groups_list(both[i], group->openssl), 1);
        assert_int_equal(SSL_CTX_set_cipher_list(both[i], "ECDHE"), 1);
    }
    assert_true(memory_pair_init(&pair, client, server));
    bool done = memory_pair_handshake(&pair);
    if (done) {
        int nid = (int)SSL_get_negotiated_group(pair.client);
        if (group_by_nid(nid) != group)
            fail_msg("%s: negotiated is %d", group->name, nid);
    }
    memory_pair_cleanup(&pair);
    SSL_CTX_free(client);
    SSL_CTX_free(server);
    return done;
}

/* Every group that the loaded library takes is negotiated in just the versions that its row says.
 */
static void library_negotiates_its_groups(void **state)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    int count = 0;

    (void)state;
    assert_non_null(context);
    for (size_t i = 0; i < group_count; i++) {
        const struct tls_group *group = &group_table[i];
        if (SSL_CTX_set1_groups_list(context, group->openssl) != 1)
            continue;
        for (int version = TLS1_2_VERSION; version <= TLS1_3_VERSION; version++) {
            bool expected = version >= group->min_version && version <= group->max_version;
            if (group_is_negotiated(group, version) != expected)
                fail_msg("%s in 0x%04x", group->name, version);
        }
        count++;
    }
    SSL_CTX_free(context);
    assert_true(count >= 10);
}

int main(void)
{
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_names_are_unique),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(library_negotiates_its_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
