#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/check/ciphers.h"
#include "client/check/words.h"
#include "common/base/text.h"
#include "common/tls/library.h"

#include <string.h>

/* Words as "start+length", "!" and the like in front, "@" behind for commands. */
static const struct word_row {
    const char *string, *words;
} word_rows[] = {
    {"", ""},
    {":, ;", ""},
    {"A:B", "0+1 2+1 "},
    {"A, B C;D", "0+1 3+1 5+1 7+1 "},
    {"!A:-B:+C", "!0+2 -3+2 +6+2 "},
    {"DEFAULT@SECLEVEL=9", "0+7 7+11@ "},
    {"@STRENGTH", "0+9@ "},
    {"AES128-SHA@FOO:B", "0+10 10+4@ 15+1 "},
    {"[A|B]:C", "0+5 6+1 "},
    {"!", "!0+1 "},
    {"A@", "0+1 1+1@ "},
    {"A!B:C", "0+1 !1+2 4+1 "},
    {"A!!B", "0+1 !1+1 !2+2 "},
    {"A@B!C", "0+1 1+2@ !3+2 "},
    {"A-B+C", "0+5 "},
    {"A\tB", "0+3 "},
};

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof word_rows / sizeof word_rows[0]; i++) {
        struct text_buffer text = {0};
        struct cipher_word word;
        size_t offset = 0;
        while (cipher_word_next(word_rows[i].string, &offset, &word))
            text_buffer_add(&text, "%.*s%zu+%zu%s ", word.action ? 1 : 0, &word.action, word.start,
                            word.length, word.command ? "@" : "");
        assert_string_equal(text_buffer_text(&text), word_rows[i].words);
        text_buffer_cleanup(&text);
    }
}

/* What is said: "kind@position" of every finding, in order; and the shorter string. */
static const struct string_row {
    const char *string;
    bool refused;
    int level;
    const char *findings, *simpler;
} string_rows[] = {
    {"ECDHE-RSA-AES128-GCM-SHA256", false, 2, "", NULL},
    {"ECDHE-RSA-AES128-GCM-SHA265:AES128-SHA", false, 2, "unknown word@character 1|", "AES128-SHA"},
    {"TLS_AES_128_GCM_SHA256", true, 2, "TLS 1.3 name@character 1|selects nothing@character 1|",
     NULL},
    {"AES128-SHA:TLS_AES_128_GCM_SHA256", false, 2, "TLS 1.3 name@character 12|", "AES128-SHA"},
    {"AES128-SHA@SECLEVEL=0", false, 0, "", NULL},
    {"@SECLEVEL=2", true, 2, "selects nothing@character 1|", NULL},
    {":", true, 2, "selects nothing@character 1|", NULL},
    {"DEFAULT@SECLEVEL=9", true, 2, "invalid command@character 8|", NULL},
    {"AES128-SHA@FOO", true, 2, "invalid command@character 11|", NULL},
    {"AES128-SHA:[A|B]", true, 2, "BoringSSL group@character 12|", NULL},
    {"AES128-SHA:AES256-SHA:AES128-SHA", false, 2, "idle word@character 23|",
     "AES128-SHA:AES256-SHA"},
    {"AES128-SHA:!RC4:-AES256:+AES128", false, 2,
     "idle word@character 12|idle word@character 17|idle word@character 25|", "AES128-SHA"},
    {"AES128-SHA:DEFAULT", false, 2, "misplaced DEFAULT@character 12|", "AES128-SHA"},
    {"AES128-SHA:RC4", false, 2, "selects nothing here@character 12|", "AES128-SHA"},
    {"AES128-SHA:RC4-SHA", false, 2, "not in this library@character 12|", "AES128-SHA"},
    {"ECDHE+AESGMC:AES128-SHA", false, 2, "unknown word@character 1|", "AES128-SHA"},
    {"AES128-SHA:!NOSUCH", false, 2, "unknown word@character 12|", "AES128-SHA"},
    /* What is written right behind a word: tried with OpenSSL 3.0. */
    {"kRSA+AESGCM!AES256", false, 2, "", NULL},
    {"AES128-SHA!AES128-SHA:AES256-SHA", false, 2, "idle word@character 1|idle word@character 11|",
     "AES256-SHA"},
    {"NOSUCH!AES128-SHA:AES128-SHA", false, 2, "unknown word@character 1|dropped word@character 7|",
     "AES128-SHA"},
    {"NOSUCH@SECLEVEL=0:AES128-SHA", false, 2, "unknown word@character 1|dropped word@character 7|",
     "AES128-SHA"},
    {"NOSUCH!AES256!AES128@SECLEVEL=0:AES128-SHA", false, 2,
     "unknown word@character 1|dropped word@character 7|dropped word@character 14|"
     "dropped word@character 21|",
     "AES128-SHA"},
    {"AES128-SHA@SECLEVEL=1!AES128-SHA", false, 1, "dropped word@character 22|",
     "AES128-SHA:@SECLEVEL=1"},
    {"!AES256@SECLEVEL=1:AES128-SHA:AES256-SHA", false, 1,
     "idle word@character 1|idle word@character 31|", "@SECLEVEL=1:AES128-SHA"},
    {"AES128-SHA!", true, 2, "invalid command@character 11|", NULL},
    {"AES128-SHA!!AES256", true, 2, "invalid command@character 11|", NULL},
    {"AES128-SHA\tAES256-SHA", true, 2, "invalid command@character 1|", NULL},
    {"NOSUCH|AES256-SHA:AES128-SHA", false, 2, "unknown word@character 1|", "AES128-SHA"},
    {"DEFAULTAES128-SHA", false, 2, "misplaced DEFAULT@character 1|", NULL},
    {" DEFAULT", true, 2, "misplaced DEFAULT@character 2|selects nothing@character 1|", NULL},
    {"DEFAULT!kRSA@SECLEVEL=1", false, 1, "", NULL},
};

