#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/evp/evp_plan.h"

#include "common/base/clock.h"

#include <openssl/crypto.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define WORDS        10

/* Parses up to WORDS words (NULL ends) behind the subcommand's name. */
static bool parse(const char *const words[WORDS], struct evp_options *options, struct error *err)
{
    char *argv[WORDS + 2] = {(char *)(uintptr_t) "evp"};
    int argc = 1;

    while (argc <= WORDS && words[argc - 1]) {
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
        argc++;
    }
    return evp_options_parse(argc, argv, options, err);
}

static void test_option_defaults(void **state)
{
    struct evp_options options;
    struct error err = {""};

    (void)state;
    assert_true(parse((const char *const[WORDS]){NULL}, &options, &err));
    assert_int_equal(options.size_count, 6);
    assert_int_equal(options.sizes[0], 16);
    assert_int_equal(options.sizes[5], 16384);
    assert_true(options.precision > 0.0099 && options.precision < 0.0101);
    assert_int_equal(options.max_time_ns, 500 * NS_PER_MS);
    assert_int_equal(options.rounds, 6);
    assert_int_equal(options.threads, 1);
    assert_int_equal(options.shapes, 0);
    assert_null(options.column);
    evp_options_cleanup(&options);
}

static void test_refused_options(void **state)
{
    static const struct {
        const char *words[WORDS];
        const char *reason;
    } rows[] = {
        {{"--sizes", "0"}, "0 is out of range; allowed: 1 to 1g"},
        {{"--sizes", "2g"}, "2g is out of range"},
        {{"--sizes", "16q"}, "16q"},
        {{"--precision", "0"}, "0.1% to 50%"},
        {{"--precision", "1e"}, "1e is not a precision"},
        {{"--precision", "nan"}, "nan is not a precision"},
        {{"--precision", "1.1.1"}, "1.1.1 is not a precision"},
        {{"--shapes", "recrod"}, "did you mean record"},
        {{"--direction", "up"}, "both, encrypt or decrypt"},
        {{"--threads", "0"}, "1 to 256"},
        {{"--backend", "nss"}, "evp or mcrypt"},
        {{"--output", ""}, "the file name is empty"},
        {{"--nosuch"}, "unknown option"},
#if defined(__x86_64__) || defined(__i386__)
        {{"--cpu-without", "aes", "--cpu-without", "AES"}, "aes and AES leave out the same: aes, "},
        {{"--cpu-without", "sha", "--cpu-without", "vaes,aes", "--cpu-without", "aes"},
         "vaes,aes and aes leave out the same: aes, vaes"},
#endif
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct evp_options options;
        struct error err = {""};
        assert_false(parse(rows[i].words, &options, &err));
        if (!strstr(err.text, rows[i].reason))
            fail_msg("%s: %s", rows[i].words[0], err.text);
    }
}

/* A set for each column, all of them different, is fine up to a limit. */
static void test_many_columns(void **state)
{
    static const char *const features[] = {"aes", "pclmul", "sha", "bmi2", "adx"};
    static const struct {
        unsigned columns;
        bool taken;
    } rows[] = {{1, true}, {EVP_COLUMNS_MAX, true}, {EVP_COLUMNS_MAX + 1, false}};

    (void)state;
#if defined(__x86_64__) || defined(__i386__)
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text_buffer sets[EVP_COLUMNS_MAX + 1] = {{0}};
        char *argv[2 * (EVP_COLUMNS_MAX + 1) + 1] = {(char *)(uintptr_t) "evp"};
        struct evp_options options;
        struct error err = {""};
        for (unsigned set = 1; set <= rows[i].columns; set++) {
            for (unsigned bit = 0; bit < COUNT(features); bit++)
                if (set >> bit & 1)
                    text_buffer_add(&sets[set - 1], "%s,", features[bit]);
            argv[2 * set - 1] = (char *)(uintptr_t) "--cpu-without";
            argv[2 * set] = sets[set - 1].text;
        }
        bool taken = evp_options_parse(2 * (int)rows[i].columns + 1, argv, &options, &err);
        assert_int_equal(taken, rows[i].taken);
        if (taken)
            evp_options_cleanup(&options);
        else
            assert_non_null(strstr(err.text, "--cpu-without: 16 columns at most"));
        for (unsigned set = 0; set < rows[i].columns; set++)
            text_buffer_cleanup(&sets[set]);
    }
