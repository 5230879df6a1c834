#ifndef CLIENT_CHECK_WORDS_H
#define CLIENT_CHECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A cipher string taken apart as OpenSSL does it (ciphers(1)), with the position of each word. */

struct cipher_word {
    size_t start, length; /* bytes of the string, action and command sign included */
    char action;          /* '!', '-', '+', or 0 for a word that selects */
    bool command;         /* "@STRENGTH", "@SECLEVEL=2" */
    bool joined;          /* written right behind the word before: "A!B", "A@SECLEVEL=2" */
};

/* Takes the next word at or behind *offset. False at the end. Any bytes are taken. */
bool cipher_word_next(const char *string, size_t *offset, struct cipher_word *word);

/* The word's text without its action, the caller's. */
char *cipher_word_copy(const char *string, const struct cipher_word *word);

#endif
