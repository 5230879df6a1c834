#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/plan.h"

#include "tests/support/plan_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *line, const struct library_facts *library, const char *expected)
{
    struct text_buffer text = {0};
    struct error err = {""};
    struct plan plan;

    if (!build(line, library, &plan, &err))
        fail_msg("%s: %s", line, err.text);
    print_plan(&plan, &text);
    if (strcmp(text_buffer_text(&text), expected) != 0)
        fail_msg("%s:\n%sinstead of\n%s", line, text_buffer_text(&text), expected);
    text_buffer_cleanup(&text);
    plan_cleanup(&plan);
}

/* Command lines whose plan any library of OpenSSL 3.0 and later agrees on. */
static const struct product_row {
    const char *line, *expected;
} product_rows[] = {
    /* What the specification says to try. */
    {"--measure handshake "
     "--suites TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,tls_aes_128_gcm_sha256",
     "handshake/1.2/ECDHE-RSA-AES128-GCM-SHA256/rsa-2048/x25519\n"
     "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519\n"},
    {"--suites ECDHE-RSA-AES128-GCM-SHA256 --certs ecdsa-p256",
     "handshake/1.2/ECDHE-RSA-AES128-GCM-SHA256/ecdsa-p256/x25519: needs an RSA certificate\n"
     "bulk/1.2/ECDHE-RSA-AES128-GCM-SHA256/ecdsa-p256/x25519/16384/download: "
     "needs an RSA certificate\n"},
    {"--measure handshake --suites AES128-GCM-SHA256 --certs rsa-pss-2048",
     "handshake/1.2/AES128-GCM-SHA256/rsa-pss-2048/-: static RSA cannot use an RSA-PSS key\n"},
    {"--measure handshake --suites ECDHE-ECDSA-AES128-GCM-SHA256 --certs ed25519",
     "handshake/1.2/ECDHE-ECDSA-AES128-GCM-SHA256/ed25519/x25519\n"},
    {"--measure handshake --certs ecdsa-p521 --groups x25519 --versions 1.2",
     "handshake/1.2/ECDHE-ECDSA-AES128-GCM-SHA256/ecdsa-p521/x25519\n"},
    {"--measure bulk --suites ECDHE-ECDSA-AES128-CCM8",
     "bulk/1.2/ECDHE-ECDSA-AES128-CCM8/ecdsa-p256/x25519/16384/download\n"},
    {"--measure handshake --versions 1.0 --suites ECDHE-RSA-AES128-SHA",
     "handshake/1.0/ECDHE-RSA-AES128-SHA/rsa-2048/x25519\n"},

    /* Names, order, duplicates. */
    {"--measure handshake --suites aes256-gcm-sha384:TLS_AES_256_GCM_SHA384",
     "handshake/1.2/AES256-GCM-SHA384/rsa-2048/-\n"
     "handshake/1.3/TLS_AES_256_GCM_SHA384/ecdsa-p256/x25519\n"},
    {"--measure handshake --suites TLS_AES_128_GCM_SHA256,tls_aes_128_gcm_sha256 "
     "--groups X25519,x25519,secp256r1,P-256 --versions 1.3,tls1.3 --certs RSA-2048,rsa-2048",
     "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519\n"
     "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/p-256\n"},
    {"--measure bulk,handshake,BULK --certs rsa-2048 --versions 1.3",
     "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519\n"
     "bulk/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519/16384/download\n"},

    /* What is not given. */
    {"--measure bulk",
     "bulk/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.3/TLS_AES_256_GCM_SHA384/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.3/TLS_CHACHA20_POLY1305_SHA256/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.3/TLS_AES_128_CCM_SHA256/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.3/TLS_AES_128_CCM_8_SHA256/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.2/ECDHE-ECDSA-AES128-SHA/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.2/ECDHE-ECDSA-AES128-SHA256/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.2/ECDHE-ECDSA-ARIA128-GCM-SHA256/ecdsa-p256/x25519/16384/download\n"
     "bulk/1.2/ECDHE-ECDSA-CAMELLIA128-SHA256/ecdsa-p256/x25519/16384/download\n"},
    {"--record-sizes 4k", "bulk/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519/4096/download\n"
                          "bulk/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519/4096/download\n"
                          "bulk/1.2/ECDHE-ECDSA-AES128-GCM-SHA256/ecdsa-p256/x25519/4096/download\n"
                          "bulk/1.2/ECDHE-RSA-AES128-GCM-SHA256/rsa-2048/x25519/4096/download\n"},
    {"--measure handshake --certs dsa-2048",
     "handshake/1.2/DHE-DSS-AES128-GCM-SHA256/dsa-2048/-\n"},
    {"--measure handshake --certs rsa-pss-2048",
     "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-pss-2048/x25519\n"
     "handshake/1.2/ECDHE-RSA-AES128-GCM-SHA256/rsa-pss-2048/x25519\n"},
    {"--measure handshake --versions 1.1,1.0 --certs ecdsa-p384",
     "handshake/1.1/ECDHE-ECDSA-AES128-SHA/ecdsa-p384/x25519\n"
     "handshake/1.0/ECDHE-ECDSA-AES128-SHA/ecdsa-p384/x25519\n"},
    {"--measure handshake --versions all --certs rsa-2048",
     "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519\n"
     "handshake/1.2/ECDHE-RSA-AES128-GCM-SHA256/rsa-2048/x25519\n"
     "handshake/1.1/ECDHE-RSA-AES128-SHA/rsa-2048/x25519\n"
     "handshake/1.0/ECDHE-RSA-AES128-SHA/rsa-2048/x25519\n"},
    {"--measure handshake --versions all --suites AES128-SHA,AES128-SHA256",
     "handshake/1.2/AES128-SHA/rsa-2048/-\n"
     "handshake/1.1/AES128-SHA/rsa-2048/-\n"
     "handshake/1.0/AES128-SHA/rsa-2048/-\n"
     "handshake/1.2/AES128-SHA256/rsa-2048/-\n"},
    {"--record-sizes 1k,16k --direction upload,download --versions 1.3 --certs rsa-2048",
     "bulk/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519/1024/download\n"
     "bulk/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519/1024/upload\n"
     "bulk/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519/16384/download\n"
     "bulk/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/x25519/16384/upload\n"},

    /* Suites that leave no group to choose are one case, whatever groups are named. */
    {"--measure handshake --groups p-256,p-384 "
     "--suites AES128-SHA,DHE-RSA-AES128-SHA,ECDHE-RSA-AES128-SHA",
     "handshake/1.2/AES128-SHA/rsa-2048/-\n"
     "handshake/1.2/DHE-RSA-AES128-SHA/rsa-2048/-\n"
     "handshake/1.2/ECDHE-RSA-AES128-SHA/rsa-2048/p-256\n"
     "handshake/1.2/ECDHE-RSA-AES128-SHA/rsa-2048/p-384\n"},

    /* Groups of one version only: no case where a default version clashes, a skip where a named
     * one does. */
    {"--measure handshake --groups ffdhe2048 --certs rsa-2048",
     "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/ffdhe2048\n"},
    {"--measure handshake --groups ffdhe2048 --certs rsa-2048 --versions 1.2",
     "handshake/1.2/ECDHE-RSA-AES128-GCM-SHA256/rsa-2048/ffdhe2048: "
     "group ffdhe2048 needs TLS 1.3\n"},

    /* Versions choose among suites, and a suite of none of them is a skip. */
    {"--measure handshake --versions 1.2,1.3 "
     "--suites ECDHE-RSA-AES128-GCM-SHA256,TLS_AES_128_GCM_SHA256",
     "handshake/1.2/ECDHE-RSA-AES128-GCM-SHA256/rsa-2048/x25519\n"
     "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519\n"},
    {"--measure handshake --versions 1.1 --suites AES128-SHA256,TLS_AES_128_GCM_SHA256",
     "handshake/1.1/AES128-SHA256/rsa-2048/-: this suite needs TLS 1.2\n"
     "handshake/1.1/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519: this suite needs TLS 1.3\n"},
    {"--measure handshake --versions 1.3 --suites AES128-SHA",
     "handshake/1.3/AES128-SHA/rsa-2048/-: this suite ends with TLS 1.2\n"},

    /* No group helps a certificate that does not fit. */
    {"--measure handshake --groups p-256,x25519 --suites ECDHE-RSA-AES128-SHA --certs ecdsa-p256",
     "handshake/1.2/ECDHE-RSA-AES128-SHA/ecdsa-p256/p-256: needs an RSA certificate\n"},

    /* One skip for what no certificate serves, whatever it is combined with. */
    {"--suites PSK-AES128-GCM-SHA256,AES128-SHA --certs rsa-2048,rsa-3072 --measure handshake",
     "handshake/1.2/PSK-AES128-GCM-SHA256/rsa-2048/-: needs a pre-shared key\n"
     "handshake/1.2/AES128-SHA/rsa-2048/-\n"
     "handshake/1.2/AES128-SHA/rsa-3072/-\n"},
    {"--suites ADH-AES128-SHA --measure handshake",
     "handshake/1.2/ADH-AES128-SHA/ecdsa-p256/-: anonymous: no certificate to measure\n"},
    {"--suites NULL-SHA256 --measure bulk", "bulk/1.2/NULL-SHA256/rsa-2048/-/16384/download\n"},

    /* "all" brings in what fits, and drops nothing that was named. */
    {"--measure handshake --suites ECDHE-ECDSA-AES128-SHA --certs all --groups x25519",
     "handshake/1.2/ECDHE-ECDSA-AES128-SHA/ecdsa-p256/x25519\n"
     "handshake/1.2/ECDHE-ECDSA-AES128-SHA/ecdsa-p384/x25519\n"
     "handshake/1.2/ECDHE-ECDSA-AES128-SHA/ecdsa-p521/x25519\n"
     "handshake/1.2/ECDHE-ECDSA-AES128-SHA/ed25519/x25519\n"
     "handshake/1.2/ECDHE-ECDSA-AES128-SHA/ed448/x25519\n"},
    {"--measure handshake --suites ECDHE-RSA-AES128-SHA --certs ecdsa-p256,all --versions 1.2",
     "handshake/1.2/ECDHE-RSA-AES128-SHA/ecdsa-p256/x25519: needs an RSA certificate\n"
     "handshake/1.2/ECDHE-RSA-AES128-SHA/rsa-2048/x25519\n"
     "handshake/1.2/ECDHE-RSA-AES128-SHA/rsa-3072/x25519\n"
     "handshake/1.2/ECDHE-RSA-AES128-SHA/rsa-4096/x25519\n"
     "handshake/1.2/ECDHE-RSA-AES128-SHA/rsa-pss-2048/x25519\n"},
    {"--measure handshake --suites kRSA+AESGCM --certs rsa-2048",
     "handshake/1.2/AES256-GCM-SHA384/rsa-2048/-\n"
     "handshake/1.2/AES128-GCM-SHA256/rsa-2048/-\n"},
    {"--measure handshake --suites kRSA+AESGCM --certs ecdsa-p256",
     "handshake/1.2/AES256-GCM-SHA384/ecdsa-p256/-: needs an RSA certificate\n"},
};

