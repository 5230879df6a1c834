#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/options.h"

#include "common/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 8

/* Parses up to WORDS - 1 words (NULL ends) behind a program's name. */
static bool parse(const char *const words[WORDS], struct run_options *options, struct error *err)
{
    char *argv[WORDS + 1] = {(char *)(uintptr_t) "run"};
    int argc = 1;

    while (argc < WORDS && words[argc - 1]) {
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
        argc++;
    }
    return run_options_parse(argc, argv, options, err);
}

static void test_defaults(void **state)
{
    struct run_options options;
    struct error err = {""};

    (void)state;
    assert_true(parse((const char *const[WORDS]){NULL}, &options, &err));
    assert_false(options.help || options.version || options.dry_run || options.openssl_config);
    assert_false(options.have_target);
    assert_null(options.list);
    assert_int_equal(options.suites.count + options.certs.count + options.groups.count +
                         options.versions.count + options.measures.count +
                         options.directions.count + options.record_sizes.count,
                     0);
    assert_int_equal(options.connections, 0);
    assert_int_equal(options.threads, 0);
    assert_int_equal(options.duration_ns, 0);
    assert_int_equal(options.time_ns, 80 * NS_PER_S);
    assert_int_equal(options.rounds, 6);
    assert_int_equal(options.warmup_ns, 100 * NS_PER_MS);
    assert_int_equal(options.seed, 0);
    assert_int_equal(options.close, CLOSE_SERVER);
    assert_int_equal(options.confirm, 0);
    assert_int_equal(options.tickets, 0);
    assert_int_equal(options.connect_timeout_ns, 5 * NS_PER_S);
    assert_int_equal(options.handshake_timeout_ns, 10 * NS_PER_S);
    assert_string_equal(options.pin, "auto");
    assert_null(options.cert_dir);
    assert_int_equal(options.format, FORMAT_TABLE);
    assert_null(options.output);
    assert_null(options.baseline);
    run_options_cleanup(&options);
}

static void test_values(void **state)
{
    struct run_options options;
    struct error err = {""};

    (void)state;
    assert_true(parse((const char *const[WORDS]){"--suites", "a, b,,c", "there:1", "--suites=d",
                                                 "-c15", "--threads", "8"},
                      &options, &err));
    assert_int_equal(options.suites.count, 4);
    assert_string_equal(options.suites.items[1], "b");
    assert_string_equal(options.suites.items[3], "d");
    assert_true(options.have_target);
    assert_string_equal(options.target.host, "there");
    assert_int_equal(options.connections, 15);
    assert_int_equal(options.threads, 8);
    run_options_cleanup(&options);

    assert_true(parse((const char *const[WORDS]){"--close", "rst", "--confirm=response", "--format",
                                                 "json", "-o", "x.json"},
                      &options, &err));
    assert_int_equal(options.close, CLOSE_RST);
    assert_int_equal(options.confirm, 1);
    assert_int_equal(options.format, FORMAT_JSON);
    assert_string_equal(options.output, "x.json");
    run_options_cleanup(&options);
}

static void test_both(void **state)
{
    struct run_options options;
    struct error err = {""};

    (void)state;
    assert_true(parse((const char *const[WORDS]){"--measure", "both", "--direction", "upload,both"},
                      &options, &err));
    assert_int_equal(options.measures.count, 2);
    assert_string_equal(options.measures.items[0], "handshake");
    assert_string_equal(options.measures.items[1], "bulk");
    assert_int_equal(options.directions.count, 3);
    assert_string_equal(options.directions.items[0], "upload");
    assert_string_equal(options.directions.items[2], "upload");
    run_options_cleanup(&options);
}

