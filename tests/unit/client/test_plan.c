#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/plan.h"

#include "client/list.h"
#include "common/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 12

/* A library as OpenSSL 3.0 builds are: nothing weak, nothing of later versions. */
static void make_old(struct library_facts *facts)
{
    static const char *const weak[] = {"_RC4_",  "_DES_", "3DES", "_IDEA_",
                                       "_SEED_", "_RC2_", "DES40"};

    memset(facts, 0, sizeof *facts);
    facts->version = 0x30000130UL; /* 3.0.19 */
    for (size_t i = 0; i < suite_count; i++) {
        struct suite_facts suite = suite_facts(&suite_table[i]);

        facts->suites[i] = suite_table[i].openssl && suite.exchange != EXCHANGE_OTHER &&
                           suite.exchange != EXCHANGE_NULL &&
                           (suite.exchange != EXCHANGE_TLS13 ||
                            (suite_table[i].code >= 0x1301 && suite_table[i].code <= 0x1305));
        for (size_t w = 0; w < sizeof weak / sizeof weak[0]; w++) {
            if (strstr(suite_table[i].iana, weak[w]))
                facts->suites[i] = false;
        }
    }
    for (size_t i = 0; i < kind_count; i++)
        facts->kinds[i] = strncmp(kind_table[i].name, "ml-", 3) != 0;
    for (size_t i = 0; i < group_count; i++)
        facts->groups[i] =
            !strstr(group_table[i].name, "MLKEM") && !strstr(group_table[i].name, "tls13");
}

/* The same with what OpenSSL 3.5 brought. */
static void make_new(struct library_facts *facts)
{
    make_old(facts);
    facts->version = 0x30500000UL;
    memset(facts->kinds, true, sizeof facts->kinds);
    memset(facts->groups, true, sizeof facts->groups);
}

struct libraries {
    struct library_facts old, new, real;
};

static int make_libraries(void **state)
{
    static struct libraries libraries;
    struct error err = {""};

    make_old(&libraries.old);
    make_new(&libraries.new);
    if (!library_init(false, &err) || !library_facts_read(&libraries.real, &err))
        fail_msg("%s", err.text);
    *state = &libraries;
    return 0;
}

/* Builds the plan of a command line, words separated by single blanks. */
static bool build(const char *line, const struct library_facts *library, struct plan *plan,
                  struct error *err)
{
    struct text_list words = {0};
    struct run_options options;
    char *argv[WORDS + 1] = {(char *)(uintptr_t) "run"};
    bool ok;

    text_list_add_split(&words, line, " ");
    assert_true(words.count <= WORDS);
    for (size_t i = 0; i < words.count; i++)
        argv[i + 1] = words.items[i];
    *plan = (struct plan){.count = 0};
    ok = run_options_parse((int)words.count + 1, argv, &options, err);
    if (ok) {
        ok = plan_build(&options, library, plan, err);
        run_options_cleanup(&options);
    }
    text_list_cleanup(&words);
    return ok;
}

/* The plan as text: an id a line, with ": reason" behind skips. */
static void print_plan(const struct plan *plan, struct text_buffer *text)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned_case *planned = &plan->cases[i];

        text_buffer_add(text, "%s%s%s\n", planned->test_case.id, planned->skipped[0] ? ": " : "",
                        planned->skipped);
    }
}

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

static void expect_unique(const struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(plan->cases[i].test_case.id, plan->cases[j].test_case.id);
    }
}

static const char default_start[] = "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p256/x25519\n"
                                    "handshake/1.3/TLS_AES_128_GCM_SHA256/ecdsa-p384/x25519\n";
static const char default_end[] =
    "bulk/1.2/ECDHE-ECDSA-ARIA128-GCM-SHA256/ecdsa-p256/x25519/16384/download\n"
    "bulk/1.2/ECDHE-ECDSA-CAMELLIA128-SHA256/ecdsa-p256/x25519/16384/download\n";

static void test_default_plan(void **state)
{
    const struct libraries *libraries = *state;
    const struct {
        const struct library_facts *library;
        size_t cases;
    } rows[] = {{&libraries->old, 25}, {&libraries->new, 26}};

    for (size_t i = 0; i < 2; i++) {
        struct text_buffer text = {0};
        struct error err = {""};
        struct plan plan;

        assert_true(build("", rows[i].library, &plan, &err));
        assert_int_equal(plan.count, rows[i].cases);
        assert_int_equal(plan_runnable(&plan), rows[i].cases);
        expect_unique(&plan);
        print_plan(&plan, &text);
        assert_int_equal(strncmp(text.text, default_start, strlen(default_start)), 0);
        assert_string_equal(text.text + text.length - strlen(default_end), default_end);
        assert_int_equal(i == 1, strstr(text.text, "/X25519MLKEM768\n") != NULL);
        assert_int_equal(plan.schedule.rounds, 6);
        assert_false(plan.schedule.too_tight);
        assert_true(plan.schedule.total_ns < 80 * NS_PER_S);
        assert_true(plan.schedule.window_ns > 250 * NS_PER_MS);
        text_buffer_cleanup(&text);
        plan_cleanup(&plan);
    }
}

