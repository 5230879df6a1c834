#ifndef COMMON_NGINX_SOURCE_H
#define COMMON_NGINX_SOURCE_H

#include "common/base/error.h"
#include "common/base/text.h"

#include <stddef.h>

/* Where the files of a configuration come from: the disk, or the output of `nginx -T`, which holds
 * them all behind "# configuration file PATH:" lines. */

#define NGINX_FILE_LIMIT (4U << 20) /* bytes of one file, or of a whole `nginx -T` output */

struct nginx_dump_file {
    char *path;
    const char *text; /* into the dump */
    size_t length;
};

/* Zeroed is the disk. */
struct nginx_source {
    char *dump; /* owned; NULL: the disk */
    struct nginx_dump_file *files;
    size_t count;
};

/* Takes a text over as a dump when it begins like one (*is_dump), and else leaves it to the
 * caller. */
void nginx_source_init(struct nginx_source *source, char *text, size_t length, bool *is_dump);
void nginx_source_cleanup(struct nginx_source *source);

/* A copy of the file's text, the caller's. */
bool nginx_source_read(const struct nginx_source *source, const char *path, char **text,
                       size_t *length, struct error *err) MUST_CHECK;

/* The paths that a pattern of glob(7) stands for, sorted; a path without pattern characters is
 * itself, whether or not it is there. */
void nginx_source_glob(const struct nginx_source *source, const char *pattern,
                       struct text_list *paths);

#endif
