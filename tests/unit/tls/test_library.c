#include "common/tls/library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

static void init_ignores_sigpipe(void **state)
{
    struct error err = {0};
    struct sigaction before = {.sa_handler = SIG_DFL}, after;

    (void)state;
    sigaction(SIGPIPE, &before, NULL);
    assert_true(library_init(false, &err));
    assert_string_equal(err.text, "");
    sigaction(SIGPIPE, NULL, &after);
    assert_ptr_equal(after.sa_handler, SIG_IGN);
}

static bool facts_have_suite(const struct library_facts *facts, const char *name)
{
    return library_has_suite(facts, suite_find(name));
}

static void facts_of_every_library(void **state)
{
    struct error err = {0};
    struct library_facts facts;

    (void)state;
    assert_true(library_facts_read(&facts, &err));
    assert_int_equal(facts.version, OpenSSL_version_num());
    assert_true(facts_have_suite(&facts, "TLS_AES_128_GCM_SHA256"));
    assert_true(facts_have_suite(&facts, "TLS_AES_128_CCM_SHA256"));
    assert_true(facts_have_suite(&facts, "TLS_AES_128_CCM_8_SHA256"));
    assert_true(facts_have_suite(&facts, "ECDHE-ECDSA-AES128-CCM8"));
    assert_true(facts_have_suite(&facts, "ECDHE-RSA-AES128-GCM-SHA256"));
    assert_true(facts_have_suite(&facts, "AES128-SHA"));
    assert_true(facts_have_suite(&facts, "NULL-SHA256"));
    assert_true(facts_have_suite(&facts, "ADH-AES128-SHA"));
    assert_false(facts_have_suite(&facts, "TLS_AEGIS_128L_SHA256"));
    assert_false(facts_have_suite(&facts, "TLS_RSA_WITH_ARIA_128_CBC_SHA256"));
    assert_false(facts_have_suite(&facts, "EXP-RC4-MD5"));
    assert_true(library_has_kind(&facts, kind_find("rsa-4096")));
    assert_true(library_has_kind(&facts, kind_find("rsa-pss-2048")));
    assert_true(library_has_kind(&facts, kind_find("ecdsa-p521")));
    assert_true(library_has_kind(&facts, kind_find("ed25519")));
    assert_true(library_has_group(&facts, group_find("x25519")));
    assert_true(library_has_group(&facts, group_find("p-384")));
    assert_true(library_has_group(&facts, group_find("ffdhe8192")));
    assert_int_equal(ERR_peek_error(), 0);
}

static void facts_by_version(void **state)
{
    struct error err = {0};
    struct library_facts facts;

    (void)state;
    assert_true(library_facts_read(&facts, &err));
    bool since_3_2 = facts.version >= 0x30200000UL, since_3_4 = facts.version >= 0x30400000UL;
    bool since_3_5 = facts.version >= 0x30500000UL, since_4_0 = facts.version >= 0x40000000UL;
    assert_int_equal(library_has_group(&facts, group_find("brainpoolP256r1tls13")), since_3_2);
    assert_int_equal(facts_have_suite(&facts, "TLS_SHA256_SHA256"), since_3_4);
    assert_int_equal(library_has_kind(&facts, kind_find("ml-dsa-44")), since_3_5);
    assert_int_equal(library_has_kind(&facts, kind_find("ml-dsa-87")), since_3_5);
    assert_int_equal(library_has_group(&facts, group_find("X25519MLKEM768")), since_3_5);
    assert_int_equal(library_has_group(&facts, group_find("mlkem1024")), since_3_5);
    assert_int_equal(facts_have_suite(&facts, "TLS_SM4_GCM_SM3"), since_4_0);
    assert_int_equal(library_has_group(&facts, group_find("curveSM2")), since_4_0);
}

/* The suites for TLS <= 1.2 are those that the widest cipher string gives, no more and no less. */
static void facts_hold_what_the_widest_string_gives(void **state)
{
    static const struct suite *suites[512];
    struct error err = {0};
    struct library_facts facts;
    size_t count = 0, held = 0;

    (void)state;
    assert_true(library_facts_read(&facts, &err));
    assert_true(library_expand_ciphers("ALL:COMPLEMENTOFALL:@SECLEVEL=0", suites, ROWS(suites),
                                       &count, &err));
    for (size_t i = 0; i < count; i++)
        assert_true(library_has_suite(&facts, suites[i]));
    for (size_t i = 0; i < suite_count; i++)
        held += facts.suites[i] && suite_facts(&suite_table[i]).min_version < TLS1_3_VERSION;
    assert_int_equal(held, count);
    assert_in_range(count, 60, suite_count);
}