static void test_products(void **state)
{
    const struct libraries *libraries = *state;

    for (size_t i = 0; i < sizeof product_rows / sizeof product_rows[0]; i++) {
        expect(product_rows[i].line, &libraries->old, product_rows[i].expected);
        expect(product_rows[i].line, &libraries->new, product_rows[i].expected);
        expect(product_rows[i].line, &libraries->real, product_rows[i].expected);
    }
}

/* What depends on the library. */
static void test_missing(void **state)
{
    const struct libraries *libraries = *state;

    expect("--suites RC4-SHA", &libraries->old,
           "handshake/1.2/RC4-SHA/rsa-2048/-: not in this library (OpenSSL 3.0.19)\n");
    expect("--suites SEED-SHA --versions 1.2", &libraries->old,
           "handshake/1.2/SEED-SHA/rsa-2048/-: needs the legacy provider\n");
    expect("--suites TLS_SM4_GCM_SM3", &libraries->new,
           "handshake/1.3/TLS_SM4_GCM_SM3/ecdsa-p256/x25519: needs OpenSSL 4.0\n");
    expect("--suites TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256", &libraries->old,
           "handshake/1.2/TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256/rsa-2048/-: "
           "not in this library (OpenSSL 3.0.19)\n");
    expect("--measure handshake --certs ml-dsa-65", &libraries->old,
           "handshake/1.3/TLS_AES_128_GCM_SHA256/ml-dsa-65/x25519: needs OpenSSL 3.5\n");
    expect("--measure handshake --certs ml-dsa-65", &libraries->new,
           "handshake/1.3/TLS_AES_128_GCM_SHA256/ml-dsa-65/x25519\n");
    expect("--measure handshake --groups X25519MLKEM768 --certs rsa-2048", &libraries->old,
           "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/X25519MLKEM768: needs OpenSSL 3.5\n");
    expect("--measure handshake --groups x25519mlkem768 --certs rsa-2048", &libraries->new,
           "handshake/1.3/TLS_AES_128_GCM_SHA256/rsa-2048/X25519MLKEM768\n");
}

