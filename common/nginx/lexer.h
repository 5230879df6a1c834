#ifndef COMMON_NGINX_LEXER_H
#define COMMON_NGINX_LEXER_H

#include "common/base/error.h"

#include <stddef.h>

/* The words of nginx's configuration language: blanks separate, quotes of both kinds group, a
 * backslash takes the next character, "#" at the start of a word comments the line out, "${name}"
 * is part of a word. Variables stay as they are written. */

#define NGINX_WORD_MAX 4095 /* bytes; nginx itself refuses longer ones ("too long parameter") */

enum nginx_token {
    NGINX_WORD,
    NGINX_SEMICOLON,
    NGINX_OPEN,
    NGINX_CLOSE,
    NGINX_END,
    NGINX_BAD, /* the reason is in the error; nothing more can be read */
};

struct nginx_lexer {
    const char *next, *end;
    unsigned line;      /* of `next`, from 1 */
    unsigned word_line; /* where the last token began */
    char word[NGINX_WORD_MAX + 1];
};

void nginx_lexer_init(struct nginx_lexer *lexer, const char *text, size_t length);
/* Reads one token; a word's text is in lexer->word, with quotes and escapes resolved. */
enum nginx_token nginx_lexer_next(struct nginx_lexer *lexer, struct error *err);
/* Behind a "{": passes over a block of another language (Lua) to its closing brace. */
enum nginx_token nginx_lexer_skip_block(struct nginx_lexer *lexer, struct error *err);

#endif
