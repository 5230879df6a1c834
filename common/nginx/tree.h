#ifndef COMMON_NGINX_TREE_H
#define COMMON_NGINX_TREE_H

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/nginx/source.h"

#include <stdbool.h>
#include <stddef.h>

/* A configuration as it is written: directives with their words, blocks with what is in them,
 * `include` replaced by what it brings in. Knows nothing of what a directive means. */

struct nginx_directive {
    struct text_list words; /* the name first; never empty */
    const char *file;       /* the tree's */
    unsigned line;
    bool block;
    struct nginx_directive *children, *next;
};

/* Something that could not be read; reading went on behind it where that made sense. */
struct nginx_problem {
    const char *file; /* the tree's */
    unsigned line;
    bool rest_unread; /* what stands behind the line in its file was not read */
    bool syntax;      /* nginx does not read it either */
    char text[256];
};

struct nginx_tree {
    struct nginx_source source;
    struct text_list files; /* every file that was read, in order */
    struct nginx_directive *first;
    struct nginx_problem *problems;
    size_t problem_count;
    size_t directive_count;
};

/* `path` is a configuration or a saved output of `nginx -T`; "-" is standard input. Relative paths
 * of `include` start at the folder of the first file, as nginx has it (its "prefix"). False when
 * there is nothing to read at all; every other trouble is one of the problems. Bounded in depth,
 * files and directives. Free with nginx_tree_cleanup in any case. */
bool nginx_tree_read(struct nginx_tree *tree, const char *path, struct error *err) MUST_CHECK;
/* The same for a text in memory, which is copied; as a dump it brings its own names, else it is
 * called `name`. */
bool nginx_tree_read_text(struct nginx_tree *tree, const char *name, const char *text,
                          size_t length, struct error *err) MUST_CHECK;
void nginx_tree_cleanup(struct nginx_tree *tree);

const char *nginx_directive_name(const struct nginx_directive *directive);
/* Its argument by number from 0, "" where it has fewer. */
const char *nginx_directive_argument(const struct nginx_directive *directive, size_t index);

/* A path as nginx resolves it: relative to the first file's folder. A new text, the caller's. */
char *nginx_tree_path(const struct nginx_tree *tree, const char *path);

#endif
