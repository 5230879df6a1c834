#include "client/check/nginx_forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS      "0123456789"
#define CACHE_LEAST (8 * 4096) /* bytes: eight pages */
#define SIZE_DIGITS 12

/* Decimal digits and nothing else up to the end. */
static bool is_digits(const char *text, size_t length)
{
    return length > 0 && length < 19 && strspn(text, DIGITS) >= length;
}

bool form_is_number(const char *word)
{
    return is_digits(word, strlen(word));
}

bool form_is_positive(const char *word)
{
    return form_is_number(word) && strspn(word, "0") < strlen(word);
}

bool form_is_switch(const char *word)
{
    return strcmp(word, "on") == 0 || strcmp(word, "off") == 0;
}

/* --- sizes --- */

static bool read_size(const char *word, unsigned long long *bytes)
{
    size_t length = strlen(word);
    unsigned shift = 0;

    if (length > 0 && strchr("kK", word[length - 1]))
        shift = 10;
    else if (length > 0 && strchr("mM", word[length - 1]))
        shift = 20;
    length -= shift > 0;
    if (!is_digits(word, length) || length > SIZE_DIGITS)
        return false;
    *bytes = strtoull(word, NULL, 10) << shift;
    return true;
}

bool form_is_size(const char *word)
{
    unsigned long long bytes;

    return read_size(word, &bytes);
}

unsigned long long form_size(const char *word)
{
    unsigned long long bytes;

    return read_size(word, &bytes) ? bytes : 0;
}

/* --- times --- */

/* A number without a unit is of seconds, or of milliseconds, and comes last; blanks may stand
 * behind a unit. */
static bool is_time(const char *word, bool milliseconds)
{
    static const char units[] = "yMwdhms";
    const char *least = units;
    bool some = false;

    while (*word != '\0') {
        size_t digits = strspn(word, DIGITS);
        some |= digits > 0;
        word += digits;
        if (*word == '\0')
            break;
        if (word[0] == 'm' && word[1] == 's')
            return milliseconds && some && word[2] == '\0';
        const char *unit = strchr(least, *word);
        if (!unit)
            return false;
        least = unit + 1;
        word++;
        word += strspn(word, " ");
    }
    return some;
}

bool form_is_seconds(const char *word)
{
    return is_time(word, false);
}

bool form_is_milliseconds(const char *word)
{
    return is_time(word, true);
}

/* --- caches --- */

/* The size of "shared:NAME:SIZE" in bytes; 0: no such word. */
static unsigned long long zone_size(const char *word)
{
    static const char start[] = "shared:";
    const char *name = word + sizeof start - 1;

    if (strncmp(word, start, sizeof start - 1) != 0)
        return 0;
    size_t length = strcspn(name, ":");
    return length > 0 && name[length] == ':' ? form_size(name + length + 1) : 0;
}

bool form_is_cache(const char *word)
{
    static const char *const words[] = {"off", "none", "builtin"};
    static const char start[] = "builtin:";

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    if (strncmp(word, start, sizeof start - 1) == 0)
        return form_is_number(word + sizeof start - 1);
    return zone_size(word) >= CACHE_LEAST;
}

bool form_is_ocsp_cache(const char *word)
{
    return strcmp(word, "off") == 0 || zone_size(word) >= CACHE_LEAST;
}

/* --- listen --- */

/* Up to three parts, of which each may be empty, but not all of them. */
bool form_is_keepalive(const char *word)
{
    char part[32];
    bool some = false;

    if (form_is_switch(word))
        return true;
    for (int i = 0; i < 3 && *word != '\0'; i++) {
        size_t length = i < 2 ? strcspn(word, ":") : strlen(word);
        if (length >= sizeof part)
            return false;
        (void)snprintf(part, sizeof part, "%.*s", (int)length, word);
        if (length > 0 && !(i < 2 ? form_is_seconds(part) : form_is_number(part)))
            return false;
        some |= length > 0;
        word += length;
        word += *word == ':';
    }
    return some;
}