static void read_findings(const struct finding_list *findings, struct text_buffer *text)
{
    for (size_t i = 0; i < findings->count; i++)
        text_buffer_add(text, "%s@%s|", findings->items[i].kind, findings->items[i].place);
}

static void test_strings(void **state)
{
    const struct cipher_place place = {"", false};

    (void)state;
    for (size_t i = 0; i < sizeof string_rows / sizeof string_rows[0]; i++) {
        const struct string_row *row = &string_rows[i];
        static struct cipher_list list;
        struct finding_list findings = {.count = 0};
        struct text_buffer text = {0};
        ciphers_read(row->string, &place, 2, &list, &findings);
        read_findings(&findings, &text);
        assert_string_equal(text_buffer_text(&text), row->findings);
        assert_int_equal(list.refused, row->refused);
        assert_int_equal(list.count == 0, row->refused);
        assert_int_equal(list.level, row->level);
        assert_string_equal(list.simpler ? list.simpler : "none",
                            row->simpler ? row->simpler : "none");
        text_buffer_cleanup(&text);
        finding_cleanup(&findings);
        cipher_list_cleanup(&list);
    }
}

/* Nothing is cut: a word of 3000 letters is told whole, and many words are all looked at. */
static void test_long(void **state)
{
    const struct cipher_place place = {"", true};
    static struct cipher_list list;
    struct finding_list findings = {.count = 0};
    struct text_buffer text = {0};

    (void)state;
    for (size_t i = 0; i < 3000; i++)
        text_buffer_add(&text, "%c", (char)('A' + i % 26));
    size_t length = text.length;
    text_buffer_add(&text, ":AES128-SHA:AES256-SHAX");
    ciphers_read(text.text, &place, 2, &list, &findings);
    assert_int_equal(list.count, 1);
    assert_int_equal(strlen(findings.items[0].word), length);
    assert_string_equal(findings.items[1].word, "AES256-SHAX");
    cipher_list_cleanup(&list);
    finding_cleanup(&findings);
    text_buffer_cleanup(&text);
    /* A sum of keywords may be as long. */
    text_buffer_add(&text, "AES");
    for (size_t i = 0; i < 100; i++)
        text_buffer_add(&text, "+AES");
    ciphers_read(text.text, &place, 2, &list, &findings);
    assert_true(list.count > 40);
    assert_int_equal(findings.count, 0);
    cipher_list_cleanup(&list);
    text_buffer_cleanup(&text);
    for (size_t i = 0; i < 600; i++)
        text_buffer_add(&text, "AES128-SHA:");
    ciphers_read(text.text, &place, 2, &list, &findings);
    assert_string_equal(findings.items[0].kind, "long string");
    cipher_list_cleanup(&list);
    finding_cleanup(&findings);
    text_buffer_cleanup(&text);
}

