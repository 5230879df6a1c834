#ifndef COMMON_BASE_ERROR_H
#define COMMON_BASE_ERROR_H

#include <stdbool.h>

/* Marks a function whose result must not be dropped. */
#define MUST_CHECK               __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

/* The reason of a failure, in the caller's hands. One line, no newline at the end, never empty
 * after a failure. A text that is longer is cut. Zeroed is valid and means: no failure. */
struct error {
    char text[512];
};

/* Writes the reason and returns false, always, so that a failing function can end in `return
 * error_set(...)`. err may be NULL. Arguments may point into err->text. */
bool error_set(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* Puts "prefix: " before the reason that is there; returns false, always. */
bool error_prefix(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* What the kernel refused, from errno(3): a limit of this machine or process by its plain name ("no
 * free descriptor (EMFILE)"), anything else as strerror(3) says it. */
const char *error_of_errno(int error);

#endif
