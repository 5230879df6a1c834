#ifndef COMMON_BASE_TEXT_H
#define COMMON_BASE_TEXT_H

#include "common/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A growing list of owned strings. Zeroed is valid and empty. Running out of memory ends the
 * program (see memory.h). */
struct text_list {
    char **items;
    size_t count;
};

void text_list_add(struct text_list *list, const char *item);
/* Adds the parts of `text` between separators, each trimmed of blanks; empty parts are left out. */
void text_list_add_split(struct text_list *list, const char *text, const char *separators);
bool text_list_has(const struct text_list *list, const char *item); /* any case */
void text_list_cleanup(struct text_list *list);

/* A growing string. Zeroed is valid; `text` is NULL until something is added, else NUL-terminated.
 */
struct text_buffer {
    char *text;
    size_t length, capacity;
};

void text_buffer_add(struct text_buffer *buffer, const char *format, ...) PRINTF_LIKE(2, 3);
void text_buffer_add_bytes(struct text_buffer *buffer, const void *bytes, size_t length);
/* The string so far ("" where nothing was added); stays owned by the buffer. */
const char *text_buffer_text(const struct text_buffer *buffer);
void text_buffer_cleanup(struct text_buffer *buffer);

/* Replaces every byte that is no part of a UTF-8 character (RFC 3629) by '?', which JSON takes. */
void text_clean_utf8(char *text);

bool text_equal_nocase(const char *a, const char *b);
bool text_starts_nocase(const char *text, const char *start);

/* The number of single-character edits (insert, delete, replace, swap of neighbours) between two
 * words, any case. */
unsigned text_distance(const char *a, const char *b);

/* The nearest of the candidates that `next` gives one after the other (NULL ends), or NULL when the
 * best needs more than a third of the word's letters changed. `next` is called with 0, 1, 2, … and
 * `context`. */
const char *text_nearest(const char *word, const char *(*next)(size_t index, const void *context),
                         const void *context);

#endif
