#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/base/text.h"
#include "common/nginx/lexer.h"

#include <string.h>

/* Tokens as one line: words in brackets, "!" for what cannot be read. */
static void read_tokens(const char *text, size_t length, struct text_buffer *tokens)
{
    static struct nginx_lexer lexer;
    struct error err;

    nginx_lexer_init(&lexer, text, length);
    for (;;) {
        switch (nginx_lexer_next(&lexer, &err)) {
        case NGINX_WORD:
            text_buffer_add(tokens, "[%s]%u", lexer.word, lexer.word_line);
            break;
        case NGINX_SEMICOLON:
            text_buffer_add(tokens, ";");
            break;
        case NGINX_OPEN:
            text_buffer_add(tokens, "{");
            break;
        case NGINX_CLOSE:
            text_buffer_add(tokens, "}");
            break;
        case NGINX_END:
            return;
        case NGINX_BAD:
            text_buffer_add(tokens, "!");
            return;
        }
    }
}

static const struct row {
    const char *text, *tokens;
} rows[] = {
    {"", ""},
    {"# nothing\n", ""},
    {"ssl_ciphers A:B;", "[ssl_ciphers]1[A:B]1;"},
    {"a\n b\n;", "[a]1[b]2;"},
    {"a \"b c\" 'd;e';", "[a]1[b c]1[d;e]1;"},
    {"a \"it\\\"s\";", "[a]1[it\"s]1;"},
    {"a b\\ c;", "[a]1[b\\ c]1;"},
    {"a \"x\\ty\" \"\\.\";", "[a]1[x\ty]1[\\.]1;"},
    {"a b#c; # d", "[a]1[b#c]1;"},
    {"a ${b}c $d;", "[a]1[${b}c]1[$d]1;"},
    {"server{listen 1;}", "[server]1{[listen]1[1]1;}"},
    {"a \"two\nlines\" b;", "[a]1[two\nlines]1[b]2;"},
    {"a \"open", "[a]1!"},
    {"a \"b\"c;", "[a]1!"},
    {"a b\\", "[a]1!"},
    {"a \"\";", "[a]1[]1;"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct text_buffer tokens = {0};
        read_tokens(rows[i].text, strlen(rows[i].text), &tokens);
        assert_string_equal(text_buffer_text(&tokens), rows[i].tokens);
        text_buffer_cleanup(&tokens);
    }
}

static void test_nul_byte(void **state)
{
    struct text_buffer tokens = {0};

    (void)state;
    read_tokens("a b\0c;", 6, &tokens);
    assert_string_equal(text_buffer_text(&tokens), "[a]1!");
    text_buffer_cleanup(&tokens);
}

static void test_longest_word(void **state)
{
    struct text_buffer text = {0}, tokens = {0};

    (void)state;
    for (int i = 0; i < NGINX_WORD_MAX; i++)
        text_buffer_add(&text, "x");
    read_tokens(text.text, text.length, &tokens);
    assert_int_equal(tokens.length, NGINX_WORD_MAX + 3);
    text_buffer_cleanup(&tokens);
    text_buffer_add(&text, "x");
    read_tokens(text.text, text.length, &tokens);
    assert_string_equal(text_buffer_text(&tokens), "!");
    text_buffer_cleanup(&tokens);
    text_buffer_cleanup(&text);
}

/* Behind the "{" of a block in Lua: what comes behind its end, NULL where it has none. */
static const struct {
    const char *text, *rest;
} lua_rows[] = {
    {"local t = { a = {} } } rest;", "rest"},
    {"s = \"}\" } rest;", "rest"},
    {"s = '{' } rest;", "rest"},
    {"s = '\\'{' .. \"\\\\\" } rest;", "rest"},
    {"-- it's a {\n } rest;", "rest"},
    {"--[[ { \n } ' ]] } rest;", "rest"},
    {"--[==[ { ]] ]=] ]==] } rest;", "rest"},
    {"--[ {\n } rest;", "rest"},
    {"--[= {\n } rest;", "rest"},
    {"s = [[ { \\]] } rest;", "rest"},
    {"s = [=[ { ]] \" ]=] } rest;", "rest"},
    {"s = [==[ ]=]==] } rest;", "rest"},
    {"t[t[1]] = a - b } rest;", "rest"},
    {"t[{}] = a } rest;", "rest"},
    {"s = \"} rest;", NULL},
    {"s = '\\", NULL},
    {"s = [[ } rest;", NULL},
    {"--[=[ } ]] rest;", NULL},
    {"-- } rest;", NULL},
    {"{ [=", NULL},
    {"", NULL},
};

static void test_skip_block(void **state)
{
    static struct nginx_lexer lexer;
    struct error err;

    (void)state;
    for (size_t i = 0; i < sizeof lua_rows / sizeof lua_rows[0]; i++) {
        const char *rest = lua_rows[i].rest;
        nginx_lexer_init(&lexer, lua_rows[i].text, strlen(lua_rows[i].text));
        if (nginx_lexer_skip_block(&lexer, &err) != (rest ? NGINX_CLOSE : NGINX_BAD))
            fail_msg("row %zu: %s", i, lua_rows[i].text);
        if (!rest)
            continue;
        assert_int_equal(nginx_lexer_next(&lexer, &err), NGINX_WORD);
        assert_string_equal(lexer.word, rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_nul_byte),
        cmocka_unit_test(test_longest_word),
        cmocka_unit_test(test_skip_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
