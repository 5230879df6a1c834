#include "common/tls/kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

static void table_rows_are_whole(void **state)
{
    (void)state;
    assert_int_equal(kind_count, 13);
    for (size_t i = 0; i < kind_count; i++) {
        const struct certificate_kind *kind = &kind_table[i];
        print_message("%s\n", kind->name);
        assert_ptr_equal(kind_find(kind->name), kind);
        assert_true(kind->min_version <= kind->max_version);
        /* A sigalg list just where the version has one and the kind is usable. */
        assert_int_equal(kind->sigalgs_12 != NULL, kind->min_version <= TLS1_2_VERSION);
        assert_int_equal(kind->sigalgs_13 != NULL, kind->max_version == TLS1_3_VERSION);
        assert_int_equal(kind->curve != NULL, strcmp(kind->key_type, "EC") == 0);
        assert_int_equal(kind->static_rsa, strcmp(kind->key_type, "RSA") == 0);
    }
}

static void names_are_found(void **state)
{
    (void)state;
    assert_string_equal(kind_find("ECDSA-P256")->name, "ecdsa-p256");
    assert_string_equal(kind_find("Ed25519")->name, "ed25519");
    assert_null(kind_find("rsa"));
    assert_null(kind_find(""));
    assert_null(kind_find("ecdsa-p2566"));
    assert_string_equal(kind_nearest("ecdsa-p265"), "ecdsa-p256");
    assert_string_equal(kind_nearest("rsa-20488"), "rsa-2048");
    assert_string_equal(kind_nearest("ed25591"), "ed25519");
    assert_null(kind_nearest("x25519-everywhere"));
}

/* Keys that are quick to make have the size of their row; a sigalg list is what libssl takes. */
static void rows_agree_with_the_library(void **state)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());

    (void)state;
    assert_non_null(context);
    for (size_t i = 0; i < kind_count; i++) {
        const struct certificate_kind *kind = &kind_table[i];
        EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, kind->key_type, NULL);
        EVP_PKEY *key = NULL;
        print_message("%s\n", kind->name);
        if (!maker) /* this library has no such keys: then it is ML-DSA, which came with 3.5 */
            assert_int_equal(strncmp(kind->name, "ml-dsa", 6), 0);
        if (maker && (kind->curve || (kind->bits > 0 && kind->bits < 2048))) {
            assert_int_equal(EVP_PKEY_keygen_init(maker), 1);
            if (kind->curve)
                assert_int_equal(EVP_PKEY_CTX_set_group_name(maker, kind->curve), 1);
            assert_int_equal(EVP_PKEY_generate(maker, &key), 1);
            assert_int_equal(EVP_PKEY_get_bits(key), kind->bits);
        }
        if (maker && kind->sigalgs_12)
            assert_int_equal(SSL_CTX_set1_sigalgs_list(context, kind->sigalgs_12), 1);
        if (maker && kind->sigalgs_13)
            assert_int_equal(SSL_CTX_set1_sigalgs_list(context, kind->sigalgs_13), 1);
        EVP_PKEY_free(key);
        EVP_PKEY_CTX_free(maker);
    }
    SSL_CTX_free(context);
}

