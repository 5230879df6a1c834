#include "common/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program where the allocation failed. */
static void *checked(void *memory)
{
    if (memory == NULL) {
        fputs("suitemark: out of memory\n", stderr);
        abort();
    }
    return memory;
}

/* Neither asks for nothing: the answer to that may be NULL. */
void *memory_new(size_t count, size_t size)
{
    return checked(count > 0 && size > 0 ? calloc(count, size) : calloc(1, 1));
}

void *memory_grow(void *old, size_t count, size_t size)
{
    return checked(count > 0 && size > 0 ? reallocarray(old, count, size) : realloc(old, 1));
}

char *memory_copy_text(const char *text)
{
    return checked(strdup(text));
}

char *memory_format(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    return checked(length >= 0 ? text : NULL);
}
