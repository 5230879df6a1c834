#include "common/base/text.h"

#include "common/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `length` more bytes and the NUL. */
static void reserve(struct text_buffer *buffer, size_t length)
{
    size_t needed = buffer->length + length + 1;
    if (needed <= buffer->capacity) {
        return;
    }
    size_t capacity = 2 * buffer->capacity;
    if (capacity < needed) {
        capacity = needed < 64 ? 64 : needed;
    }
    buffer->text = memory_grow(buffer->text, capacity, 1);
    buffer->capacity = capacity;
}

void text_buffer_add(struct text_buffer *buffer, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length >= 0) {
        reserve(buffer, (size_t)length);
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
}

void text_buffer_add_bytes(struct text_buffer *buffer, const void *bytes, size_t length)
{
    reserve(buffer, length);
    if (length > 0) {
        memcpy(buffer->text + buffer->length, bytes, length);
    }
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
}

const char *text_buffer_text(const struct text_buffer *buffer)
{
    return buffer->text != NULL ? buffer->text : "";
}

void text_buffer_cleanup(struct text_buffer *buffer)
{
    free(buffer->text);
    *buffer = (struct text_buffer){0};
}
