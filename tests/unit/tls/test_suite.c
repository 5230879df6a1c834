#include "common/tls/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/base/text.h"

#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

/* A context with all suites of the loaded library, those of the legacy provider too where it is
 * installed. */
struct library {
    OSSL_PROVIDER *legacy;
    SSL_CTX *context;
};

static int close_library(void **state)
{
    struct library *library = *state;

    SSL_CTX_free(library->context);
    if (library->legacy)
        OSSL_PROVIDER_unload(library->legacy);
    free(library);
    return 0;
}

static int open_library(void **state)
{
    struct library *library = calloc(1, sizeof *library);

    *state = library;
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    if (!library)
        return -1;
    library->legacy = OSSL_PROVIDER_try_load(NULL, "legacy", 1);
    library->context = SSL_CTX_new(TLS_method());
    if (!library->context)
        return -1;
    SSL_CTX_set_ciphersuites(library->context,
                             "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:"
                             "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_CCM_SHA256:"
                             "TLS_AES_128_CCM_8_SHA256:TLS_SHA256_SHA256:TLS_SHA384_SHA384:"
                             "TLS_SM4_GCM_SM3:TLS_SM4_CCM_SM3");
    return SSL_CTX_set_cipher_list(library->context, "ALL:COMPLEMENTOFALL:@SECLEVEL=0") == 1 ? 0
                                                                                             : -1;
}

static const STACK_OF(SSL_CIPHER) * library_ciphers(void **state)
{
    const struct library *library = *state;

    return SSL_CTX_get_ciphers(library->context);
}

static void table_is_in_order(void **state)
{
    (void)state;
    assert_in_range(suite_count, 340, 400);
    for (size_t i = 1; i < suite_count; i++)
        if (suite_table[i - 1].code >= suite_table[i].code)
            fail_msg("0x%04X is not before 0x%04X", suite_table[i - 1].code, suite_table[i].code);
    for (size_t i = 0; i < suite_count; i++)
        assert_ptr_equal(suite_by_code(suite_table[i].code), &suite_table[i]);
}

/* A name of either kind leads to its own row and no other. */
static void table_names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < suite_count; i++) {
        const struct suite *suite = &suite_table[i];
        if (suite_find(suite->iana) != suite)
            fail_msg("%s is there twice", suite->iana);
        if (suite->openssl && suite_find(suite->openssl) != suite)
            fail_msg("%s is there twice", suite->openssl);
        assert_int_equal(strncmp(suite->iana, "TLS_", 4), 0);
    }
}

static void table_leaves_out_what_is_no_suite(void **state)
{
    static const uint16_t codes[] = {
        0x001C, 0x001D,         /* reserved for SSL 3.0's Fortezza */
        0x0047, 0x0060, 0x0066, /* reserved, once export suites of a draft */
        0x00FF, 0x5600,         /* signals */
        0x0A0A, 0x2A2A, 0xFAFA, /* GREASE */
        0x00C8, 0x1300, 0x1308, 0xC000, 0xC0B6, 0xC107, 0xCCA7,
        0xCCAF, 0xD000, 0xD004, 0xD006, 0xFEFE, 0xFFFF,
    };
    (void)state;
    for (size_t i = 0; i < ROWS(codes); i++)
        if (suite_by_code(codes[i]))
            fail_msg("0x%04X is %s", codes[i], suite_by_code(codes[i])->iana);
    assert_null(suite_find("TLS_FALLBACK_SCSV"));
    assert_null(suite_find("TLS_EMPTY_RENEGOTIATION_INFO_SCSV"));
}

static void library_suites_are_in_the_table(void **state)
{
    const STACK_OF(SSL_CIPHER) *ciphers = library_ciphers(state);
    int count = sk_SSL_CIPHER_num(ciphers);

    assert_true(count > 60); /* the least of any build */
    for (int i = 0; i < count; i++) {
        const SSL_CIPHER *cipher = sk_SSL_CIPHER_value(ciphers, i);
        const struct suite *suite = suite_by_code(SSL_CIPHER_get_protocol_id(cipher));
        if (!suite)
            fail_msg("%s is missing", SSL_CIPHER_get_name(cipher));
        assert_string_equal(suite->iana, SSL_CIPHER_standard_name(cipher));
        assert_non_null(suite->openssl);
        assert_string_equal(suite->openssl, SSL_CIPHER_get_name(cipher));
    }
}