/* Each row is one option and value that is taken. */
static const char *const good_rows[][2] = {
    {"--duration", "10ms"},
    {"--duration", "1h"},
    {"--duration", "2"},
    {"--time", "1s"},
    {"--time", "24h"},
    {"--connections", "100000"},
    {"--threads", "256"},
    {"--rounds", "1"},
    {"--rounds", "64"},
    {"--warmup", "0"},
    {"--warmup", "60s"},
    {"--tickets", "16"},
    {"--connect-timeout", "1ms"},
    {"--handshake-timeout", "1h"},
    {"--seed", "18446744073709551615"},
    {"--close", "fin"},
    {"--confirm", "response"},
    {"--pin", "none"},
    {"--pin", "0,2-3"},
    {"--versions", "1.0,TLSv1.3,tls1.2,all"},
    {"--measure", "Bulk,handshake"},
    {"--direction", "upload,download"},
    {"--direction", "both"},
    {"--measure", "Both"},
    {"--record-sizes", "1,512,16k,16384"},
    {"--list", "groups"},
    {"--baseline", "x"},
    {"--cert-dir", "d"},
};

static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_rows / sizeof good_rows[0]; i++) {
        struct run_options options;
        struct error err = {""};

        if (!parse((const char *const[WORDS]){good_rows[i][0], good_rows[i][1]}, &options, &err))
            fail_msg("%s %s: %s", good_rows[i][0], good_rows[i][1], err.text);
        run_options_cleanup(&options);
    }
}

#define LETTERS_32 "abcdefghijklmnopqrstuvwxyzabcdef"
#define LETTERS_256                                                                                \
    LETTERS_32 LETTERS_32 LETTERS_32 LETTERS_32 LETTERS_32 LETTERS_32 LETTERS_32 LETTERS_32

static const char letters[] = LETTERS_256;
static const char long_path[] = "/" LETTERS_256 LETTERS_256 LETTERS_256 LETTERS_256;

