#ifndef CLIENT_CHECK_WORDS_H
#define CLIENT_CHECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A cipher string taken apart as OpenSSL does it (ciphers(1)), with the position of each word. */

struct cipher_word {
    size_t start, length; /* bytes of the string, action and command sign included */
    char action;          /* '!', '-', '+', or 0 for a word that selects */
    bool command;         /* "@STRENGTH", "@SECLEVEL=2" */
    char separator;       /* that stands before it; 0 for the first, and for a command that is
                             written right behind a word */
};

/* Takes the next word at or behind *offset. False at the end. Any bytes are taken. */
bool cipher_word_next(const char *string, size_t *offset, struct cipher_word *word);

/* The word's text without its action, cut to `size`. */
const char *cipher_word_text(const char *string, const struct cipher_word *word, char *text,
                             size_t size);

#endif