/* A library without a cipher of the default plan: a skip, not a silent gap. */
static void test_default_plan_with_gaps(void **state)
{
    struct library_facts facts = ((const struct libraries *)*state)->old;
    struct error err = {""};
    struct plan plan;

    facts.suites[suite_find("TLS_CHACHA20_POLY1305_SHA256") - suite_table] = false;
    assert_true(build("", &facts, &plan, &err));
    assert_int_equal(plan.count, 25);
    assert_int_equal(plan_runnable(&plan), 24);
    plan_cleanup(&plan);
}

static void test_every_suite(void **state)
{
    const struct libraries *libraries = *state;
    size_t has = 0;
    struct error err = {""};
    struct plan plan;

    for (size_t i = 0; i < suite_count; i++)
        has += library_has_suite(&libraries->real, &suite_table[i]);
    assert_true(build("--suites all --measure handshake", &libraries->real, &plan, &err));
    assert_int_equal(plan.count, has);
    assert_true(plan_runnable(&plan) > 60);
    expect_unique(&plan);
    for (size_t i = 0; i < plan.count; i++) {
        struct suite_facts facts = suite_facts(plan.cases[i].test_case.suite);
        bool cannot = facts.exchange == EXCHANGE_PSK || facts.exchange == EXCHANGE_SRP ||
                      facts.auth == AUTH_NONE;

        if (cannot != (plan.cases[i].skipped[0] != '\0'))
            fail_msg("%s: %s", plan.cases[i].test_case.id, plan.cases[i].skipped);
    }
    plan_cleanup(&plan);

    assert_true(
        build("--suites all --certs all --measure handshake", &libraries->real, &plan, &err));
    expect_unique(&plan);
    assert_true(plan.count > has);
    plan_cleanup(&plan);

    /* A version chooses: what "all" brought in and is not of it makes no row. */
    assert_true(
        build("--suites all --versions 1.3 --measure handshake", &libraries->real, &plan, &err));
    assert_true(plan.count >= 5);
    assert_int_equal(plan_runnable(&plan), plan.count);
    plan_cleanup(&plan);
}

static const struct load_row {
    const char *line;
    unsigned threads, connections, bulk_connections;
    enum confirmation confirm;
    bool forced, suitemark_names;
    const char *server_name, *host, *path;
} load_rows[] = {
    {"", 1, 16, 1, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"--threads 4", 4, 64, 4, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"--connections 15 --threads 8", 8, 15, 15, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"--connections 3", 1, 3, 3, CONFIRM_SERVER, false, true, "", "localhost", "/"},
    {"there", 1, 16, 1, CONFIRM_SERVER, false, true, "there", "there:4433", "/"},
    {"there.:443", 1, 16, 1, CONFIRM_SERVER, false, true, "there", "there.:443", "/"},
    {"192.0.2.7", 1, 16, 1, CONFIRM_SERVER, false, true, "", "192.0.2.7:4433", "/"},
    {"[::1]:5", 1, 16, 1, CONFIRM_SERVER, false, true, "", "[::1]:5", "/"},
    {"https://a.example/x?y", 1, 16, 1, CONFIRM_RESPONSE, false, false, "a.example", "a.example",
     "/x?y"},
    {"https://a.example:4433", 1, 16, 1, CONFIRM_RESPONSE, false, false, "a.example",
     "a.example:4433", "/"},
    {"https://[::1]", 1, 16, 1, CONFIRM_RESPONSE, false, false, "", "[::1]", "/"},
    {"--confirm close https://a.example", 1, 16, 1, CONFIRM_CLOSE, true, false, "a.example",
     "a.example", "/"},
    {"--confirm response", 1, 16, 1, CONFIRM_RESPONSE, true, true, "", "localhost", "/"},
};

static void test_load(void **state)
{
    const struct libraries *libraries = *state;

    for (size_t i = 0; i < sizeof load_rows / sizeof load_rows[0]; i++) {
        const struct load_row *row = &load_rows[i];
        struct error err = {""};
        struct plan plan;

        if (!build(row->line, &libraries->old, &plan, &err))
            fail_msg("%s: %s", row->line, err.text);
        assert_int_equal(plan.load.threads, row->threads);
        assert_int_equal(plan.load.connections, row->connections);
        assert_int_equal(plan.load.bulk_connections, row->bulk_connections);
        assert_int_equal(plan.load.confirm, row->confirm);
        assert_int_equal(plan.confirm_forced, row->forced);
        assert_int_equal(plan.load.suitemark_names, row->suitemark_names);
        assert_string_equal(plan.load.server_name, row->server_name);
        assert_string_equal(plan.load.host, row->host);
        assert_string_equal(plan.load.path, row->path);
        assert_int_equal(plan.load.close_timeout_ns, NS_PER_S);
        assert_int_equal(plan.load.pins[0], -1);
        assert_int_equal(plan.load.pins[63], -1);
        plan_cleanup(&plan);
    }
}

