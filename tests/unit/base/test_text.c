#include "common/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

static void list_adds_and_finds(void **state)
{
    (void)state;
    struct text_list list = {0};
    assert_false(text_list_has(&list, "x"));
    for (int i = 0; i < 1000; i++) {
        char item[16];
        snprintf(item, sizeof item, "Item%d", i);
        text_list_add(&list, item);
    }
    assert_int_equal(list.count, 1000);
    for (int i = 0; i < 1000; i++) {
        char item[16];
        snprintf(item, sizeof item, "Item%d", i);
        assert_string_equal(list.items[i], item);
    }
    assert_true(text_list_has(&list, "iTEM999"));
    assert_false(text_list_has(&list, "Item1000"));
    assert_false(text_list_has(&list, "Item"));
    text_list_cleanup(&list);
    assert_int_equal(list.count, 0);
    assert_null(list.items);
    text_list_cleanup(&list);
}

static void list_splits(void **state)
{
    static const struct {
        const char *text, *separators, *joined;
    } rows[] = {
        {"a,b,c", ",", "a|b|c|"},
        {" a , b\t,c\n", ",", "a|b|c|"},
        {"", ",", ""},
        {",,", ",", ""},
        {" , ,", ",", ""},
        {"one", ",", "one|"},
        {"a b,c", ",", "a b|c|"},
        {"a:b,c", ",:", "a|b|c|"},
        {"a,,b,", ",", "a|b|"},
        {"x y  z", " ", "x|y|z|"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct text_list list = {0};
        struct text_buffer joined = {0};
        text_list_add_split(&list, rows[i].text, rows[i].separators);
        for (size_t k = 0; k < list.count; k++) {
            text_buffer_add(&joined, "%s|", list.items[k]);
        }
        assert_string_equal(text_buffer_text(&joined), rows[i].joined);
        text_buffer_cleanup(&joined);
        text_list_cleanup(&list);
    }
}

static void buffer_grows(void **state)
{
    (void)state;
    struct text_buffer buffer = {0};
    assert_string_equal(text_buffer_text(&buffer), "");
    for (int i = 0; i < 500; i++) {
        text_buffer_add(&buffer, "%03d,", i);
    }
    assert_int_equal(buffer.length, 2000);
    assert_int_equal(strlen(buffer.text), 2000);
    assert_memory_equal(buffer.text + 1996, "499,", 4);
    text_buffer_add_bytes(&buffer, "\0x", 2);
    assert_int_equal(buffer.length, 2002);
    assert_memory_equal(buffer.text + 2000, "\0x", 3);
    text_buffer_cleanup(&buffer);
    assert_string_equal(text_buffer_text(&buffer), "");
    text_buffer_add_bytes(&buffer, NULL, 0);
    assert_string_equal(buffer.text, "");
    text_buffer_cleanup(&buffer);
}

/* A first text that is longer than the buffer's smallest room. */
static void buffer_takes_long_texts(void **state)
{
    (void)state;
    struct text_buffer buffer = {0};
    text_buffer_add(&buffer, "%5000d", 7);
    assert_int_equal(strlen(buffer.text), 5000);
    assert_int_equal(buffer.text[4999], '7');
    text_buffer_cleanup(&buffer);
}

static void compares_any_case(void **state)
{
    static const struct {
        const char *a, *b;
        bool equal, starts;
    } rows[] = {
        {"", "", true, true},          {"a", "A", true, true},      {"aB9-z", "Ab9-Z", true, true},
        {"abc", "ab", false, true},    {"ab", "abc", false, false}, {"abc", "", false, true},
        {"", "a", false, false},       {"[", "{", false, false},    {"@", "`", false, false},
        {"xabc", "abc", false, false},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        assert_int_equal(text_equal_nocase(rows[i].a, rows[i].b), rows[i].equal);
        assert_int_equal(text_starts_nocase(rows[i].a, rows[i].b), rows[i].starts);
    }
}

static void distances(void **state)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } rows[] = {
        {"", "", 0},       {"abc", "abc", 0},   {"ABC", "abc", 0},       {"", "abc", 3},
        {"abc", "", 3},    {"abc", "abd", 1},   {"abc", "abcd", 1},      {"abc", "bc", 1},
        {"abc", "acb", 1}, {"ab", "ba", 1},     {"aB", "bA", 1},         {"kitten", "sitting", 3},
        {"ca", "abc", 3},  {"abcd", "badc", 2}, {"SHA265", "SHA256", 1}, {"abcdef", "fedcba", 5},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        unsigned there = text_distance(rows[i].a, rows[i].b);
        unsigned back = text_distance(rows[i].b, rows[i].a);
        if (there != rows[i].distance || back != rows[i].distance) {
            fail_msg("%s, %s: %u and %u", rows[i].a, rows[i].b, there, back);
        }
    }
}

static const char *const candidates[] = {
    "duration", "direction", "time", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384",
    NULL,
};

static const char *next_candidate(size_t index, const void *context)
{
    return ((const char *const *)context)[index];
}

static void nearest_candidates(void **state)
{
    static const struct {
        const char *word, *nearest;
    } rows[] = {
        {"duraton", "duration"},
        {"DURATION", "duration"},
        {"directoin", "direction"},
        {"tme", "time"},
        {"tm", NULL}, /* two of its two letters */
        {"", NULL},
        {"xyz", NULL},
        {"tixx", NULL},
        {"ECDHE-RSA-AES128-GCM-SHA265", "ECDHE-RSA-AES128-GCM-SHA256"},
        {"ECDHE-RSA-AES256-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"},
        {"ECDHE-RSA-AES256-GCM-SHA348", "ECDHE-RSA-AES256-GCM-SHA384"},
    };
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *nearest = text_nearest(rows[i].word, next_candidate, candidates);
        if (rows[i].nearest == NULL) {
            assert_null(nearest);
        } else {
            assert_non_null(nearest);
            assert_string_equal(nearest, rows[i].nearest);
        }
    }
    assert_null(text_nearest("word", next_candidate, &candidates[ROWS(candidates) - 1]));
}

static void cleans_utf8(void **state)
{
    static const struct {
        const char *text, *clean;
    } rows[] = {
        {"", ""},
        {"plain \x1b \x7f", "plain \x1b \x7f"},
        {"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x94\x91", "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x94\x91"},
        {"\xE9t\xE9", "?t?"},                /* Latin-1 */
        {"cut \xE2\x82", "cut ??"},          /* ends inside a character */
        {"\xC0\x80 \xE0\x9F\x80", "?? ???"}, /* overlong */
        {"\xED\xA0\x80", "???"},             /* a surrogate */
        {"\xF4\x90\x80\x80 \xF5 \xFF", "???? ? ?"},
    };
    char text[64];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        snprintf(text, sizeof text, "%s", rows[i].text);
        text_clean_utf8(text);
        assert_string_equal(text, rows[i].clean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_adds_and_finds), cmocka_unit_test(list_splits),
        cmocka_unit_test(buffer_grows),        cmocka_unit_test(buffer_takes_long_texts),
        cmocka_unit_test(compares_any_case),   cmocka_unit_test(distances),
        cmocka_unit_test(nearest_candidates),  cmocka_unit_test(cleans_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
