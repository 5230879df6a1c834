#ifndef COMMON_BASE_FILE_H
#define COMMON_BASE_FILE_H

#include "common/base/error.h"

#include <stddef.h>
#include <sys/types.h>

/* Reads a whole file ("-" is standard input) into a new NUL-terminated buffer that the caller
 * frees; refuses a directory and anything longer than `limit` bytes. */
bool file_read(const char *path, size_t limit, char **data, size_t *length,
               struct error *err) MUST_CHECK;

/* Whether it is a regular file that this process may read: reading another kind may never end. */
bool file_is_readable(const char *path);

enum file_existing {
    FILE_KEEP,    /* an existing file is an error and stays as it is */
    FILE_REPLACE, /* an existing file is replaced */
};

/* Writes a file whole or not at all: into a temporary file beside it, synced, then renamed
 * (FILE_REPLACE) or linked (FILE_KEEP, which cannot race) into place. `mode` is applied before any
 * byte is written, whatever the umask. A symbolic link stays, and the file behind it is replaced. A
 * path that exists and is no regular file (a pipe, a device) is written to directly, and so are "-"
 * and /dev/stdout, which are standard output. Every failure to write is reported; a program that
 * ignores SIGPIPE gets the one of a pipe without a reader too. */
bool file_write(const char *path, const void *data, size_t length, mode_t mode,
                enum file_existing existing, struct error *err) MUST_CHECK;

/* Whether standard output took all that was printed so far; *err has the kernel's reason. */
bool file_flush_output(struct error *err) MUST_CHECK;

#endif
