#include "common/http/head.h"

#include <string.h>

bool http_text_is(struct http_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.start, word, text.length) == 0;
}

bool http_parse_number(struct http_text text, uint64_t *number)
{
    uint64_t value = 0;
    if (text.length < 1 || text.length > 19) /* 19 digits always fit 64 bits */
        return false;
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] < '0' || text.start[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(text.start[i] - '0');
    }
    *number = value;
    return true;
}

bool http_query_value(struct http_text query, const char *name, struct http_text *value)
{
    const size_t name_length = strlen(name);
    const char *at = query.start, *end = query.start + query.length;
    while (at < end) {
        const char *stop = memchr(at, '&', (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if ((size_t)(stop - at) > name_length && at[name_length] == '=' &&
            memcmp(at, name, name_length) == 0) {
            at += name_length + 1;
            *value = (struct http_text){at, (size_t)(stop - at)};
            return true;
        }
        at = stop < end ? stop + 1 : end;
    }
    return false;
}
