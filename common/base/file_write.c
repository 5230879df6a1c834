#include "common/base/file.h"

#include "common/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct content {
    const char *data;
    size_t length;
};

static bool fail(struct error *err, const char *path)
{
    return error_set(err, "%s: %s", path, strerror(errno));
}

/* Waits where the descriptor is non-blocking, as an inherited standard output may be. */
static bool write_all(int fd, const char *path, struct content rest, struct error *err)
{
    while (rest.length > 0) {
        ssize_t count = write(fd, rest.data, rest.length);
        if (count >= 0) {
            rest.data += count;
            rest.length -= (size_t)count;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            return fail(err, path);
        }
    }
    return true;
}

/* close(2) is where a file system with quotas or a network behind it may first say "no space". */
static bool close_checked(int fd, bool done, const char *path, struct error *err)
{
    bool closed = close(fd) == 0 || errno == EINTR;
    return done && (closed || fail(err, path));
}

/* A name of one of our own descriptors, or -1: opening such a name again would lose the
 * descriptor's place and its append mode. */
static int own_descriptor(const char *path)
{
    static const struct {
        const char *path;
        int fd;
    } names[] = {
        {"-", STDOUT_FILENO},
        {"/dev/stdout", STDOUT_FILENO},
        {"/dev/fd/1", STDOUT_FILENO},
        {"/proc/self/fd/1", STDOUT_FILENO},
        {"/dev/stderr", STDERR_FILENO},
        {"/dev/fd/2", STDERR_FILENO},
        {"/proc/self/fd/2", STDERR_FILENO},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(path, names[i].path) == 0) {
            return names[i].fd;
        }
    }
    return -1;
}

static bool write_directly(const char *path, struct content content, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return fail(err, path);
    }
    return close_checked(fd, write_all(fd, path, content, err), path, err);
}

/* The length of the folder's part of a path, with its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Makes a new name last over a power failure. Some file systems cannot sync a folder (EINVAL), and
 * a folder that may be written need not be readable: neither is a failure. */
static bool sync_folder(const char *path, struct error *err)
{
    char *folder = memory_format("%.*s.", (int)folder_length(path), path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = fd < 0 || fsync(fd) == 0 || errno == EINVAL || fail(err, folder);
    if (fd >= 0) {
        close(fd);
    }
    free(folder);
    return done;
}

static bool fill(int fd, const char *path, struct content content, mode_t mode, struct error *err)
{
    if (fchmod(fd, mode) != 0) {
        return fail(err, path);
    }
    return write_all(fd, path, content, err) && (fsync(fd) == 0 || fail(err, path));
}

static bool write_beside(const char *path, struct content content, mode_t mode,
                         enum file_existing existing, struct error *err)
{
    char *temporary = memory_format("%.*s.suitemark-XXXXXX", (int)folder_length(path), path);
    int fd = mkostemp(temporary, O_CLOEXEC);
    bool done = false;
    if (fd < 0) {
        fail(err, path);
        goto end;
    }
    done = close_checked(fd, fill(fd, path, content, mode, err), path, err);
    if (done) {
        int moved = existing == FILE_KEEP ? link(temporary, path) : rename(temporary, path);
        done = moved == 0 || fail(err, path);
    }
    if (!done || existing == FILE_KEEP) {
        unlink(temporary);
    }
    done = done && sync_folder(path, err);
end:
    free(temporary);
    return done;
}

bool file_write(const char *path, const void *data, size_t length, mode_t mode,
                enum file_existing existing, struct error *err)
{
    struct content content = {data, length};
    int own = own_descriptor(path);
    if (own >= 0) {
        return write_all(own, path, content, err);
    }
    struct stat status;
    if (stat(path, &status) != 0) {
        return write_beside(path, content, mode, existing, err);
    }
    if (!S_ISREG(status.st_mode)) {
        return write_directly(path, content, err);
    }
    if (existing == FILE_KEEP) {
        errno = EEXIST;
        return fail(err, path);
    }
    char *target = realpath(path, NULL); /* a symbolic link stays one */
    if (target == NULL) {
        return fail(err, path);
    }
    bool done = write_beside(target, content, mode, existing, err);
    free(target);
    return done;
}

bool file_flush_output(struct error *err)
{
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           error_set(err, "standard output: %s", strerror(errno));
}