#else
    (void)features;
    (void)rows;
#endif
}

/* Ids of all cells, skipped ones in brackets, joined. */
static void describe(const struct evp_plan *plan, struct text_buffer *text)
{
    for (size_t i = 0; i < plan->count; i++) {
        char id[EVP_ID];
        bool skipped = plan->cells[i].skipped[0] != '\0';
        evp_plan_id(&plan->cells[i].what, id);
        text_buffer_add(text, "%s%s%s%s", i > 0 ? " " : "", skipped ? "[" : "", id,
                        skipped ? "]" : "");
    }
}

static void test_cells(void **state)
{
    static const struct {
        const char *words[WORDS];
        const char *cells;
    } rows[] = {
        {{"aes-128-gcm", "--sizes", "16"},
         "aes-128-gcm/record/encrypt/16 aes-128-gcm/record/decrypt/16"},
        {{"AES-128-CBC", "--sizes", "1k", "--direction", "encrypt"},
         "aes-128-cbc/message/encrypt/1024"},
        /* A record is no longer than 16 KiB, unless records are asked for. */
        {{"aes-128-ccm", "--sizes", "16k,32k", "--direction", "decrypt"},
         "aes-128-ccm/record/decrypt/16384 aes-128-ccm/message/decrypt/32768"},
        {{"aes-128-ccm", "--sizes", "32k", "--direction", "decrypt", "--shape", "record"},
         "[aes-128-ccm/record/decrypt/32768]"},
        {{"aes-128-gcm", "--sizes", "1", "--direction", "encrypt", "--shapes", "stream,oneshot"},
         "aes-128-gcm/stream/encrypt/1 aes-128-gcm/oneshot/encrypt/1"},
        {{"aes-128-ccm", "--shapes", "stream"}, "[aes-128-ccm/record/encrypt]"},
        /* One skip for both directions. */
        {{"aes-128-xts", "--sizes", "8,16"},
         "[aes-128-xts/message/encrypt/8] aes-128-xts/message/encrypt/16 "
         "aes-128-xts/message/decrypt/16"},
        {{"aes-128-cbc", "--sizes", "31", "--shapes", "stream"}, "[aes-128-cbc/stream/encrypt/31]"},
        {{"sha256", "sha256", "SHA2-256", "--sizes", "64,64"}, "sha256/message/digest/64"},
        {{"rc4"}, "[rc4/message/encrypt]"},
        /* Names that OpenSSL has for them, in any case; also of what is not loaded. */
        {{"id-aes128-gcm", "AES128", "--sizes", "1", "--direction", "encrypt"},
         "aes-128-gcm/record/encrypt/1 aes-128-cbc/message/encrypt/1"},
        {{"id-aes256-CCM", "2.16.840.1.101.3.4.1.6", "--sizes", "1", "--direction", "encrypt"},
         "aes-256-ccm/record/encrypt/1 aes-128-gcm/record/encrypt/1"},
        {{"des-ede3", "des3", "--sizes", "8", "--direction", "decrypt"},
         "3des-ecb/message/decrypt/8 3des-cbc/message/decrypt/8"},
        {{"bf", "seed", "cast-cbc"},
         "[blowfish-cbc/message/encrypt] [seed-cbc/message/encrypt] [cast5-cbc/message/encrypt]"},
        {{"sha-256", "SHA2-512", "sha-512/256", "SHA-1", "--sizes", "1"},
         "sha256/message/digest/1 sha512/message/digest/1 sha512-256/message/digest/1 "
         "sha1/message/digest/1"},
        {{"BLAKE2B-512", "RSA-SHA384", "--sizes", "1"},
         "blake2b512/message/digest/1 sha384/message/digest/1"},
        {{"prime256v1", "P-256", "secp256r1"},
         "p-256/oneshot/keygen p-256/oneshot/derive p-256/oneshot/exchange"},
        {{"SECP384R1"}, "p-384/oneshot/keygen p-384/oneshot/derive p-384/oneshot/exchange"},
        {{"ECDSA-prime256v1", "ecdsa-P-256", "ecdsa-secp256r1"},
         "ecdsa-p256/message/sign ecdsa-p256/message/verify"},
        {{"ecdsa-secp521r1"}, "ecdsa-p521/message/sign ecdsa-p521/message/verify"},
        {{"1.3.101.112"}, "ed25519/message/sign ed25519/message/verify"},
        {{"rsa:3072"},
         "rsa-3072/message/sign rsa-3072/message/verify rsa-pss-3072/message/sign "
         "rsa-pss-3072/message/verify"},
        {{"rsa-pss:1024"}, "rsa-pss-1024/message/sign rsa-pss-1024/message/verify"},
        {{"rsa-1024"}, "rsa-1024/message/sign rsa-1024/message/verify"},
        {{"rsa-kex-2048"}, "rsa-kex-2048/message/encrypt rsa-kex-2048/message/decrypt"},
        /* The direction is of ciphers. */
        {{"rsa-kex-2048", "--direction", "encrypt"},
         "rsa-kex-2048/message/encrypt rsa-kex-2048/message/decrypt"},
        {{"rsa:16384"}, "[rsa-16384/message/sign] [rsa-pss-16384/message/sign]"},
        {{"rsa:512"}, "rsa-512/message/sign rsa-512/message/verify [rsa-pss-512/message/sign]"},
        {{"rsa-pss:521", "rsa-pss:522"},
         "[rsa-pss-521/message/sign] rsa-pss-522/message/sign rsa-pss-522/message/verify"},
        {{"rsa:511"}, "[rsa-511/message/sign] [rsa-pss-511/message/sign]"},
        {{"rsa-123456789"}, "[rsa-123456789/message/sign]"},
        {{"rsaEncryption:1024"},
         "rsa-1024/message/sign rsa-1024/message/verify rsa-pss-1024/message/sign "
         "rsa-pss-1024/message/verify"},
        {{"rsassaPss:1024"}, "rsa-pss-1024/message/sign rsa-pss-1024/message/verify"},
        {{"CMAC", "--sizes", "1"}, "cmac-aes-128/message/mac/1 cmac-aes-256/message/mac/1"},
        {{"hmac-sha1", "HMAC", "--sizes", "1"},
         "hmac-sha1/message/mac/1 hmac-md5/message/mac/1 hmac-sha256/message/mac/1 "
         "hmac-sha384/message/mac/1 hmac-sha512/message/mac/1"},
        {{"x25519"}, "x25519/oneshot/keygen x25519/oneshot/derive x25519/oneshot/exchange"},
        /* Shapes do not fit what has one only: it is measured as it is. */
        {{"ed25519", "--shapes", "record"}, "ed25519/message/sign ed25519/message/verify"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct evp_options options;
        struct evp_plan plan;
        struct text_buffer text = {0};
        struct error err = {""};
        assert_true(parse(rows[i].words, &options, &err));
        if (!evp_plan_build(&options, &plan, &err))
            fail_msg("%s: %s", rows[i].words[0], err.text);
        describe(&plan, &text);
        assert_string_equal(text_buffer_text(&text), rows[i].cells);
        text_buffer_cleanup(&text);
        evp_plan_cleanup(&plan);
        evp_options_cleanup(&options);
    }
}

static void test_unknown_names(void **state)
{
    static const struct {
        const char *word, *reason;
    } rows[] = {
        {"aes-128-gmc", "did you mean aes-128-gcm"},
        {"cipher", "did you mean ciphers"},
        {"nosuch", "there are: ciphers, digests"},
        {"rsa:", "a number of bits, as in rsa:3072"},
        {"rsa:20x", "a number of bits, as in rsa:3072"},
        {"rsa-pss:1234567890", "a number of bits, as in rsa:3072"},
        {"aes-gcm", "did you mean aes-128-gcm"},
        {"ccm", "did you mean aes-128-ccm"},
        {"p256", "did you mean p-256"},
        {"prime192v1", "did you mean ecdsa-p192"}, /* a curve that only signs */
        {"dsa-1024", "did you mean dsa-2048"},
        {"dsa:3072", "did you mean dsa-2048"},
        {"-", "there are: ciphers, digests"},
        {"memory-copy", "unknown algorithm"},
        {"dsa", "did you mean dsa-2048"}, /* a type of key whose size is left open */
        {"ec", "unknown algorithm"},
        {"null", "unknown algorithm"},
        {"ecdsa-nosuch", "unknown algorithm"},
        {"", "unknown algorithm"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct evp_options options;
        struct evp_plan plan;
        struct error err = {""};
        assert_true(parse((const char *const[WORDS]){rows[i].word}, &options, &err));
        assert_false(evp_plan_build(&options, &plan, &err));
        if (!strstr(err.text, rows[i].reason))
            fail_msg("%s: %s", rows[i].word, err.text);
        evp_options_cleanup(&options);
    }
}

static void build(const char *const words[WORDS], struct evp_plan *plan)
{
    struct evp_options options;
    struct error err = {""};

    assert_true(parse(words, &options, &err));
    assert_true(evp_plan_build(&options, plan, &err));
    evp_options_cleanup(&options);
}

/* The default table is as large as the issue wants it, and every skip has its reason. */
static void test_default_table(void **state)
{
    struct evp_plan plan, all;
    size_t families[FAMILY_COUNT] = {0};

    (void)state;
    build((const char *const[WORDS]){NULL}, &plan);
    for (size_t i = 0; i < plan.count; i++) {
        const char *reason = plan.cells[i].skipped;
        families[plan.cells[i].what.primitive->class->family] += reason[0] == '\0';
        if (reason[0] && !strstr(reason, "needs OpenSSL 3.") && !strstr(reason, "not in this"))
            fail_msg("%s: %s", plan.cells[i].what.primitive->name, reason);
    }
    assert_true(families[FAMILY_CIPHER] >= 24 * 6 * 2);
    assert_true(families[FAMILY_DIGEST] >= 8 * 6);
    assert_true(families[FAMILY_SIGNATURE] >= 11 * 2);
    assert_true(families[FAMILY_EXCHANGE] >= 8 * 3);
    assert_int_equal(families[FAMILY_YARDSTICK], 0);
    build((const char *const[WORDS]){"all"}, &all);
    assert_true(evp_plan_runnable(&all) > evp_plan_runnable(&plan));
    evp_plan_cleanup(&all);
    evp_plan_cleanup(&plan);
}

static void test_needs_a_newer_library(void **state)
{
    struct evp_plan plan;

    (void)state;
    build((const char *const[WORDS]){"aes-128-gcm-siv", "ml-kem-768"}, &plan);
    if (OpenSSL_version_num() < 0x30200000UL)
        assert_string_equal(plan.cells[0].skipped, "needs OpenSSL 3.2");
    if (OpenSSL_version_num() < 0x30500000UL)
        assert_string_equal(plan.cells[plan.count - 1].skipped, "needs OpenSSL 3.5");
    else
        assert_string_equal(plan.cells[plan.count - 1].skipped, "");
    evp_plan_cleanup(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_option_defaults),       cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_many_columns),          cmocka_unit_test(test_cells),
        cmocka_unit_test(test_unknown_names),         cmocka_unit_test(test_default_table),
        cmocka_unit_test(test_needs_a_newer_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
