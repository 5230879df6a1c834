#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/check/profiles.h"
#include "client/check/rows.h"
#include "client/check/weak.h"

#include <openssl/ssl.h>
#include <string.h>

static bool in_order(const char *list, bool suites)
{
    struct text_list words = {0};
    bool known = true;

    text_list_add_split(&words, list, ":");
    for (size_t i = 0; i < words.count && known; i++) {
        known = suites ? suite_find(words.items[i]) != NULL : group_find(words.items[i]) != NULL;
        for (size_t j = 0; j < i; j++)
            known = known && strcmp(words.items[i], words.items[j]) != 0;
        if (!known)
            print_message("%s\n", words.items[i]);
    }
    text_list_cleanup(&words);
    return known;
}

/* A misspelt name in a profile would pass for an offer that this library cannot speak. */
static void test_profiles(void **state)
{
    (void)state;
    assert_true(profile_count >= 12);
    for (size_t i = 0; i < profile_count; i++) {
        const struct client_profile *profile = &profile_table[i];
        assert_true(in_order(profile->suites_12, true) && in_order(profile->suites_13, true) &&
                    in_order(profile->groups, false));
        assert_int_equal(profile->suites_13[0] == '\0', profile->max_version < TLS1_3_VERSION);
        assert_true(profile->source[0] != '\0' && strlen(profile->date) == 7);
    }
}

/* What was wrong once, by the sources that the profiles name. */
static const struct profile_case {
    const char *name, *suite;
    bool offers;
    int min_version;
} profile_cases[] = {
    {"Safari 16", "DES-CBC3-SHA", true, TLS1_VERSION},
    {"Android 7", "ECDHE-ECDSA-AES128-SHA", false, TLS1_VERSION},
    {"Android 14", "ECDHE-ECDSA-AES128-SHA", true, TLS1_2_VERSION},
    {"Java 8u31", "RC4-SHA", true, TLS1_VERSION},
    {"Java 17", "DHE-DSS-AES128-SHA", false, TLS1_2_VERSION},
    {"OpenSSL 1.0.2", "ECDH-RSA-AES128-SHA", true, TLS1_VERSION},
    {"Windows 10 Schannel", "DHE-RSA-AES128-SHA", true, TLS1_VERSION},
};

static void test_profile_facts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof profile_cases / sizeof profile_cases[0]; i++) {
        const struct profile_case *row = &profile_cases[i];
        const struct client_profile *profile = NULL;
        struct text_list suites = {0};
        for (size_t j = 0; j < profile_count; j++)
            if (strcmp(profile_table[j].name, row->name) == 0)
                profile = &profile_table[j];
        assert_non_null(profile);
        text_list_add_split(&suites, profile->suites_12, ":");
        assert_int_equal(text_list_has(&suites, row->suite), row->offers);
        assert_int_equal(profile->min_version, row->min_version);
        text_list_cleanup(&suites);
    }
}

static const struct weak_case {
    const char *suite;
    const char *names; /* of all that applies, in the table's order */
} weak_cases[] = {
    {"TLS_AES_128_GCM_SHA256", ""},
    {"ECDHE-RSA-CHACHA20-POLY1305", ""},
    {"AES128-GCM-SHA256", "static RSA|"},
    {"AES128-SHA", "static RSA|CBC with SHA-1|"},
    {"ECDHE-RSA-AES128-SHA256", "CBC|"},
    {"DES-CBC3-SHA", "64-bit blocks|static RSA|CBC with SHA-1|"},
    {"EXP-RC4-MD5", "export|RC4|MD5|"},
    {"RC4-MD5", "RC4|static RSA|MD5|"},
    {"NULL-SHA", "NULL encryption|static RSA|"},
    {"AECDH-AES128-SHA", "anonymous|CBC with SHA-1|"},
    {"ECDHE-ECDSA-AES128-CCM8", "short tag|"},
    {"ECDHE-ECDSA-AES128-CCM", ""},
    {"TLS_AES_128_CCM_8_SHA256", "short tag|"},
    {"DHE-DSS-AES128-GCM-SHA256", "DSS|"},
};

static void test_weaknesses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof weak_cases / sizeof weak_cases[0]; i++) {
        const struct suite *suite = suite_find(weak_cases[i].suite);
        struct suite_facts facts = suite_facts(suite);
        char names[256] = "";
        bool warned = false;
        for (size_t j = 0; j < weak_count; j++) {
            if (!weak_table[j].applies(suite, &facts))
                continue;
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s|",
                     weak_table[j].name);
            warned |= weak_table[j].level >= FINDING_WARNING;
        }
        assert_string_equal(names, weak_cases[i].names);
        assert_int_equal(weak_is_warned(suite), warned);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_profile_facts),
        cmocka_unit_test(test_weaknesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
