#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/target.h"

#include <string.h>

static const struct good {
    const char *text, *host;
    uint16_t port;
    const char *path;
    bool url, literal, v6;
} good_rows[] = {
    {"there", "there", 4433, "/", false, false, false},
    {"localhost:1", "localhost", 1, "/", false, false, false},
    {"localhost:65535", "localhost", 65535, "/", false, false, false},
    {"a-b_c.example.", "a-b_c.example.", 4433, "/", false, false, false},
    {"192.0.2.7", "192.0.2.7", 4433, "/", false, true, false},
    {"192.0.2.7:0443", "192.0.2.7", 443, "/", false, true, false},
    {"1password.example:443", "1password.example", 443, "/", false, false, false},
    {"::1", "::1", 4433, "/", false, true, true},
    {"[::1]", "::1", 4433, "/", false, true, true},
    {"[2001:db8::7]:8443", "2001:db8::7", 8443, "/", false, true, true},
    {"fe80::1%eth0", "fe80::1%eth0", 4433, "/", false, true, true},
    {"https://example.org", "example.org", 443, "/", true, false, false},
    {"HTTPS://example.org/", "example.org", 443, "/", true, false, false},
    {"https://example.org:8443/a/b?c=d", "example.org", 8443, "/a/b?c=d", true, false, false},
    {"https://example.org?q=1#top", "example.org", 443, "/?q=1", true, false, false},
    {"https://example.org#top", "example.org", 443, "/", true, false, false},
    {"https://example.org/a:b@c", "example.org", 443, "/a:b@c", true, false, false},
    {"https://[::1]:4433/bytes/1", "::1", 4433, "/bytes/1", true, true, true},
    {"https://192.0.2.7/", "192.0.2.7", 443, "/", true, true, false},
};

static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good_rows / sizeof good_rows[0]; i++) {
        const struct good *row = &good_rows[i];
        struct target target;
        struct error err = {""};

        if (!target_parse(row->text, &target, &err))
            fail_msg("%s: %s", row->text, err.text);
        assert_string_equal(target.host, row->host);
        assert_int_equal(target.port, row->port);
        assert_string_equal(target.path, row->path);
        assert_int_equal(target.url, row->url);
        assert_int_equal(target.literal, row->literal);
        assert_int_equal(target.v6, row->v6);
    }
}

static const struct bad {
    const char *text, *says;
} bad_rows[] = {
    {"", "empty"},
    {":abc", "empty host"},
    {":", "empty host"},
    {":4433", "empty host"},
    {"localhost:99999", "port 99999 is not from 1 to 65535"},
    {"localhost:65536", "65535"},
    {"localhost:0", "65535"},
    {"localhost:", "port \"\""},
    {"localhost:-1", "port \"-1\""},
    {"localhost:+1", "port \"+1\""},
    {"localhost:4433x", "port \"4433x\""},
    {"localhost:18446744073709551617", "65535"},
    {"localhost:https", "port \"https\""},
    {"a:b:c", "not an IPv6 address"},
    {"localhost:1:2", "not an IPv6 address"},
    {"[::1", "no ']'"},
    {"[]", "empty host"},
    {"[::1]4433", "only :PORT"},
    {"[::1]:", "port \"\""},
    {"[localhost]:1", "not an IPv6 address"},
    {"[192.0.2.7]", "not an IPv6 address"},
    {"fe80::1%", "not an IPv6 address"},
    {"192.0.2.300", "not an IPv4 address"},
    {"127.1", "not an IPv4 address"},
    {"4433", "not an IPv4 address"},
    {"a..b", "empty part"},
    {".example", "empty part"},
    {"http://example.org", "\"http\" is not https"},
    {"ftp://example.org/", "\"ftp\" is not https"},
    {"://example.org/", "is not https"},
    {"https://", "empty host"},
    {"https:///path", "empty host"},
    {"https://:443/", "empty host"},
    {"https://user@example.org/", "user names"},
    {"https://user:word@example.org/", "user names"},
    {"user@example.org", "user names"},
    {"example.org/path", "needs https://"},
    {"example.org?x", "needs https://"},
    {"exa mple.org", "position 4"},
    {" example.org", "position 1"},
    {"example.org\n", "position 12"},
    {"example\x01.org", "position 8"},
    {"example\x7f.org", "position 8"},
    {"b\xc3\xbc"
     "cher.example",
     "outside ASCII at position 2"},
    {"https://example.org/a b", "position 22"},
    {"exam*ple.org", "'*'"},
    {"a\"b", "'\"'"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
        const struct bad *row = &bad_rows[i];
        struct target target;
        struct error err = {""};

        if (target_parse(row->text, &target, &err))
            fail_msg("\"%s\" was taken", row->text);
        if (!strstr(err.text, row->says))
            fail_msg("\"%s\": \"%s\" does not say \"%s\"", row->text, err.text, row->says);
        assert_null(strchr(err.text, '\n'));
    }
}

/* A text of `length` letters behind a start; fits the longest that is tried. */
static const char *long_text(char text[2048], const char *start, size_t length)
{
    size_t used = strlen(start);

    memcpy(text, start, used);
    memset(text + used, 'a', length);
    text[used + length] = '\0';
    return text;
}

static void test_lengths(void **state)
{
    static const struct {
        const char *start;
        size_t length;
        bool taken;
    } rows[] = {
        {"", 253, true},
        {"", 254, false},
        {"", 2000, false},
        {"https://", 253, true},
        {"https://", 254, false},
        {"https://", 2000, false},
        {"https://h/", 1022, true},
        {"https://h/", 1023, false},
        {"https://h?", 1021, true},
        {"https://h?", 1022, false},
        {"[::1%", 1000, false},
        {"::", 1000, false},
    };
    char text[2048];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct target target;
        struct error err = {""};
        bool taken = target_parse(long_text(text, rows[i].start, rows[i].length), &target, &err);

        if (taken != rows[i].taken)
            fail_msg("%s + %zu: %s", rows[i].start, rows[i].length, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_lengths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
