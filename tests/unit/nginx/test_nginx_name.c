#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/nginx/name.h"

#include <string.h>

/* Words of server_name, and names: one that they stand for, and one that they do not. */
static const struct row {
    const char *word, *yes, *no;
} rows[] = {
    {"a.org", "A.org", "b.a.org"},
    {"*.a.org", "b.a.org", "a.org"},
    {".a.org", "a.org", "ba.org"},
    {".a.org", "b.a.org", "b.org"},
    {"www.a.*", "www.a.net", "www.b.net"},
    {"", "", "a"},
    {"~^api\\d+\\.a\\.org$", "api12.a.org", "api.a.org"},
    {"~^api\\d+\\.a\\.org$", "API1.A.org", "api1xa.org"},
    {"~^(?<name>.+)\\.a\\.org$", "x.y.a.org", ".a.org"},
    {"~^(?P<n>\\w+)\\.(?:a|b)\\.org$", "x_1.b.org", "x.c.org"},
    {"~^(www\\.)?(.+)\\.org$", "b.org", "b.net"},
    {"~b", "abc", "ac"},
    {"~^[\\d.]+$", "1.2", "1.a"},
    {"~^[^]a]$", "b", "a"},
    {"~^a{2,3}$", "aaa", "a"},
    {"~^[-a-z]+\\-x$", "a-b-x", "a-b"},
};

static void test_matches(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!nginx_name_matches(rows[i].word, rows[i].yes))
            print_message("%s\n", rows[i].word);
        assert_true(nginx_name_matches(rows[i].word, rows[i].yes));
        assert_false(nginx_name_matches(rows[i].word, rows[i].no));
        assert_false(nginx_name_is_untried(rows[i].word));
    }
}

/* What POSIX has not, is no expression, or would cost too much. */
static void test_untried(void **state)
{
    static const char *const words[] = {
        "~",        "~(?=a)b", "~(?!a)b", "~(?i)a",   "~a*?",    "~a++",
        "~\\bx",    "~(a)\\1", "~a\\",    "~(a",      "~[\\]a]", "~(a{99}){99}{99}",
        "~a{1000}", "~(?<a",   "~(?<=a)", "~(?<!a)b", "~\\x41",  "~a{9}{9}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!nginx_name_is_untried(words[i]))
            print_message("%s\n", words[i]);
        assert_true(nginx_name_is_untried(words[i]));
        assert_false(nginx_name_matches(words[i], "a"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches),
        cmocka_unit_test(test_untried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