static void facts_are_cheap(void **state)
{
    struct error err = {0};
    struct library_facts facts;
    clock_t start = clock();

    (void)state;
    assert_true(library_facts_read(&facts, &err));
    double spent_ms = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
    print_message("%.1f ms of CPU\n", spent_ms);
    assert_true(spent_ms < 50);
}

static void cipher_strings_expand(void **state)
{
    static const struct {
        const char *string, *expanded;
    } rows[] = {
        {"AES128-SHA", "AES128-SHA"},
        {"AES128-SHA:AES256-SHA", "AES128-SHA AES256-SHA"},
        {"AES256-SHA,AES128-SHA", "AES256-SHA AES128-SHA"},
        {" AES256-SHA :;, AES128-SHA:", "AES256-SHA AES128-SHA"},
        {"ECDHE+AESGCM+aRSA", "ECDHE-RSA-AES256-GCM-SHA384 ECDHE-RSA-AES128-GCM-SHA256"},
        {"kRSA+AESGCM:@STRENGTH", "AES256-GCM-SHA384 AES128-GCM-SHA256"},
        {"AES128-SHA:AES256-SHA:@STRENGTH", "AES256-SHA AES128-SHA"},
        {"AES128-SHA:AES256-SHA:+AES128", "AES256-SHA AES128-SHA"},
        {"AES128-SHA:AES256-SHA:-AES128", "AES256-SHA"},
        {"kRSA+AESGCM:!AES256", "AES128-GCM-SHA256"},
        {"AES128-SHA:!SEED:!EXPORT:!LOW:!RC4-SHA:!kRSA+RC4:!KRB5", "AES128-SHA"},
        {"!AES256:AES256-SHA:AES128-SHA", "AES128-SHA"},
        {"AES128-SHA@SECLEVEL=2", "AES128-SHA"},
        {"AES128-SHA:@SECLEVEL=5", "AES128-SHA"},
        {"NULL-SHA:ADH-AES128-SHA", "NULL-SHA ADH-AES128-SHA"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct suite *suites[64];
        struct error err = {0};
        struct text_buffer names = {0};
        size_t count = 0;
        if (!library_expand_ciphers(rows[i].string, suites, ROWS(suites), &count, &err))
            fail_msg("%s: %s", rows[i].string, err.text);
        for (size_t j = 0; j < count; j++)
            text_buffer_add(&names, "%s%s", j > 0 ? " " : "", suites[j]->openssl);
        assert_string_equal(text_buffer_text(&names), rows[i].expanded);
        text_buffer_cleanup(&names);
    }
}

static void bad_words_are_named(void **state)
{
    static const struct {
        const char *string, *text;
    } rows[] = {
        {"AES128-SHA:ECDHE-RSA-AES128-GCM-SHA265",
         "unknown cipher or keyword \"ECDHE-RSA-AES128-GCM-SHA265\"; nearest: "
         "ECDHE-RSA-AES128-GCM-SHA256"},
        {"AES128-SHA:!aNUL", "unknown cipher or keyword \"aNUL\""},
        {"AES128-SHA:-XYZZY", "unknown cipher or keyword \"XYZZY\""},
        {"ECDHE+AESGMC:AES128-SHA", "unknown cipher or keyword \"AESGMC\""},
        {"AES128-SHA:ECDHE+", "unknown cipher or keyword \"\""},
        {"AES128-SHA:!", "unknown cipher or keyword \"\""},
        {"AES128-SHA:kRSA+CHACHA20", "kRSA+CHACHA20 selects no suite of this library"},
        {"AES128-SHA:LOW", "LOW selects no suite of this library"},
        {"EXP-RC4-MD5:AES128-SHA", "EXP-RC4-MD5 is not in this library"},
        {"TLS_AES_128_GCM_SHA256:AES128-SHA",
         "TLS_AES_128_GCM_SHA256 is a TLS 1.3 suite: cipher strings are for TLS 1.2 and before"},
        {"AES128-SHA:!TLS_AES_128_GCM_SHA256",
         "TLS_AES_128_GCM_SHA256 is a TLS 1.3 suite: cipher strings are for TLS 1.2 and before"},
        {"AES128-SHA:DEFAULT",
         "\"DEFAULT\": DEFAULT counts only alone and as the first word of a cipher string"},
        {"DEFAULTS",
         "\"DEFAULTS\": DEFAULT counts only alone and as the first word of a cipher string"},
        {"AES128-SHA:@SECLEVEL=6", "unknown command @SECLEVEL=6 in a cipher string"},
        {"AES128-SHA:@SECLEVEL=10", "unknown command @SECLEVEL=10 in a cipher string"},
        {"AES128-SHA:@SECLEVEL=", "unknown command @SECLEVEL= in a cipher string"},
        {"AES128-SHA@WEAKNESS", "unknown command @WEAKNESS in a cipher string"},
        {"AES128-SHA:@", "unknown command @ in a cipher string"},
        {"", "the cipher string \"\" selects no suite of this library"},
        {"::", "the cipher string \"::\" selects no suite of this library"},
        {"!AES128-SHA", "the cipher string \"!AES128-SHA\" selects no suite of this library"},
        {"AES128-SHA:!ALL",
         "the cipher string \"AES128-SHA:!ALL\" selects no suite of this library"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct suite *suites[512];
        struct error err = {0};
        size_t count = 0;
        if (library_expand_ciphers(rows[i].string, suites, ROWS(suites), &count, &err))
            fail_msg("\"%s\" gives %zu suites", rows[i].string, count);
        assert_string_equal(err.text, rows[i].text);
        assert_int_equal(ERR_peek_error(), 0);
    }
}

/* IANA names came into cipher strings with 3.2: before, the right spelling is told. */
static void iana_names_depend_on_the_library(void **state)
{
    static const char *const strings[] = {"TLS_RSA_WITH_AES_128_CBC_SHA:AES256-SHA",
                                          "AES128-SHA:AES256-SHA:!TLS_RSA_WITH_AES_128_CBC_SHA"};
    static const size_t counts[] = {2, 1};

    (void)state;
    for (size_t i = 0; i < ROWS(strings); i++) {
        const struct suite *suites[4];
        struct error err = {0};
        size_t count = 0;
        bool expanded = library_expand_ciphers(strings[i], suites, ROWS(suites), &count, &err);
        if (OpenSSL_version_num() >= 0x30200000UL) {
            assert_true(expanded);
            assert_int_equal(count, counts[i]);
        } else {
            assert_false(expanded);
            assert_string_equal(err.text, "TLS_RSA_WITH_AES_128_CBC_SHA is written AES128-SHA in "
                                          "cipher strings");
        }
    }
}

static void long_words_and_results_are_refused(void **state)
{
    const struct suite *suites[2];
    struct error err = {0};
    char word[4096];
    size_t count = 0;

    (void)state;
    memset(word, 'A', sizeof word);
    word[sizeof word - 1] = '\0';
    assert_false(library_expand_ciphers(word, suites, ROWS(suites), &count, &err));
    assert_non_null(strstr(err.text, "unknown cipher or keyword \"AAAA"));
    assert_false(library_expand_ciphers("ALL", suites, ROWS(suites), &count, &err));
    assert_string_equal(err.text, "the cipher string selects more than 2 suites");
    assert_true(
        library_expand_ciphers("AES128-SHA:AES256-SHA", suites, ROWS(suites), &count, &err));
    assert_int_equal(count, 2);
}

static void json_names_the_library(void **state)
{
    json_t *json = library_json();

    (void)state;
    assert_non_null(json);
    assert_int_equal(json_object_size(json), 2);
    assert_string_equal(json_string_value(json_object_get(json, "openssl")),
                        OpenSSL_version(OPENSSL_VERSION));
    const char *settings = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
    if (settings)
        assert_string_equal(json_string_value(json_object_get(json, "cpu_settings")), settings);
    else
        assert_true(json_is_null(json_object_get(json, "cpu_settings")));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_ignores_sigpipe), /* the first: it starts OpenSSL */
        cmocka_unit_test(facts_of_every_library),
        cmocka_unit_test(facts_by_version),
        cmocka_unit_test(facts_hold_what_the_widest_string_gives),
        cmocka_unit_test(facts_are_cheap),
        cmocka_unit_test(cipher_strings_expand),
        cmocka_unit_test(bad_words_are_named),
        cmocka_unit_test(iana_names_depend_on_the_library),
        cmocka_unit_test(long_words_and_results_are_refused),
        cmocka_unit_test(json_names_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