/* The certificate that a suite is for stays its certificate where the library cannot make one. */
static void test_missing_default_kind(void **state)
{
    struct library_facts facts = ((const struct libraries *)*state)->old;

    facts.kinds[kind_find("rsa-2048") - kind_table] = false;
    expect("--suites AES128-SHA --measure handshake", &facts,
           "handshake/1.2/AES128-SHA/rsa-2048/-: not in this library (OpenSSL 3.0.19)\n");
    facts.kinds[kind_find("ecdsa-p256") - kind_table] = false;
    expect("--versions 1.3 --measure handshake", &facts,
           "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519: "
           "not in this library (OpenSSL 3.0.19)\n");
}

/* The loaded library speaks for itself, whatever its version. */
static void test_missing_here(void **state)
{
    const struct libraries *libraries = *state;
    const struct suite *suite = suite_find("RC4-SHA");
    struct error err = {""};
    struct plan plan;

    if (library_has_suite(&libraries->real, suite))
        skip();
    assert_true(build("--suites RC4-SHA", &libraries->real, &plan, &err));
    assert_int_equal(plan.count, 1);
    assert_int_equal(plan_runnable(&plan), 0);
    assert_int_equal(strncmp(plan.cases[0].skipped, "not in this library (OpenSSL ", 29), 0);
    plan_cleanup(&plan);
}

