#include "certs/authority.h"

#include "certs/certificate.h"
#include "common/base/memory.h"
#include "common/tls/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int setup(void **state)
{
    struct authority *authority = memory_new(1, sizeof(*authority));
    struct error err;
    *state = authority;
    return library_init(false, &err) && authority_init(authority, &err) ? 0 : -1;
}

static int teardown(void **state)
{
    authority_cleanup(*state);
    free(*state);
    return 0;
}

/* X509_verify_cert's answer for a leaf, by the root alone; `host` or `address` may be NULL. */
static int verify(const struct authority *authority, X509 *leaf, STACK_OF(X509) * chain,
                  const char *host, const char *address)
{
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    assert_int_equal(X509_STORE_add_cert(store, authority->root), 1);
    assert_int_equal(X509_STORE_CTX_init(ctx, store, leaf, chain), 1);
    assert_int_equal(X509_STORE_CTX_set_default(ctx, "ssl_server"), 1);
    X509_VERIFY_PARAM *param = X509_STORE_CTX_get0_param(ctx);
    X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_X509_STRICT);
    if (host != NULL)
        assert_int_equal(X509_VERIFY_PARAM_set1_host(param, host, 0), 1);
    if (address != NULL)
        assert_int_equal(X509_VERIFY_PARAM_set1_ip_asc(param, address), 1);
    (void)X509_verify_cert(ctx);
    int result = X509_STORE_CTX_get_error(ctx);
    X509_STORE_CTX_free(ctx);
    X509_STORE_free(store);
    return result;
}

/* Key usage as RFC 5280 and RFC 5246 section 7.4.2 want it of each kind. */
static const struct {
    const char *kind;
    uint32_t key_usage;
    bool by_rsa;
} leaves[] = {
    {"rsa-2048", KU_DIGITAL_SIGNATURE | KU_KEY_ENCIPHERMENT, true},
    {"rsa-pss-2048", KU_DIGITAL_SIGNATURE, true},
    {"ecdsa-p256", KU_DIGITAL_SIGNATURE, false},
    {"ecdsa-p384", KU_DIGITAL_SIGNATURE, false},
    {"ecdsa-p521", KU_DIGITAL_SIGNATURE, false},
    {"ed25519", KU_DIGITAL_SIGNATURE, false},
    {"ed448", KU_DIGITAL_SIGNATURE, false},
};

static void leaves_are_what_a_verifier_wants(void **state)
{
    const struct authority *authority = *state;
    for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
        struct identity identity;
        struct error err;
        char name[64];
        const struct certificate_kind *kind = kind_find(leaves[i].kind);
        assert_true(authority_issue(authority, kind, &identity, &err));
        assert_ptr_equal(identity.kind, kind);
        assert_ptr_equal(identity_kind_of(identity.key), kind);
        assert_string_equal(identity.name, kind->name);
        assert_int_equal(X509_check_private_key(identity.leaf, identity.key), 1);
        assert_int_equal(X509_get_key_usage(identity.leaf), leaves[i].key_usage);
        assert_int_equal(X509_get_extended_key_usage(identity.leaf),
                         XKU_SSL_SERVER | XKU_SSL_CLIENT);
        assert_int_equal(sk_X509_num(identity.chain), 1);
        assert_ptr_equal(sk_X509_value(identity.chain, 0),
                         leaves[i].by_rsa ? authority->rsa_issuer : authority->ec_issuer);

        (void)snprintf(name, sizeof(name), "%s.suitemark.test", kind->name);
        assert_int_equal(verify(authority, identity.leaf, identity.chain, name, NULL), X509_V_OK);
        assert_int_equal(verify(authority, identity.leaf, identity.chain, "localhost", NULL),
                         X509_V_OK);
        assert_int_equal(verify(authority, identity.leaf, identity.chain, NULL, "127.0.0.1"),
                         X509_V_OK);
        assert_int_equal(verify(authority, identity.leaf, identity.chain, NULL, "::1"), X509_V_OK);
        assert_int_equal(verify(authority, identity.leaf, identity.chain, "suitemark.test", NULL),
                         X509_V_ERR_HOSTNAME_MISMATCH);
        assert_int_equal(verify(authority, identity.leaf, NULL, NULL, NULL),
                         X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
        identity_cleanup(&identity);
    }
}

