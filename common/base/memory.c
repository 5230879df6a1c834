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

/* Bytes to ask for; never none, since the answer to that may be NULL. */
static size_t bytes_of(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        (void)checked(NULL);
    return bytes > 0 ? bytes : 1;
}

void *memory_new(size_t count, size_t size)
{
    return checked(calloc(1, bytes_of(count, size)));
}

void *memory_grow(void *old, size_t count, size_t size)
{
    return checked(realloc(old, bytes_of(count, size)));
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
