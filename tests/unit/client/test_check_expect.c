#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/check/expect.h"
#include "common/base/memory.h"

#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>

/* Which suite × certificate works, and what is missing where it does not. Everything that a row
 * does not say is usual: level 2, every version on, x25519 and p-256, automatic DH parameters. */
static const struct row {
    const char *suite, *certificate;
    enum subject_version version;
    enum dead_reason reason;
    int level, bits; /* of the suite; 0: 128 */
    const char *groups;
    enum dh_source dh;
    int dh_bits;
    bool off;    /* the version is off */
    int suite_b; /* flags of suite_b.h */
} rows[] = {
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_NOT, .level = 2},
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-pss-2048", SUBJECT_12, DEAD_NOT, .level = 2},
    {"ECDHE-RSA-AES128-GCM-SHA256", "ecdsa-p256", SUBJECT_12, DEAD_CERTIFICATE, .level = 2},
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_11, DEAD_MISFIT, .level = 2},
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_13, DEAD_MISFIT, .level = 2},
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_VERSION_OFF, .level = 2,
     .off = true},
    {"AES128-SHA", "rsa-2048", SUBJECT_12, DEAD_NOT, .level = 2},
    {"AES128-SHA", "rsa-pss-2048", SUBJECT_12, DEAD_CERTIFICATE, .level = 2},
    {"AES128-SHA", "rsa-3072", SUBJECT_12, DEAD_LEVEL, .level = 3},
    {"ECDHE-RSA-AES128-SHA", "rsa-3072", SUBJECT_12, DEAD_NOT, .level = 3},
    {"ECDHE-ECDSA-AES256-SHA", "ecdsa-p384", SUBJECT_12, DEAD_LEVEL, .level = 4, .bits = 256,
     .groups = "p-384"},
    {"AES128-SHA", "rsa-2048", SUBJECT_10, DEAD_VERSION_LEVEL, .level = 1},
    {"AES128-SHA", "rsa-2048", SUBJECT_10, DEAD_NOT, .level = 0},
    {"ECDHE-ECDSA-AES128-SHA", "ed25519", SUBJECT_11, DEAD_CERTIFICATE, .level = 0},
    {"ECDHE-ECDSA-AES128-SHA", "ed25519", SUBJECT_12, DEAD_NOT, .level = 2},
    {"ECDHE-ECDSA-AES128-GCM-SHA256", "ecdsa-p521", SUBJECT_12, DEAD_NOT, .level = 2},
    {"ECDHE-ECDSA-AES128-GCM-SHA256", "ecdsa-p256", SUBJECT_12, DEAD_GROUP, .level = 2,
     .groups = "ffdhe2048"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", SUBJECT_13, DEAD_NOT, .level = 2,
     .groups = "ffdhe2048"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", SUBJECT_13, DEAD_GROUP, .level = 2,
     .groups = "brainpoolP256r1"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", SUBJECT_13, DEAD_GROUP, .level = 3,
     .groups = "ffdhe2048"},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p384", SUBJECT_13, DEAD_LEVEL, .level = 4},
    {"TLS_AES_128_GCM_SHA256", "dsa-2048", SUBJECT_13, DEAD_CERTIFICATE, .level = 2},
    {"TLS_AES_128_CCM_8_SHA256", "ecdsa-p256", SUBJECT_13, DEAD_LEVEL, .level = 1, .bits = 64},
    {"NULL-SHA256", "rsa-2048", SUBJECT_12, DEAD_LEVEL, .level = 1, .bits = -1},
    {"NULL-SHA256", "rsa-2048", SUBJECT_12, DEAD_NOT, .level = 0, .bits = -1},
    {"NULL-MD5", "rsa-2048", SUBJECT_12, DEAD_LEVEL, .level = 1},
    {"AECDH-AES128-SHA", "rsa-2048", SUBJECT_12, DEAD_LEVEL, .level = 1},
    {"AECDH-AES128-SHA", "rsa-2048", SUBJECT_12, DEAD_NOT, .level = 0},
    {"PSK-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_KEYLESS, .level = 2},
    {"RSA-PSK-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_KEYLESS, .level = 2},
    {"DHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_NOT, .level = 2},
    {"DHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_DH_MISSING, .level = 2,
     .dh = DH_NONE},
    {"DHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_DH_SMALL, .level = 2,
     .dh = DH_PARAMS, .dh_bits = 1024},
    {"DHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_NOT, .level = 1, .dh = DH_PARAMS,
     .dh_bits = 1024},
    {"DHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_DH_SMALL, .level = 0,
     .dh = DH_PARAMS, .dh_bits = 512},
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_LEVEL, .level = 3},
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_GROUP, .level = 2,
     .groups = "sect163k1"},
    {"ECDHE-RSA-AES128-GCM-SHA256", "rsa-2048", SUBJECT_12, DEAD_NOT, .level = 2,
     .groups = "sect233k1"},
    {"ECDHE-ECDSA-AES256-GCM-SHA384", "ecdsa-p384", SUBJECT_12, DEAD_NOT, .level = 4, .bits = 256,
     .groups = "brainpoolP384r1"},
    {"TLS_AES_128_GCM_SHA256", "rsa-2048", SUBJECT_13, DEAD_CERTIFICATE, .level = 2,
     .suite_b = SSL_CERT_FLAG_SUITEB_128_LOS},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", SUBJECT_13, DEAD_NOT, .level = 2,
     .suite_b = SSL_CERT_FLAG_SUITEB_128_LOS},
    {"TLS_AES_128_GCM_SHA256", "ecdsa-p256", SUBJECT_13, DEAD_CERTIFICATE, .level = 2,
     .suite_b = SSL_CERT_FLAG_SUITEB_192_LOS},
    {"ECDHE-ECDSA-AES128-GCM-SHA256", "ed25519", SUBJECT_12, DEAD_CERTIFICATE, .level = 2,
     .suite_b = SSL_CERT_FLAG_SUITEB_128_LOS},
};

