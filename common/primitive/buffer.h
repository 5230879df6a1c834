#ifndef COMMON_PRIMITIVE_BUFFER_H
#define COMMON_PRIMITIVE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Message buffers with a text that can be checked without a second copy. */

/* Aligned to a cache line, with room for a block and a tag behind `size`; NULL when there is no
 * memory. Freed with free(3). */
unsigned char *buffer_new(size_t size);
void buffer_fill(unsigned char *buffer, size_t size);
bool buffer_is_filled(const unsigned char *buffer, size_t size);

/* Bytes of a hexadecimal constant into `bytes`: how many, at most `room`. */
size_t buffer_from_hex(const char *hex, unsigned char *bytes, size_t room);

#endif
