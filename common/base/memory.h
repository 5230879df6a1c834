#ifndef COMMON_BASE_MEMORY_H
#define COMMON_BASE_MEMORY_H

#include "common/base/error.h"

#include <stddef.h>

/* Allocation for start-up and reports, where running out of memory cannot be handled better than by
 * one clear line and abort(). Connections and sessions never use these: they refuse one connection
 * instead. */
void *memory_new(size_t count,
                 size_t size); /* zeroed; count and size are multiplied with an overflow check */
void *memory_grow(void *old, size_t count, size_t size);
char *memory_copy_text(const char *text);
char *memory_format(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