/* A named kind that clashes with every default still appears. */
static void test_named_is_never_lost(void **state)
{
    const struct libraries *libraries = *state;
    static const char *const lines[] = {
        "--certs ml-dsa-44 --groups brainpoolP256r1",
        "--certs ml-dsa-44 --versions 1.2",
        "--certs dsa-2048 --groups ffdhe2048 --versions 1.3",
        "--suites HIGH --versions 1.3",
        "--suites all --certs dsa-2048 --versions 1.3",
        "--suites AES128-GCM-SHA256 --certs rsa-pss-2048",
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct error err = {""};
        struct plan plan;

        if (!build(lines[i], &libraries->new, &plan, &err))
            fail_msg("%s: %s", lines[i], err.text);
        assert_true(plan.count > 0);
        assert_true(plan.cases[plan.count - 1].skipped[0] != '\0');
        assert_true(i == 3 || plan_runnable(&plan) == 0);
        plan_cleanup(&plan);
    }
}

static const struct product_row error_rows[] = {
    {"--suites ECDHE-RSA-AES128-GCM-SHA265",
     "--suites: unknown suite \"ECDHE-RSA-AES128-GCM-SHA265\"; nearest: "
     "ECDHE-RSA-AES128-GCM-SHA256"},
    {"--suites TLS_AES_128_GCM_SHA265", "nearest: TLS_AES_128_GCM_SHA256"},
    {"--suites AES128-SHA:ECDHE-RSA-AES128-GCM-SHA265", "ECDHE-RSA-AES128-GCM-SHA265"},
    {"--suites qqqqqqqqqqqqqqqqqqqqqqqq", "see --list suites"},
    {"--suites high", "unknown suite \"high\""},
    {"--suites ECDHE+AESGCM:!NOSUCHWORD", "NOSUCHWORD"},
    {"--certs rsa-2084", "--certs: unknown certificate kind \"rsa-2084\"; nearest: rsa-2048"},
    {"--groups x25591", "--groups: unknown group \"x25591\"; nearest: x25519"},
    {"--groups qqqqqqqqqqqqqqqq", "see --list groups"},
    {"--baseline handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p265/x25519",
     "nearest: handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519"},
    {"--baseline x", "see --dry-run"},
    {"--suites all --certs all --groups all --versions all", "more than 4096 cases"},
};

static void test_errors(void **state)
{
    const struct libraries *libraries = *state;

    for (size_t i = 0; i < sizeof error_rows / sizeof error_rows[0]; i++) {
        const struct library_facts *both[] = {&libraries->new, &libraries->real};

        for (size_t b = 0; b < 2; b++) {
            struct error err = {""};
            struct plan plan;

            if (build(error_rows[i].line, both[b], &plan, &err))
                fail_msg("%s was taken", error_rows[i].line);
            if (!strstr(err.text, error_rows[i].expected))
                fail_msg("%s: \"%s\" does not say \"%s\"", error_rows[i].line, err.text,
                         error_rows[i].expected);
            assert_null(plan.cases);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_missing_default_kind),
        cmocka_unit_test(test_missing_here),
        cmocka_unit_test(test_named_is_never_lost),
        cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, make_libraries, NULL);
}