static const struct bad {
    const char *words[WORDS];
    const char *says, *says_too;
} bad_rows[] = {
    {{""}, "empty", ""},
    {{":abc"}, "empty host", ""},
    {{"localhost:99999"}, "1 to 65535", ""},
    {{"there", "--sni", ""}, "--sni", "empty"},
    {{"there", "--sni", "a b"}, "--sni", "character 2"},
    {{"there", "--sni", "caf\xc3\xa9"}, "--sni", "character 4"},
    {{"there", "--sni", letters}, "--sni", "longer than 253"},
    {{"there", "--path", "/a b"}, "--path", "character 3"},
    {{"there", "--path", "/a\r\nHost: x"}, "--path", "character 3"},
    {{"there", "--path", "a"}, "--path", "does not begin with /"},
    {{"there", "--path", long_path}, "--path", "longer than 1023"},
    {{"there", "here"}, "one target, not 2", "\"here\""},
    {{"--duration", "0"}, "--duration", "10ms to 1h"},
    {{"--duration", "-5"}, "--duration", "10ms to 1h"},
    {{"--duration", "abc"}, "--duration", "10ms to 1h"},
    {{"--duration", "1e9"}, "--duration", "10ms to 1h"},
    {{"--duration", "9ms"}, "--duration", "10ms to 1h"},
    {{"--duration", "61m"}, "--duration", "10ms to 1h"},
    {{"--duration", ""}, "--duration", "10ms to 1h"},
    {{"--time", "0.5s"}, "--time", "1s to 24h"},
    {{"--time", "25h"}, "--time", "1s to 24h"},
    {{"--connections", "0"}, "--connections", "1 to 100000"},
    {{"--connections", "100001"}, "--connections", "1 to 100000"},
    {{"--connections", "-1"}, "--connections", "1 to 100000"},
    {{"--connections", "1.5"}, "--connections", "1 to 100000"},
    {{"--threads", "0"}, "--threads", "1 to 256"},
    {{"--threads", "257"}, "--threads", "1 to 256"},
    {{"--threads", "8", "--connections", "7"}, "--threads", "--connections is 7"},
    {{"--rounds", "0"}, "--rounds", "1 to 64"},
    {{"--rounds", "65"}, "--rounds", "1 to 64"},
    {{"--warmup", "61s"}, "--warmup", "1m"},
    {{"--tickets", "17"}, "--tickets", "16"},
    {{"there", "--tickets", "2"}, "--tickets", "embedded server"},
    {{"--connect-timeout", "0"}, "--connect-timeout", "1ms to 1h"},
    {{"--handshake-timeout", "2h"}, "--handshake-timeout", "1ms to 1h"},
    {{"--close", "rst", "--confirm", "close"}, "--confirm", "--close rst"},
    {{"--close", "soon"}, "--close", "server, fin or rst"},
    {{"--confirm", "never"}, "--confirm", "auto, response or close"},
    {{"--format", "xml"}, "--format", "table or json"},
    {{"--pin", "some"}, "--pin", "\"some\""},
    {{"--pin", ""}, "--pin", "auto, none"},
    {{"--list", "all"}, "--list", "suites, certs, groups"},
    {{"--versions", "1.4"}, "--versions", "\"1.4\""},
    {{"--versions", "1.2,ssl3"}, "--versions", "\"ssl3\""},
    {{"--measure", "resumed"}, "--measure", "handshake, bulk"},
    {{"--direction", "up"}, "--direction", "download, upload"},
    {{"--record-sizes", "0"}, "--record-sizes", "1 to 16384"},
    {{"--record-sizes", "16385"}, "--record-sizes", "1 to 16384"},
    {{"--record-sizes", "1k,17k"}, "--record-sizes", "\"17k\""},
    {{"--record-sizes", "x"}, "--record-sizes", "x"},
    {{"--measure", "handshake", "--record-sizes", "1k"}, "--record-sizes", "only bulk"},
    {{"--measure", "handshake", "--direction", "upload"}, "--direction", "only bulk"},
    {{"--suites", ","}, "--suites", "empty"},
    {{"--output", ""}, "--output", "empty"},
    {{"--suite-list", "x"}, "--suite-list", ""},
    {{"--conections", "3"}, "--connections", ""},
    {{"--suites"}, "--suites", "value"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
        const struct bad *row = &bad_rows[i];
        struct run_options options;
        struct error err = {""};

        if (parse(row->words, &options, &err))
            fail_msg("%s %s was taken", row->words[0], row->words[1] ? row->words[1] : "");
        if (!strstr(err.text, row->says) || !strstr(err.text, row->says_too))
            fail_msg("\"%s\" does not say \"%s\" and \"%s\"", err.text, row->says, row->says_too);
    }
}

/* --help is answered whatever else stands there. */
static void test_help_first(void **state)
{
    struct run_options options;
    struct error err = {""};

    (void)state;
    assert_true(parse((const char *const[WORDS]){"-h", ":abc"}, &options, &err));
    assert_true(options.help);
    run_options_cleanup(&options);
    assert_true(parse((const char *const[WORDS]){"--version"}, &options, &err));
    assert_true(options.version);
    run_options_cleanup(&options);
}

static void test_every_row_in_help(void **state)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    (void)state;
    assert_non_null(out);
    option_help(out, run_option_rows, run_option_count);
    assert_int_equal(fclose(out), 0);
    for (size_t i = 0; i < run_option_count; i++) {
        const struct option_row *row = &run_option_rows[i];
        char dashed[64];

        assert_non_null(row->help);
        assert_true(strlen(row->help) > 3);
        if (!row->name) {
            assert_non_null(strstr(text, row->help));
            continue;
        }
        snprintf(dashed, sizeof dashed, "--%s", row->name);
        if (!strstr(text, dashed))
            fail_msg("--help lacks %s", dashed);
        assert_int_equal(row->value == NULL, row->type == OPTION_FLAG);
        for (size_t j = 0; j < i; j++) {
            const struct option_row *other = &run_option_rows[j];

            if (other->name && strcmp(other->name, row->name) == 0)
                fail_msg("two rows for %s", dashed);
            assert_true(row->letter == 0 || row->letter != other->letter);
        }
    }
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 100);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_help_first),
        cmocka_unit_test(test_every_row_in_help),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
