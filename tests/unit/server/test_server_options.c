#include "server/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define WORDS_MAX   8

static bool parse(const char *const *words, struct server_options *options, struct error *err)
{
    char *argv[WORDS_MAX + 2] = {(char *)(uintptr_t) "suitemark-server"};
    int argc = 1;
    for (; argc <= WORDS_MAX && words[argc - 1] != NULL; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    return server_options_parse(argc, argv, options, err);
}

static const struct refused_row {
    const char *words[WORDS_MAX];
    const char *reason;
} refused_rows[] = {
    {{"--threads", "0"}, "1 to 256"},
    {{"--threads", "257"}, "1 to 256"},
    {{"--threads", "-1"}, "--threads"},
    {{"--tickets", "17"}, "0 to 16"},
    {{"--security-level", "6"}, "0 to 5"},
    {{"--max-connections", "0"}, "--max-connections"},
    {{"--handshake-timeout", "0"}, "--handshake-timeout"},
    {{"--idle-timeout", "abc"}, "--idle-timeout"},
    {{"--cert", "a.pem"}, "each --cert needs its --key"},
    {{"--key", "a.pem"}, "each --cert needs its --key"},
    {{"--key-pass-file", "a"}, "no --key"},
    {{"--lisen", "a"}, "--listen"},
    {{"4433"}, "takes options only"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(refused_rows); i++) {
        struct server_options options;
        struct error err = {0};
        assert_false(parse(refused_rows[i].words, &options, &err));
        if (strstr(err.text, refused_rows[i].reason) == NULL)
            fail_msg("row %zu: %s", i, err.text);
        server_options_cleanup(&options);
    }
}

static void test_defaults(void **state)
{
    static const char *const nothing[] = {NULL};
    struct server_options options;
    struct error err = {0};
    (void)state;
    assert_true(parse(nothing, &options, &err));
    assert_int_equal(options.listen.count, 1);
    assert_string_equal(options.listen.items[0], "127.0.0.1:4433");
    assert_int_equal(options.handshake_timeout_ns, UINT64_C(10000000000));
    assert_int_equal(options.idle_timeout_ns, UINT64_C(60000000000));
    assert_int_equal(options.tickets, 0);
    assert_int_equal(options.security_level, 0);
    assert_int_equal(options.max_connections, 0);
    server_options_cleanup(&options);
}

static void test_repeated(void **state)
{
    static const char *const words[] = {"--listen", "a:1",       "--listen",
                                        "[::1]:0",  "--certs",   "rsa-2048,ed25519",
                                        "--certs",  "ecdsa-p256"};
    const char *terminated[WORDS_MAX + 1] = {NULL};
    struct server_options options;
    struct error err = {0};
    (void)state;
    memcpy(terminated, words, sizeof words);
    assert_true(parse(terminated, &options, &err));
    assert_int_equal(options.listen.count, 2);
    assert_string_equal(options.listen.items[1], "[::1]:0");
    assert_int_equal(options.certs.count, 3);
    server_options_cleanup(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
