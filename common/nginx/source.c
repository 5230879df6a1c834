#include "common/nginx/source.h"

#include "common/base/file.h"
#include "common/base/memory.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKER        "# configuration file "
#define DUMP_FILES    4096
#define PATTERN_CHARS "*?["

/* The path of a marker line, NULL when the line is none. */
static char *source_marker(const char *line, const char *end)
{
    size_t start = strlen(MARKER);
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline ? newline : end;

    if (stop > line && stop[-1] == '\r')
        stop--;
    if ((size_t)(stop - line) < start + 2 || memcmp(line, MARKER, start) != 0 || stop[-1] != ':')
        return NULL;
    return memory_format("%.*s", (int)(stop - 1 - line - (ptrdiff_t)start), line + start);
}

static const char *source_next_line(const char *line, const char *end)
{
    const char *newline = memchr(line, '\n', (size_t)(end - line));

    return newline ? newline + 1 : end;
}

static void source_add(struct nginx_source *source, char *path, const char *text)
{
    source->files = memory_grow(source->files, source->count + 1, sizeof *source->files);
    source->files[source->count++] = (struct nginx_dump_file){path, text, 0};
}

/* What nginx prints before the first marker (that the syntax is ok) goes to standard error, and is
 * passed over where both were saved together. */
void nginx_source_init(struct nginx_source *source, char *text, size_t length, bool *is_dump)
{
    const char *end = text + length;

    *source = (struct nginx_source){0};
    for (const char *line = text; line < end && source->count < DUMP_FILES;) {
        const char *next = source_next_line(line, end);
        char *path = source_marker(line, end);
        if (path)
            source_add(source, path, next);
        else if (source->count > 0)
            source->files[source->count - 1].length =
                (size_t)(next - source->files[source->count - 1].text);
        line = next;
    }
    *is_dump = source->count > 0;
    if (*is_dump)
        source->dump = text;
}

void nginx_source_cleanup(struct nginx_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        free(source->files[i].path);
    free(source->files);
    free(source->dump);
    *source = (struct nginx_source){0};
}

bool nginx_source_read(const struct nginx_source *source, const char *path, char **text,
                       size_t *length, struct error *err)
{
    if (!source->dump && access(path, F_OK) == 0 && !file_is_readable(path))
        return error_set(err, "%s: not a regular file that can be read here", path);
    if (!source->dump)
        return file_read(path, NGINX_FILE_LIMIT, text, length, err);
    for (size_t i = 0; i < source->count; i++) {
        const struct nginx_dump_file *file = &source->files[i];
        if (strcmp(file->path, path) != 0)
            continue;
        struct text_buffer copy = {0};
        text_buffer_add_bytes(&copy, file->text, file->length);
        *text = copy.text;
        *length = copy.length;
        return true;
    }
    return error_set(err, "%s is not in the output of nginx -T", path);
}

static int source_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void source_glob_dump(const struct nginx_source *source, const char *pattern,
                             struct text_list *paths)
{
    for (size_t i = 0; i < source->count; i++)
        if (fnmatch(pattern, source->files[i].path, FNM_PATHNAME | FNM_PERIOD) == 0)
            text_list_add(paths, source->files[i].path);
    if (paths->count > 0)
        qsort(paths->items, paths->count, sizeof *paths->items, source_compare);
}

void nginx_source_glob(const struct nginx_source *source, const char *pattern,
                       struct text_list *paths)
{
    glob_t found;

    if (!strpbrk(pattern, PATTERN_CHARS)) {
        text_list_add(paths, pattern);
    } else if (source->dump) {
        source_glob_dump(source, pattern, paths);
    } else if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            text_list_add(paths, found.gl_pathv[i]);
        globfree(&found);
    }
}
