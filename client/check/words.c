#include "client/check/words.h"

#include "common/base/memory.h"

#include <string.h>

#define SEPARATORS ":;, "

bool cipher_word_next(const char *string, size_t *offset, struct cipher_word *word)
{
    const char *start = string + *offset;
    size_t skipped = strspn(start, SEPARATORS);

    *word = (struct cipher_word){.joined = skipped == 0 && *offset > 0};
    start += skipped;
    if (*start == '\0')
        return false;
    word->start = (size_t)(start - string);
    if (strchr("!-+", *start))
        word->action = *start++;
    word->command = *start == '@';
    start += word->command;
    start += strcspn(start, SEPARATORS "@!");
    word->length = (size_t)(start - string) - word->start;
    *offset = word->start + word->length;
    return true;
}

char *cipher_word_copy(const char *string, const struct cipher_word *word)
{
    size_t sign = word->action != '\0';

    return memory_format("%.*s", (int)(word->length - sign), string + word->start + sign);
}
