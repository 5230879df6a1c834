#include "common/nginx/name.h"

#include "common/base/memory.h"
#include "common/base/text.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* --- regular expressions --- */

#define EXPRESSION_MAX 256
#define BRACES_MAX     2   /* glibc spells repetitions out, those within others too */
#define NAME_MAX_BYTES 255 /* RFC 1035 section 2.3.4 */

/* Short forms behind a backslash, outside and inside of brackets. */
static const struct short_form {
    char letter;
    const char *outside, *inside;
} short_forms[] = {
    {'d', "[0-9]", "0-9"},
    {'w', "[a-zA-Z0-9_]", "a-zA-Z0-9_"},
    {'s', "[[:space:]]", "[:space:]"},
};

/* Behind a backslash; *next is moved over it. False: POSIX has no such thing. */
static bool add_escaped(struct text_buffer *made, const char **next, bool bracket)
{
    char c = *(*next)++;

    for (size_t i = 0; i < sizeof short_forms / sizeof short_forms[0]; i++) {
        if (short_forms[i].letter != c)
            continue;
        text_buffer_add(made, "%s", bracket ? short_forms[i].inside : short_forms[i].outside);
        return true;
    }
    if (c == '\0' || !strchr(".-+*?()[]{}|^$/\\_", c))
        return false;
    /* A backslash means nothing to POSIX inside of brackets. */
    if (bracket && strchr("]^-\\", c))
        return false;
    text_buffer_add(made, bracket || strchr("-/_", c) ? "%c" : "\\%c", c);
    return true;
}

/* Behind "(": names of groups and groups without one are plain groups. False: something else. */
static bool skip_group_kind(const char **next)
{
    const char *at = *next;

    if (at[0] != '?')
        return true;
    at++;
    if (at[0] == ':') {
        *next = at + 1;
        return true;
    }
    at += at[0] == 'P';
    size_t length = at[0] == '<' ? strcspn(at, ">") : 0;
    if (length < 2 || strchr("=!", at[1]) || at[length] != '>')
        return false;
    *next = at + length + 1;
    return true;
}

/* One piece of an expression. False: it cannot be tried. */
static bool add_piece(struct text_buffer *made, const char **next, bool *bracket)
{
    const char *start = *next;
    char c = *(*next)++;

    if (c == '\\')
        return add_escaped(made, next, *bracket);
    text_buffer_add(made, "%c", c);
    if (*bracket) {
        bool first = start[-1] == '[' || (start[-1] == '^' && start[-2] == '[');
        *bracket = c != ']' || first;
        return true;
    }
    if (c == '[')
        *bracket = true;
    else if (c == '(')
        return skip_group_kind(next);
    /* No lazy or possessive repetition, and none of great numbers, which POSIX spells out. */
    else if (strchr("*+?}", c))
        return !strchr("+?*{", **next) || **next == '\0';
    else if (c == '{')
        return strcspn(*next, "}") <= 3;
    return true;
}

/* The expression for regcomp, NULL where it cannot be tried. */
static char *translate(const char *expression)
{
    struct text_buffer made = {0};
    const char *next = expression;
    bool bracket = false, ok = strlen(expression) <= EXPRESSION_MAX && expression[0] != '\0';
    size_t braces = 0;

    for (const char *c = expression; ok && *c != '\0'; c++)
        braces += *c == '{';
    ok &= braces <= BRACES_MAX;

    while (ok && *next != '\0')
        ok = add_piece(&made, &next, &bracket);
    if (ok && made.length > 0)
        return made.text;
    text_buffer_cleanup(&made);
    return NULL;
}

static bool compile(const char *word, regex_t *expression)
{
    char *text = translate(word + 1);
    bool ok = text && regcomp(expression, text, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0;

    free(text);
    return ok;
}

static bool matches_expression(const char *word, const char *name)
{
    regex_t expression;

    if (strlen(name) > NAME_MAX_BYTES || !compile(word, &expression))
        return false;
    bool matches = regexec(&expression, name, 0, NULL, 0) == 0;
    regfree(&expression);
    return matches;
}

bool nginx_name_is_untried(const char *word)
{
    regex_t expression;

    if (word[0] != '~')
        return false;
    if (!compile(word, &expression))
        return true;
    regfree(&expression);
    return false;
}

/* --- names --- */

/* "*.example.org", ".example.org" (that and example.org itself), "www.example.*". */
bool nginx_name_matches(const char *word, const char *name)
{
    size_t word_length = strlen(word), length = strlen(name);

    if (word[0] == '~')
        return matches_expression(word, name);
    if (word[0] == '.' && text_equal_nocase(word + 1, name))
        return true;
    if (word[0] == '*' || word[0] == '.') {
        const char *end = word + (word[0] == '*');
        size_t end_length = strlen(end);
        return length > end_length && text_equal_nocase(name + length - end_length, end);
    }
    if (word_length > 1 && word[word_length - 1] == '*') {
        char *start = memory_format("%.*s", (int)word_length - 1, word);
        bool matches = text_starts_nocase(name, start);
        free(start);
        return matches;
    }
    return text_equal_nocase(word, name);
}