static void serial_numbers_differ(void **state)
{
    const struct authority *authority = *state;
    struct identity a, b;
    struct error err;
    assert_true(authority_issue(authority, kind_find("ed25519"), &a, &err));
    assert_true(authority_issue(authority, kind_find("ed25519"), &b, &err));
    assert_int_not_equal(
        ASN1_INTEGER_cmp(X509_get_serialNumber(a.leaf), X509_get_serialNumber(b.leaf)), 0);
    assert_int_equal(EVP_PKEY_eq(a.key, b.key), 0);
    identity_cleanup(&a);
    identity_cleanup(&b);
}

static void leaves_last_ninety_days(void **state)
{
    const struct authority *authority = *state;
    struct identity identity;
    struct error err;
    int days, seconds;
    assert_true(authority_issue(authority, kind_find("ecdsa-p256"), &identity, &err));
    assert_int_equal(ASN1_TIME_diff(&days, &seconds, X509_get0_notBefore(identity.leaf),
                                    X509_get0_notAfter(identity.leaf)),
                     1);
    assert_int_equal(days, 90);
    assert_int_equal(ASN1_TIME_cmp_time_t(X509_get0_notBefore(identity.leaf), time(NULL)), -1);
    identity_cleanup(&identity);
}

/* Who trusts the root trusts it for nothing on the net. */
static void the_root_vouches_for_test_names_only(void **state)
{
    static const struct {
        const char *names;
        int result;
    } rows[] = {
        {"DNS:www.suitemark.test", X509_V_OK},
        {"DNS:www.example.com", X509_V_ERR_PERMITTED_VIOLATION},
        {"DNS:localhost,DNS:example.com", X509_V_ERR_PERMITTED_VIOLATION},
        {"IP:192.0.2.1", X509_V_ERR_PERMITTED_VIOLATION},
        {"IP:127.9.9.9", X509_V_OK},
    };
    const struct authority *authority = *state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct certificate_request request = {
            .common_name = "test",
            .key = authority->ec_issuer_key,
            .issuer = authority->ec_issuer,
            .issuer_key = authority->ec_issuer_key,
            .days = 1,
            .basic_constraints = "critical,CA:FALSE",
            .key_usage = "critical,digitalSignature",
            .alternative_names = rows[i].names,
        };
        struct error err;
        X509 *leaf = certificate_new(&request, &err);
        STACK_OF(X509) *chain = sk_X509_new_null();
        assert_non_null(leaf);
        assert_true(sk_X509_push(chain, authority->ec_issuer) > 0);
        if (verify(authority, leaf, chain, NULL, NULL) != rows[i].result)
            fail_msg("%s", rows[i].names);
        sk_X509_free(chain);
        X509_free(leaf);
    }
}

static void a_kind_that_cannot_be_made_is_a_failure(void **state)
{
    const struct certificate_kind kind = {.name = "made-up", .key_type = "NO-SUCH-TYPE"};
    struct identity identity;
    struct error err = {{0}};
    assert_false(authority_issue(*state, &kind, &identity, &err));
    assert_non_null(strstr(err.text, "made-up"));
    assert_null(identity.leaf);
    assert_null(identity.key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_are_what_a_verifier_wants),
        cmocka_unit_test(serial_numbers_differ),
        cmocka_unit_test(leaves_last_ninety_days),
        cmocka_unit_test(the_root_vouches_for_test_names_only),
        cmocka_unit_test(a_kind_that_cannot_be_made_is_a_failure),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