static void fill(const struct row *row, struct check_subject *subject)
{
    struct text_list words = {0};
    struct error err;

    subject->list.level = row->level;
    subject->list.suite_b = row->suite_b;
    subject->dh = row->dh;
    subject->dh_bits = row->dh_bits;
    for (int v = 0; v < SUBJECT_VERSIONS; v++)
        subject->version_on[v] = !row->off;
    text_list_add_split(&words, row->groups ? row->groups : "x25519:p-256", ":");
    for (size_t i = 0; i < words.count; i++)
        subject->group_list[subject->group_count++] = group_find(words.items[i]);
    text_list_cleanup(&words);
    assert_true(certificate_add_kind(&subject->certificates, row->certificate, NULL, &err));
}

static void test_rows(void **state)
{
    struct library_facts library;

    (void)state;
    memset(&library, true, sizeof library);
    library.version = 0x30000000UL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct check_subject *subject = memory_new(1, sizeof *subject);
        const struct cipher_choice choice = {suite_find(row->suite),
                                             row->bits == 0  ? 128
                                             : row->bits < 0 ? 0
                                                             : row->bits,
                                             1};
        char text[EXPECT_TEXT];
        fill(row, subject);
        enum dead_reason reason =
            expect(subject, &library, &subject->certificates.items[0], &choice, row->version, text);
        if (reason != row->reason)
            print_message("row %zu, %s with %s: %s\n", i, row->suite, row->certificate, text);
        assert_int_equal(reason, row->reason);
        assert_int_equal(text[0] == '\0', reason == DEAD_NOT);
        subject_cleanup(subject);
        free(subject);
    }
}

/* OpenSSL 4.0 negotiates the groups of RFC 7919, whatever parameters a server was given. */
static void test_other_libraries(void **state)
{
    static const struct {
        struct row row;
        bool has_suite;
        enum dead_reason reason;
    } others[] = {
        {{.dh = DH_NONE, .groups = "x25519:ffdhe2048", .level = 2}, true, DEAD_NOT},
        {{.dh = DH_PARAMS, .dh_bits = 1024, .groups = "ffdhe2048", .level = 2}, true, DEAD_NOT},
        {{.dh = DH_AUTO, .groups = "x25519:p-256", .level = 2}, true, DEAD_GROUP},
        {{.dh = DH_PARAMS, .dh_bits = 2048, .groups = "x25519", .level = 2}, true, DEAD_GROUP},
        {{.dh = DH_AUTO, .groups = "ffdhe2048", .level = 3}, true, DEAD_GROUP},
        {{.dh = DH_AUTO, .groups = "ffdhe2048:ffdhe3072", .level = 3}, true, DEAD_NOT},
        {{.dh = DH_NONE, .groups = "ffdhe2048", .level = 2}, false, DEAD_NOT_HERE},
    };
    const struct cipher_choice choice = {suite_find("DHE-RSA-AES128-GCM-SHA256"), 128, 1};
    struct library_facts library;

    (void)state;
    memset(&library, true, sizeof library);
    library.version = 0x40000000UL;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct check_subject *subject = memory_new(1, sizeof *subject);
        struct row row = others[i].row;
        char text[EXPECT_TEXT];
        row.certificate = row.level == 3 ? "rsa-3072" : "rsa-2048";
        fill(&row, subject);
        library.suites[choice.suite - suite_table] = others[i].has_suite;
        assert_int_equal(
            expect(subject, &library, &subject->certificates.items[0], &choice, SUBJECT_12, text),
            others[i].reason);
        subject_cleanup(subject);
        free(subject);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_other_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