static void kind_serves_rows(void **state)
{
    static const struct {
        const char *kind, *suite;
        int minor;          /* of TLS 1.x */
        const char *reason; /* NULL: serves */
    } rows[] = {
        {"rsa-2048", "TLS_AES_128_GCM_SHA256", 3, NULL},
        {"rsa-pss-2048", "TLS_AES_128_CCM_8_SHA256", 3, NULL},
        {"ecdsa-p521", "TLS_CHACHA20_POLY1305_SHA256", 3, NULL},
        {"ed448", "TLS_AES_128_GCM_SHA256", 3, NULL},
        {"ml-dsa-65", "TLS_AES_128_GCM_SHA256", 3, NULL},
        {"dsa-2048", "TLS_AES_128_GCM_SHA256", 3, "TLS 1.3 has no DSA certificates"},
        {"rsa-2048", "TLS_AES_128_GCM_SHA256", 2, "needs TLS 1.3"},
        {"rsa-2048", "AES128-GCM-SHA256", 2, NULL},
        {"rsa-2048", "AES128-GCM-SHA256", 1, "needs TLS 1.2 or later"},
        {"rsa-2048", "AES128-GCM-SHA256", 3, "the suite ends with TLS 1.2"},
        {"rsa-2048", "AES128-SHA", 0, NULL},
        {"rsa-2048", "AES128-SHA256", 0, "needs TLS 1.2 or later"},
        {"rsa-2048", "IDEA-CBC-SHA", 1, NULL},
        {"rsa-2048", "IDEA-CBC-SHA", 2, "the suite ends with TLS 1.1"},
        {"rsa-4096", "ECDHE-RSA-AES128-SHA", 0, NULL},
        {"rsa-3072", "DHE-RSA-AES256-GCM-SHA384", 2, NULL},
        {"rsa-2048", "ECDHE-ECDSA-AES128-SHA", 2, "needs an EC, Ed25519 or Ed448 certificate"},
        {"rsa-2048", "DHE-DSS-AES128-SHA", 2, "needs a DSA certificate"},
        {"rsa-pss-2048", "ECDHE-RSA-AES128-GCM-SHA256", 2, NULL},
        {"rsa-pss-2048", "ECDHE-RSA-AES128-SHA", 1, "needs TLS 1.2 or later"},
        {"rsa-pss-2048", "AES128-GCM-SHA256", 2, "static RSA cannot use an RSA-PSS key"},
        {"rsa-pss-2048", "AES128-SHA", 0, "static RSA cannot use an RSA-PSS key"},
        {"ecdsa-p256", "ECDHE-ECDSA-AES128-SHA", 0, NULL},
        {"ecdsa-p256", "ECDHE-RSA-AES128-GCM-SHA256", 2, "needs an RSA certificate"},
        {"ecdsa-p256", "AES128-SHA", 2, "needs an RSA certificate"},
        {"ed25519", "ECDHE-ECDSA-AES128-GCM-SHA256", 2, NULL},
        {"ed25519", "ECDHE-ECDSA-AES128-SHA", 1, "needs TLS 1.2 or later"},
        {"ed448", "ECDHE-RSA-AES128-SHA", 1, "needs an RSA certificate"},
        {"dsa-2048", "DHE-DSS-AES128-SHA", 0, NULL},
        {"dsa-2048", "DHE-DSS-AES128-GCM-SHA256", 2, NULL},
        {"dsa-2048", "DHE-RSA-AES128-SHA", 2, "needs an RSA certificate"},
        {"ml-dsa-44", "ECDHE-ECDSA-AES128-GCM-SHA256", 2,
         "needs an EC, Ed25519 or Ed448 certificate"},
        {"rsa-2048", "PSK-AES128-CBC-SHA", 2, "needs a pre-shared key"},
        {"rsa-2048", "RSA-PSK-AES128-CBC-SHA", 2, "needs a pre-shared key"},
        {"rsa-2048", "SRP-RSA-AES-128-CBC-SHA", 2, "needs an SRP password"},
        {"rsa-2048", "ADH-AES128-SHA", 2, "anonymous: uses no certificate"},
        {"ecdsa-p256", "AECDH-NULL-SHA", 2, "anonymous: uses no certificate"},
        {"rsa-2048", "DH-RSA-AES128-SHA", 2, "OpenSSL 3 has no such key exchange"},
        {"rsa-2048", "EXP-RC4-MD5", 0, "OpenSSL 3 has no such key exchange"},
        {"rsa-2048", "TLS_ECCPWD_WITH_AES_128_GCM_SHA256", 2, "OpenSSL 3 has no such key exchange"},
        {"rsa-2048", "TLS_NULL_WITH_NULL_NULL", 2, "is never negotiated"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *reason = "not set";
        bool serves = kind_serves(kind_find(rows[i].kind), suite_find(rows[i].suite),
                                  TLS1_VERSION + rows[i].minor, &reason);
        print_message("%s with %s in 1.%d\n", rows[i].kind, rows[i].suite, rows[i].minor);
        assert_int_equal(serves, rows[i].reason == NULL);
        if (rows[i].reason)
            assert_string_equal(reason, rows[i].reason);
        else
            assert_null(reason);
    }
}

int main(void)
{
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_rows_are_whole),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(rows_agree_with_the_library),
        cmocka_unit_test(kind_serves_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
