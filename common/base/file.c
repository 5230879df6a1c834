#include "common/base/file.h"

#include "common/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(struct error *err, const char *path, const char *why)
{
    return error_set(err, "%s: %s", path, why);
}

/* Reads until the end into *data, which grows; one byte is always free for the NUL. */
static bool read_all(int fd, const char *path, size_t limit, char **data, size_t *length,
                     struct error *err)
{
    size_t capacity = 0, used = 0;
    char *buffer = NULL;
    for (;;) {
        if (used + 1 >= capacity) {
            capacity = capacity > 0 ? 2 * capacity : 16384;
            buffer = memory_grow(buffer, capacity, 1);
        }
        ssize_t count = read(fd, buffer + used, capacity - used - 1);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            free(buffer);
            return refuse(err, path, strerror(errno));
        }
        if (count == 0) {
            break;
        }
        used += (size_t)count;
        if (used > limit) {
            free(buffer);
            return error_set(err, "%s: longer than %zu bytes", path, limit);
        }
    }
    buffer[used] = '\0';
    *data = buffer;
    *length = used;
    return true;
}

bool file_read(const char *path, size_t limit, char **data, size_t *length, struct error *err)
{
    if (strcmp(path, "-") == 0) {
        return read_all(STDIN_FILENO, "standard input", limit, data, length, err);
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return refuse(err, path, strerror(errno));
    }
    bool done = read_all(fd, path, limit, data, length, err);
    close(fd);
    return done;
}

bool file_is_readable(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}