static enum suite_exchange exchange_of(const SSL_CIPHER *cipher)
{
    switch (SSL_CIPHER_get_kx_nid(cipher)) {
    case NID_kx_rsa:
        return EXCHANGE_RSA;
    case NID_kx_dhe:
        return EXCHANGE_DHE;
    case NID_kx_ecdhe:
        return EXCHANGE_ECDHE;
    case NID_kx_psk:
    case NID_kx_rsa_psk:
    case NID_kx_dhe_psk:
    case NID_kx_ecdhe_psk:
        return EXCHANGE_PSK;
    case NID_kx_srp:
        return EXCHANGE_SRP;
    case NID_kx_any:
        return EXCHANGE_TLS13;
    default:
        return EXCHANGE_OTHER;
    }
}

static enum suite_auth auth_of(const SSL_CIPHER *cipher)
{
    switch (SSL_CIPHER_get_auth_nid(cipher)) {
    case NID_auth_rsa:
        return AUTH_RSA;
    case NID_auth_ecdsa:
        return AUTH_ECDSA;
    case NID_auth_dss:
        return AUTH_DSS;
    case NID_auth_null:
    case NID_auth_psk:
    case NID_auth_srp:
        return AUTH_NONE;
    case NID_auth_any:
        return AUTH_ANY;
    default:
        return AUTH_OTHER;
    }
}

static int least_version_of(const SSL_CIPHER *cipher)
{
    const char *version = SSL_CIPHER_get_version(cipher);

    if (strcmp(version, "TLSv1.3") == 0)
        return TLS1_3_VERSION;
    return strcmp(version, "TLSv1.2") == 0 ? TLS1_2_VERSION : TLS1_VERSION; /* SSLv3 counts so */
}

static void facts_agree_with_the_library(void **state)
{
    const STACK_OF(SSL_CIPHER) *ciphers = library_ciphers(state);

    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); i++) {
        const SSL_CIPHER *cipher = sk_SSL_CIPHER_value(ciphers, i);
        struct suite_facts facts = suite_facts(suite_by_code(SSL_CIPHER_get_protocol_id(cipher)));
        bool encrypts = SSL_CIPHER_get_cipher_nid(cipher) != NID_undef;

        print_message("%s\n", SSL_CIPHER_get_name(cipher));
        assert_int_equal(facts.exchange, exchange_of(cipher));
        assert_int_equal(facts.auth, auth_of(cipher));
        assert_int_equal(facts.aead, SSL_CIPHER_is_aead(cipher) != 0);
        assert_int_equal(facts.min_version, least_version_of(cipher));
        assert_int_equal(facts.null_cipher, !encrypts);
        EVP_CIPHER *fetched = EVP_CIPHER_fetch(NULL, facts.cipher, NULL);
        assert_non_null(fetched);
        /* Poly1305's and the CCM_8 suites' numbers are TLS's own. */
        if (encrypts && !strstr(facts.cipher, "CCM") && EVP_CIPHER_get_nid(fetched) != NID_undef)
            assert_int_equal(EVP_CIPHER_get_nid(fetched), SSL_CIPHER_get_cipher_nid(cipher));
        EVP_CIPHER_free(fetched);
    }
}

enum { AEAD = 1, SECRET = 2, CLEAR = 4 }; /* SECRET: forward secret; CLEAR: null cipher */