static void test_settings_reach_the_plan(void **state)
{
    const struct libraries *libraries = *state;
    struct error err = {""};
    struct plan plan;

    assert_true(build("--close fin --tickets 2 --connect-timeout 1s --handshake-timeout 2s "
                      "--rounds 8",
                      &libraries->old, &plan, &err));
    assert_int_equal(plan.load.close, CLOSE_FIN);
    assert_int_equal(plan.load.tickets, 2);
    assert_int_equal(plan.load.connect_timeout_ns, NS_PER_S);
    assert_int_equal(plan.load.handshake_timeout_ns, 2 * NS_PER_S);
    assert_int_equal(plan.schedule.rounds, 8);
    plan_cleanup(&plan);
    assert_true(
        build("--seed 42 --warmup 1s --duration 2s --time 30s", &libraries->old, &plan, &err));
    assert_int_equal(plan.schedule.seed, 42);
    assert_int_equal(plan.schedule.warmup_ns, NS_PER_S);
    assert_int_equal(plan.schedule.window_ns, 2 * NS_PER_S);
    assert_int_equal(plan.duration_ns, 2 * NS_PER_S);
    assert_int_equal(plan.time_ns, 30 * NS_PER_S);
    plan_cleanup(&plan);
}

static void test_target_facts(void **state)
{
    const struct libraries *libraries = *state;
    const char *const refused[] = {"target offers no TLS 1.3", NULL, NULL, NULL, "late"};
    const struct {
        struct target_facts facts;
        const char *skipped[4];
    } rows[] = {
        {{.suitemark = true, .http = true}, {"", "", "", ""}},
        {{.http = true}, {"", "", "", "target is not suitemark-server, which upload needs"}},
        {{.http = false},
         {"", "", "target answers no HTTP, which bulk needs",
          "target is not suitemark-server, which upload needs"}},
        {{.suitemark = true, .http = true, .refused = refused},
         {"target offers no TLS 1.3", "", "", ""}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct error err = {""};
        struct test_case bulk;
        struct plan plan;

        assert_true(build("--suites TLS_AES_128_GCM_SHA256,AES128-SHA --measure handshake",
                          &libraries->old, &plan, &err));
        bulk = plan.cases[0].test_case;
        bulk.measure = MEASURE_BULK;
        for (enum direction d = DIRECTION_DOWNLOAD; d <= DIRECTION_UPLOAD; d++) {
            bulk.direction = d;
            assert_true(plan_add(&plan, &bulk, "", &err));
        }
        assert_true(plan_add(&plan, &bulk, "an earlier reason", &err));
        plan_apply_target(&plan, &rows[i].facts);
        for (size_t c = 0; c < 4; c++)
            assert_string_equal(plan.cases[c].skipped, rows[i].skipped[c]);
        assert_string_equal(plan.cases[4].skipped, "an earlier reason");
        plan_cleanup(&plan);
    }
}

static void test_lists(void **state)
{
    const struct libraries *libraries = *state;
    static const char *const rows[][3] = {
        {"suites", "ECDHE-ECDSA-CAMELLIA256-SHA384", "SEED-SHA"},
        {"certs", "rsa-pss-2048", "needs OpenSSL 3.5"},
        {"groups", "secp256r1", "needs OpenSSL 3.5"},
    };
    struct error err = {""};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);

        assert_non_null(out);
        assert_true(list_print(out, rows[i][0], &libraries->old, &err));
        assert_int_equal(fclose(out), 0);
        assert_non_null(strstr(text, rows[i][1]));
        assert_non_null(strstr(text, rows[i][2]));
        for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
            size_t width = strcspn(line, "\n");

            if (width >= 100)
                fail_msg("--list %s: %zu columns: %.*s", rows[i][0], width, (int)width, line);
        }
        free(text);
    }
    assert_false(list_print(stdout, "things", &libraries->old, &err));
}

/* Default bulk rows have a twin for servers with an RSA certificate only; nothing else has one. */
static void test_twins(void **state)
{
    const struct libraries *libraries = *state;
    struct plan plan = {0};
    struct error err;
    size_t twins = 0;

    assert_true(build("", &libraries->real, &plan, &err));
    for (size_t i = 0; i < plan.count; i++) {
        const struct planned_case *planned = &plan.cases[i];
        const struct test_case *instead = &planned->instead;
        assert_int_equal(instead->suite != NULL, planned->test_case.measure == MEASURE_BULK);
        if (!instead->suite)
            continue;
        twins++;
        assert_string_equal(instead->kind->name, "rsa-2048");
        assert_non_null(strstr(instead->id, "/rsa-2048/x25519/16384/download"));
        assert_int_equal(instead->version, planned->test_case.version);
        assert_string_equal(suite_facts(instead->suite).cipher,
                            suite_facts(planned->test_case.suite).cipher);
    }
    assert_int_equal(twins, 9);
    plan_cleanup(&plan);
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
        cmocka_unit_test(test_default_plan),
        cmocka_unit_test(test_default_plan_with_gaps),
        cmocka_unit_test(test_every_suite),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_settings_reach_the_plan),
        cmocka_unit_test(test_target_facts),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_twins),
    };

    return cmocka_run_group_tests(tests, make_libraries, NULL);
}
