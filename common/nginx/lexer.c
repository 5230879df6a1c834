#include "common/nginx/lexer.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void nginx_lexer_init(struct nginx_lexer *lexer, const char *text, size_t length)
{
    lexer->next = text;
    lexer->end = text + length;
    lexer->line = lexer->word_line = 1;
    lexer->word[0] = '\0';
}

static bool lexer_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next character, or NUL at the end; counts lines. A NUL in the text is refused by its caller
 * like any other character that cannot be. */
static char lexer_take(struct nginx_lexer *lexer)
{
    if (lexer->next == lexer->end)
        return '\0';
    char c = *lexer->next++;
    if (c == '\n')
        lexer->line++;
    return c;
}

static char lexer_peek(const struct nginx_lexer *lexer)
{
    return lexer->next < lexer->end ? *lexer->next : '\0';
}

static void lexer_skip_blanks(struct nginx_lexer *lexer)
{
    while (lexer->next < lexer->end) {
        if (*lexer->next == '#') {
            while (lexer->next < lexer->end && *lexer->next != '\n')
                lexer->next++;
        } else if (lexer_is_blank(*lexer->next)) {
            (void)lexer_take(lexer);
        } else {
            return;
        }
    }
}

/* nginx resolves these and leaves any other backslash where it is. */
static size_t lexer_escape(char c, char out[2])
{
    static const char from[] = "\"'\\tnr", to[] = "\"'\\\t\n\r";
    const char *at = c != '\0' ? strchr(from, c) : NULL;

    if (at) {
        out[0] = to[at - from];
        return 1;
    }
    out[0] = '\\';
    out[1] = c;
    return 2;
}

static bool lexer_put(struct nginx_lexer *lexer, size_t *length, const char *bytes, size_t count,
                      struct error *err)
{
    if (*length + count > NGINX_WORD_MAX)
        return error_set(err, "a word of more than %d bytes; is a quote or a \";\" missing?",
                         NGINX_WORD_MAX);
    memcpy(lexer->word + *length, bytes, count);
    *length += count;
    lexer->word[*length] = '\0';
    return true;
}

/* One character of a word, escaped or not. */
static bool lexer_put_next(struct nginx_lexer *lexer, size_t *length, struct error *err)
{
    char out[2];
    char c = lexer_take(lexer);

    if (c == '\0')
        return error_set(err, "a NUL byte");
    if (c != '\\')
        return lexer_put(lexer, length, &c, 1, err);
    if (lexer->next == lexer->end || *lexer->next == '\0')
        return error_set(err, "a backslash at the end");
    return lexer_put(lexer, length, out, lexer_escape(lexer_take(lexer), out), err);
}

static enum nginx_token lexer_quoted(struct nginx_lexer *lexer, struct error *err)
{
    char quote = lexer_take(lexer);
    size_t length = 0;

    while (lexer->next < lexer->end && *lexer->next != quote)
        if (!lexer_put_next(lexer, &length, err))
            return NGINX_BAD;
    if (lexer->next == lexer->end) {
        error_set(err, "the quote that opens in line %u is never closed", lexer->word_line);
        return NGINX_BAD;
    }
    (void)lexer_take(lexer);
    char after = lexer_peek(lexer);
    if (lexer->next < lexer->end && !lexer_is_blank(after) && (!after || !strchr(";{)", after))) {
        error_set(err, "unexpected \"%c\" right behind a closing quote", after ? after : '?');
        return NGINX_BAD;
    }
    return NGINX_WORD;
}

static enum nginx_token lexer_bare(struct nginx_lexer *lexer, struct error *err)
{
    size_t length = 0;
    char before = '\0';

    while (lexer->next < lexer->end) {
        char c = *lexer->next;
        bool variable = c == '{' && before == '$';
        if (lexer_is_blank(c) || c == ';' || (c == '{' && !variable))
            break;
        if (!lexer_put_next(lexer, &length, err))
            return NGINX_BAD;
        before = c;
    }
    return NGINX_WORD;
}

enum nginx_token nginx_lexer_next(struct nginx_lexer *lexer, struct error *err)
{
    lexer_skip_blanks(lexer);
    lexer->word_line = lexer->line;
    lexer->word[0] = '\0';
    if (lexer->next == lexer->end)
        return NGINX_END;
    switch (*lexer->next) {
    case ';':
        lexer->next++;
        return NGINX_SEMICOLON;
    case '{':
        lexer->next++;
        return NGINX_OPEN;
    case '}':
        lexer->next++;
        return NGINX_CLOSE;
    case '"':
    case '\'':
        return lexer_quoted(lexer, err);
    default:
        return lexer_bare(lexer, err);
    }
}

/* --- Lua --- */

static void lexer_skip_string(struct nginx_lexer *lexer, char quote)
{
    while (lexer->next < lexer->end) {
        char c = lexer_take(lexer);
        if (c == quote)
            return;
        if (c == '\\')
            (void)lexer_take(lexer);
    }
}

/* How many "=" stand next when `bracket` is behind them; -1: it is not. */
static ptrdiff_t lexer_long_level(const struct nginx_lexer *lexer, char bracket)
{
    const char *at = lexer->next;

    while (at < lexer->end && *at == '=')
        at++;
    return at < lexer->end && *at == bracket ? at - lexer->next : -1;
}

/* Behind a "[": a long string, "[[ … ]]" or "[==[ … ]==]". False: it is none. */
static bool lexer_skip_long(struct nginx_lexer *lexer)
{
    ptrdiff_t level = lexer_long_level(lexer, '[');

    if (level < 0)
        return false;
    lexer->next += level + 1;
    while (lexer->next < lexer->end)
        if (lexer_take(lexer) == ']' && lexer_long_level(lexer, ']') == level) {
            lexer->next += level + 1;
            break;
        }
    return true;
}

/* Behind "--": to the end of the line, or of a long string. */
static void lexer_skip_comment(struct nginx_lexer *lexer)
{
    if (lexer_peek(lexer) == '[') {
        lexer->next++;
        if (lexer_skip_long(lexer))
            return;
    }
    while (lexer->next < lexer->end && *lexer->next != '\n')
        lexer->next++;
}

/* Strings and comments, in which braces mean nothing. */
static void lexer_skip_lua(struct nginx_lexer *lexer, char c)
{
    if (c == '"' || c == '\'') {
        lexer_skip_string(lexer, c);
    } else if (c == '[') {
        (void)lexer_skip_long(lexer);
    } else if (c == '-' && lexer_peek(lexer) == '-') {
        lexer->next++;
        lexer_skip_comment(lexer);
    }
}

enum nginx_token nginx_lexer_skip_block(struct nginx_lexer *lexer, struct error *err)
{
    unsigned depth = 1, start = lexer->line;

    while (lexer->next < lexer->end) {
        char c = lexer_take(lexer);
        depth += c == '{';
        depth -= c == '}';
        if (depth == 0)
            return NGINX_CLOSE;
        lexer_skip_lua(lexer, c);
    }
    error_set(err, "the block that opens in line %u is never closed", start);
    return NGINX_BAD;
}