static void facts_rows(void **state)
{
    static const struct {
        const char *iana;
        enum suite_exchange exchange;
        enum suite_auth auth;
        int min_minor, max_minor; /* of TLS 1.x */
        int flags;
        const char *cipher;
    } rows[] = {
        {"TLS_AES_128_GCM_SHA256", EXCHANGE_TLS13, AUTH_ANY, 3, 3, AEAD | SECRET, "AES-128-GCM"},
        {"TLS_CHACHA20_POLY1305_SHA256", EXCHANGE_TLS13, AUTH_ANY, 3, 3, AEAD | SECRET,
         "ChaCha20-Poly1305"},
        {"TLS_AES_128_CCM_8_SHA256", EXCHANGE_TLS13, AUTH_ANY, 3, 3, AEAD | SECRET, "AES-128-CCM"},
        {"TLS_AEGIS_128L_SHA256", EXCHANGE_TLS13, AUTH_ANY, 3, 3, AEAD | SECRET, NULL},
        {"TLS_SM4_GCM_SM3", EXCHANGE_TLS13, AUTH_ANY, 3, 3, AEAD | SECRET, "SM4-GCM"},
        {"TLS_SM4_CCM_SM3", EXCHANGE_TLS13, AUTH_ANY, 3, 3, AEAD | SECRET, "SM4-CCM"},
        {"TLS_SHA256_SHA256", EXCHANGE_TLS13, AUTH_ANY, 3, 3, SECRET | CLEAR, "NULL"},
        {"TLS_GOSTR341112_256_WITH_MAGMA_MGM_S", EXCHANGE_TLS13, AUTH_ANY, 3, 3, AEAD | SECRET,
         NULL},
        {"TLS_GOSTR341112_256_WITH_28147_CNT_IMIT", EXCHANGE_OTHER, AUTH_OTHER, 2, 2, 0, NULL},
        {"TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC", EXCHANGE_OTHER, AUTH_OTHER, 2, 2, 0, NULL},
        {"TLS_NULL_WITH_NULL_NULL", EXCHANGE_NULL, AUTH_NONE, 0, 2, CLEAR, "NULL"},
        {"TLS_RSA_WITH_NULL_MD5", EXCHANGE_RSA, AUTH_RSA, 0, 2, CLEAR, "NULL"},
        {"TLS_RSA_WITH_NULL_SHA256", EXCHANGE_RSA, AUTH_RSA, 2, 2, CLEAR, "NULL"},
        {"TLS_RSA_WITH_RC4_128_SHA", EXCHANGE_RSA, AUTH_RSA, 0, 2, 0, "RC4"},
        {"TLS_RSA_EXPORT_WITH_RC4_40_MD5", EXCHANGE_OTHER, AUTH_OTHER, 0, 0, 0, NULL},
        {"TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA", EXCHANGE_OTHER, AUTH_OTHER, 0, 0, 0, NULL},
        {"TLS_RSA_WITH_IDEA_CBC_SHA", EXCHANGE_RSA, AUTH_RSA, 0, 1, 0, "IDEA-CBC"},
        {"TLS_DHE_RSA_WITH_DES_CBC_SHA", EXCHANGE_DHE, AUTH_RSA, 0, 1, SECRET, "DES-CBC"},
        {"TLS_RSA_WITH_3DES_EDE_CBC_SHA", EXCHANGE_RSA, AUTH_RSA, 0, 2, 0, "DES-EDE3-CBC"},
        {"TLS_RSA_WITH_SEED_CBC_SHA", EXCHANGE_RSA, AUTH_RSA, 0, 2, 0, "SEED-CBC"},
        {"TLS_KRB5_EXPORT_WITH_DES_CBC_40_SHA", EXCHANGE_OTHER, AUTH_OTHER, 0, 0, 0, NULL},
        {"TLS_RSA_WITH_AES_128_CBC_SHA", EXCHANGE_RSA, AUTH_RSA, 0, 2, 0, "AES-128-CBC"},
        {"TLS_RSA_WITH_AES_256_CBC_SHA256", EXCHANGE_RSA, AUTH_RSA, 2, 2, 0, "AES-256-CBC"},
        {"TLS_RSA_WITH_AES_256_GCM_SHA384", EXCHANGE_RSA, AUTH_RSA, 2, 2, AEAD, "AES-256-GCM"},
        {"TLS_RSA_WITH_AES_128_CCM_8", EXCHANGE_RSA, AUTH_RSA, 2, 2, AEAD, "AES-128-CCM"},
        {"TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256", EXCHANGE_RSA, AUTH_RSA, 2, 2, AEAD, NULL},
        {"TLS_DH_RSA_WITH_AES_128_CBC_SHA", EXCHANGE_OTHER, AUTH_OTHER, 0, 2, 0, "AES-128-CBC"},
        {"TLS_DHE_DSS_WITH_AES_128_CBC_SHA", EXCHANGE_DHE, AUTH_DSS, 0, 2, SECRET, "AES-128-CBC"},
        {"TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256", EXCHANGE_DHE, AUTH_RSA, 2, 2, SECRET,
         "CAMELLIA-256-CBC"},
        {"TLS_DH_anon_WITH_AES_128_GCM_SHA256", EXCHANGE_DHE, AUTH_NONE, 2, 2, AEAD | SECRET,
         "AES-128-GCM"},
        {"TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA", EXCHANGE_OTHER, AUTH_OTHER, 0, 2, 0, "AES-128-CBC"},
        {"TLS_ECDH_anon_WITH_NULL_SHA", EXCHANGE_ECDHE, AUTH_NONE, 0, 2, SECRET | CLEAR, "NULL"},
        {"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", EXCHANGE_ECDHE, AUTH_RSA, 0, 2, SECRET,
         "AES-128-CBC"},
        {"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", EXCHANGE_ECDHE, AUTH_RSA, 2, 2, SECRET,
         "AES-256-CBC"},
        {"TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384", EXCHANGE_ECDHE, AUTH_RSA, 2, 2, AEAD | SECRET,
         "ARIA-256-GCM"},
        {"TLS_ECDHE_ECDSA_WITH_AES_256_CCM", EXCHANGE_ECDHE, AUTH_ECDSA, 2, 2, AEAD | SECRET,
         "AES-256-CCM"},
        {"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", EXCHANGE_ECDHE, AUTH_ECDSA, 2, 2,
         AEAD | SECRET, "ChaCha20-Poly1305"},
        {"TLS_PSK_WITH_AES_128_CBC_SHA256", EXCHANGE_PSK, AUTH_NONE, 0, 2, 0, "AES-128-CBC"},
        {"TLS_PSK_WITH_AES_128_GCM_SHA256", EXCHANGE_PSK, AUTH_NONE, 2, 2, AEAD, "AES-128-GCM"},
        {"TLS_RSA_PSK_WITH_NULL_SHA384", EXCHANGE_PSK, AUTH_RSA, 0, 2, CLEAR, "NULL"},
        {"TLS_PSK_DHE_WITH_AES_256_CCM_8", EXCHANGE_PSK, AUTH_NONE, 2, 2, AEAD | SECRET,
         "AES-256-CCM"},
        {"TLS_ECDHE_PSK_WITH_AES_128_CCM_8_SHA256", EXCHANGE_PSK, AUTH_NONE, 2, 2, AEAD | SECRET,
         "AES-128-CCM"},
        {"TLS_SRP_SHA_WITH_AES_256_CBC_SHA", EXCHANGE_SRP, AUTH_NONE, 0, 2, SECRET, "AES-256-CBC"},
        {"TLS_SRP_SHA_DSS_WITH_AES_128_CBC_SHA", EXCHANGE_SRP, AUTH_DSS, 0, 2, SECRET,
         "AES-128-CBC"},
        {"TLS_ECCPWD_WITH_AES_128_CCM_SHA256", EXCHANGE_OTHER, AUTH_NONE, 2, 2, AEAD | SECRET,
         "AES-128-CCM"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct suite *suite = suite_find(rows[i].iana);
        print_message("%s\n", rows[i].iana);
        assert_non_null(suite);
        struct suite_facts facts = suite_facts(suite);
        assert_int_equal(facts.exchange, rows[i].exchange);
        assert_int_equal(facts.auth, rows[i].auth);
        assert_int_equal(facts.min_version, TLS1_VERSION + rows[i].min_minor);
        assert_int_equal(facts.max_version, TLS1_VERSION + rows[i].max_minor);
        assert_int_equal(facts.aead, (rows[i].flags & AEAD) != 0);
        assert_int_equal(facts.forward_secret, (rows[i].flags & SECRET) != 0);
        assert_int_equal(facts.null_cipher, (rows[i].flags & CLEAR) != 0);
        if (rows[i].cipher)
            assert_string_equal(facts.cipher, rows[i].cipher);
        else
            assert_null(facts.cipher);
    }
}

/* Nothing falls through the name parser: a row whose cipher is in no table would have none. */
static void facts_know_every_cipher(void **state)
{
    static const char *const nameless[] = {"_EXPORT_", "CAMELLIA_128_GCM", "CAMELLIA_256_GCM",
                                           "AEGIS", "GOSTR"};
    (void)state;
    for (size_t i = 0; i < suite_count; i++) {
        struct suite_facts facts = suite_facts(&suite_table[i]);
        bool expected = false;
        for (size_t j = 0; j < ROWS(nameless); j++)
            expected = expected || strstr(suite_table[i].iana, nameless[j]);
        if (expected == (facts.cipher != NULL))
            fail_msg("%s: %s", suite_table[i].iana, facts.cipher ? facts.cipher : "no cipher");
        assert_true(facts.min_version <= facts.max_version);
    }
}

static void names_are_found(void **state)
{
    static const struct {
        const char *name;
        int code; /* -1: unknown */
    } rows[] = {
        {"ECDHE-RSA-AES128-GCM-SHA256", 0xC02F},
        {"ecdhe-rsa-aes128-gcm-sha256", 0xC02F},
        {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 0xC02F},
        {"tls_aes_128_gcm_sha256", 0x1301},
        {"RC4-SHA", 0x0005},
        {"DES-CBC3-SHA", 0x000A},
        {"EDH-RSA-DES-CBC3-SHA", 0x0016},
        {"edh-dss-des-cbc3-sha", 0x0013},
        {"EDH-RSA-DES-CBC-SHA", 0x0015},
        {"EXP-EDH-RSA-DES-CBC-SHA", 0x0014},
        {"EXP-RC2-CBC-MD5", 0x0006},
        {"IDEA-CBC-SHA", 0x0007},
        {"KRB5-RC4-MD5", 0x0024},
        {"ADH-AES256-SHA", 0x003A},
        {"SEED-SHA", 0x0096},
        {"GOST2012-MAGMA-MAGMAOMAC", 0xC101},
        {"TLS_ECDHE_PSK_WITH_AES_128_CCM_SHA256", 0xD005},
        {"DHE-PSK-AES128-CCM8", 0xC0AA},
        {"ECDHE-RSA-AES128-GCM-SHA265", -1},
        {"ECDHE-RSA-AES128-GCM-SHA25", -1},
        {"ECDHE-RSA-AES128-GCM-SHA2566", -1},
        {"EDH-", -1},
        {"EDH-RSA-DES-CBC3-SHA-and-so-on-for-longer-than-any-name-that-there-is-by-far", -1},
        {"TLS_", -1},
        {"", -1},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct suite *suite = suite_find(rows[i].name);
        if ((suite ? suite->code : -1) != rows[i].code)
            fail_msg("\"%s\" is %s", rows[i].name, suite ? suite->iana : "unknown");
    }
}

static void the_printed_name_is_openssls(void **state)
{
    (void)state;
    assert_string_equal(suite_name(suite_by_code(0xC02F)), "ECDHE-RSA-AES128-GCM-SHA256");
    assert_string_equal(suite_name(suite_by_code(0x1301)), "TLS_AES_128_GCM_SHA256");
    assert_string_equal(suite_name(suite_by_code(0xC03C)), "TLS_RSA_WITH_ARIA_128_CBC_SHA256");
}

static void typos_have_a_nearest(void **state)
{
    static const struct {
        const char *word, *nearest;
    } rows[] = {
        {"ECDHE-RSA-AES128-GCM-SHA265", "ECDHE-RSA-AES128-GCM-SHA256"},
        {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA265", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
        {"tls_aes_128_gmc_sha256", "TLS_AES_128_GCM_SHA256"},
        {"RC4-SAH", "RC4-SHA"},
        {"TLS_RSA_WITH_ARIA_128_CBC_SHA25", "TLS_RSA_WITH_ARIA_128_CBC_SHA256"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_non_null(suite_nearest(rows[i].word));
        assert_string_equal(suite_nearest(rows[i].word), rows[i].nearest);
    }
    assert_null(suite_nearest("certificate"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_in_order),
        cmocka_unit_test(table_names_are_unique),
        cmocka_unit_test(table_leaves_out_what_is_no_suite),
        cmocka_unit_test(library_suites_are_in_the_table),
        cmocka_unit_test(facts_agree_with_the_library),
        cmocka_unit_test(facts_rows),
        cmocka_unit_test(facts_know_every_cipher),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(the_printed_name_is_openssls),
        cmocka_unit_test(typos_have_a_nearest),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