static void test_positions(void **state)
{
    const struct cipher_place place = {"nginx.conf:3", true};
    static struct cipher_list list;
    struct finding_list findings = {.count = 0};
    char where[CIPHER_PLACE_TEXT];

    (void)state;
    ciphers_read("AES128-SHA:ECDHE+AESGCM", &place, 2, &list, &findings);
    assert_int_equal(list.count, 5);
    assert_int_equal(list.items[0].position, 1);
    assert_int_equal(list.items[0].bits, 128);
    for (size_t i = 1; i < list.count; i++)
        assert_int_equal(list.items[i].position, 12);
    cipher_place_text(&place, 12, where);
    assert_string_equal(where, "nginx.conf:3, character 12");
    cipher_list_cleanup(&list);
    finding_cleanup(&findings);
}

static const struct list_row {
    const char *string;
    bool refused;
    size_t count;
    const char *findings;
} list_rows[] = {
    {NULL, false, 3, ""},
    {"", false, 0, ""},
    {"TLS_AES_128_CCM_SHA256:TLS_AES_256_GCM_SHA384", false, 2, ""},
    {"TLS_AES_128_GCM_SHA265:TLS_AES_256_GCM_SHA384", false, 1, "unknown word@character 1|"},
    {" TLS_AES_128_GCM_SHA256 :\tTLS_AES_256_GCM_SHA384 ", false, 2, ""},
    {"TLS_AES_128_GCM_SHA256:TLS_AES_128_GCM_SHA256", false, 1, "idle word@character 24|"},
    {"TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384:TLS_AES_128_CCM_SHA256", false, 1,
     "separator@character 1|"},
    {"TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384", true, 0,
     "separator@character 1|selects nothing@character 1|"},
};

static void test_lists_13(void **state)
{
    const struct cipher_place place = {"", false};

    (void)state;
    for (size_t i = 0; i < sizeof list_rows / sizeof list_rows[0]; i++) {
        static struct cipher_list list;
        struct finding_list findings = {.count = 0};
        struct text_buffer text = {0};
        ciphers_read_13(list_rows[i].string, &place, &list, &findings);
        read_findings(&findings, &text);
        assert_string_equal(text_buffer_text(&text), list_rows[i].findings);
        assert_int_equal(list.refused, list_rows[i].refused);
        assert_int_equal(list.count, list_rows[i].count);
        text_buffer_cleanup(&text);
        finding_cleanup(&findings);
        cipher_list_cleanup(&list);
    }
}

static void test_findings(void **state)
{
    struct finding_list findings = {.count = 0};

    (void)state;
    finding_add(&findings, FINDING_NOTE, "a", NULL, NULL, NULL, "text %d", 1);
    finding_add(&findings, FINDING_NOTE, "a", NULL, NULL, NULL, "text %d", 1);
    finding_add(&findings, FINDING_ERROR, "a", "w", "p", "r", "text %d", 1);
    findings.subject = "other";
    finding_add(&findings, FINDING_NOTE, "a", NULL, NULL, NULL, "text %d", 1);
    finding_add(&findings, FINDING_ERROR, "a", "w", "p", "r", "text %d", 1);
    assert_int_equal(findings.count, 3);
    assert_int_equal(finding_count(&findings, FINDING_NOTE), 3);
    assert_int_equal(finding_count(&findings, FINDING_WARNING), 1);
    assert_int_equal(finding_count(&findings, FINDING_ERROR), 1);
    json_t *json = finding_json(&findings);
    assert_int_equal(json_array_size(json), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(json, 1), "level")),
                        "error");
    json_decref(json);
    finding_cleanup(&findings);
}

static int set_up(void **state)
{
    struct error err;

    (void)state;
    return library_init(false, &err) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),    cmocka_unit_test(test_strings),
        cmocka_unit_test(test_long),     cmocka_unit_test(test_positions),
        cmocka_unit_test(test_lists_13), cmocka_unit_test(test_findings),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
