#include "common/base/text.h"

#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ASCII only, whatever the locale: names of suites and options are ASCII. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Bytes of the character that starts here, 0 where none does. The second byte's range keeps out
 * overlong forms, surrogates, and what is beyond U+10FFFF. */
static size_t utf8_length(const unsigned char *c)
{
    size_t length = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
    unsigned least = c[0] == 0xE0 ? 0xA0 : c[0] == 0xF0 ? 0x90 : 0x80;
    unsigned most = c[0] == 0xED ? 0x9F : c[0] == 0xF4 ? 0x8F : 0xBF;

    if (length < 2)
        return length;
    if (c[0] > 0xF4 || c[1] < least || c[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

void text_clean_utf8(char *text)
{
    while (*text != '\0') {
        size_t length = utf8_length((const unsigned char *)text);
        if (length == 0)
            *text = '?';
        text += length ? length : 1;
    }
}

bool text_equal_nocase(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

bool text_starts_nocase(const char *text, const char *start)
{
    while (*start != '\0' && lower(*text) == lower(*start)) {
        text++;
        start++;
    }
    return *start == '\0';
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: the table of distances between all beginnings of the two words, of
 * which three rows are alive: row i (now), i - 1 (above) and i - 2 (for the swap). */
unsigned text_distance(const char *a, const char *b)
{
    size_t columns = strlen(b) + 1;
    unsigned *rows = memory_new(3 * columns, sizeof *rows);
    unsigned *before = rows, *above = rows + columns, *now = rows + 2 * columns;

    for (size_t j = 0; j < columns; j++) {
        now[j] = (unsigned)j;
    }
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        unsigned *spare = before;
        before = above;
        above = now;
        now = spare;
        now[0] = (unsigned)i;
        for (size_t j = 1; j < columns; j++) {
            char from = lower(a[i - 1]), to = lower(b[j - 1]);
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + (from != to));
            if (i > 1 && j > 1 && from == lower(b[j - 2]) && lower(a[i - 2]) == to) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
    }
    unsigned distance = now[columns - 1];
    free(rows);
    return distance;
}

const char *text_nearest(const char *word, const char *(*next)(size_t index, const void *context),
                         const void *context)
{
    const char *nearest = NULL;
    unsigned best = (unsigned)(strlen(word) / 3) + 1; /* what is too far */
    const char *candidate;
    for (size_t i = 0; (candidate = next(i, context)) != NULL; i++) {
        unsigned distance = text_distance(word, candidate);
        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}
