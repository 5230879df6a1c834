#include "common/primitive/buffer.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT  64
#define ROOM       128 /* behind the text: padding, a tag, the MAC of a record */
#define TEXT_BLOCK 1024

unsigned char *buffer_new(size_t size)
{
    size_t rounded = (size + ROOM + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    unsigned char *buffer = aligned_alloc(ALIGNMENT, rounded);

    if (buffer)
        memset(buffer, 0, rounded); /* pages are there before anything is timed */
    return buffer;
}

static void make_block(unsigned char block[static TEXT_BLOCK])
{
    for (size_t i = 0; i < TEXT_BLOCK; i++)
        block[i] = (unsigned char)(i * 167 + (i >> 8) * 29 + 5);
}

void buffer_fill(unsigned char *buffer, size_t size)
{
    unsigned char block[TEXT_BLOCK];

    make_block(block);
    for (size_t done = 0; done < size; done += TEXT_BLOCK)
        memcpy(buffer + done, block, size - done < TEXT_BLOCK ? size - done : TEXT_BLOCK);
}

bool buffer_is_filled(const unsigned char *buffer, size_t size)
{
    unsigned char block[TEXT_BLOCK];

    make_block(block);
    for (size_t done = 0; done < size; done += TEXT_BLOCK)
        if (memcmp(buffer + done, block, size - done < TEXT_BLOCK ? size - done : TEXT_BLOCK) != 0)
            return false;
    return true;
}

static unsigned digit_value(char digit)
{
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)((digit | 0x20) - 'a') + 10;
}

size_t buffer_from_hex(const char *hex, unsigned char *bytes, size_t room)
{
    size_t count = strlen(hex) / 2;

    count = count < room ? count : room;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(digit_value(hex[2 * i]) << 4 | digit_value(hex[2 * i + 1]));
    return count;
}
