#include "common/nginx/tree.h"

#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/nginx/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX      24 /* of blocks and of includes, each */
#define WORDS_MAX      4096
#define FILES_MAX      2000
#define DIRECTIVES_MAX 200000
#define PROBLEMS_MAX   100

/* One file while it is read. */
struct reading {
    struct nginx_tree *tree;
    struct nginx_lexer *lexer;
    const char *file;
    unsigned block_depth, include_depth;
    bool limit; /* what ends it is a bound of ours, which nginx has not */
};

static bool read_file(struct nginx_tree *tree, const char *path, unsigned include_depth,
                      struct nginx_directive ***tail, struct error *err);

/* --- problems --- */

static void add_problem(struct nginx_tree *tree, const struct nginx_problem *told, const char *text)
{
    if (tree->problem_count == PROBLEMS_MAX)
        return;
    tree->problems = memory_grow(tree->problems, tree->problem_count + 1, sizeof *tree->problems);
    struct nginx_problem *problem = &tree->problems[tree->problem_count++];
    *problem = *told;
    (void)snprintf(problem->text, sizeof problem->text, "%s", text);
}

static bool over_limit(struct reading *reading, const char *what, int limit, struct error *err)
{
    reading->limit = true;
    return error_set(err, "more than %d %s", limit, what);
}

/* --- directives --- */

static void free_directives(struct nginx_directive *directive)
{
    while (directive) {
        struct nginx_directive *next = directive->next;
        free_directives(directive->children); /* at most DEPTH_MAX deep */
        text_list_cleanup(&directive->words);
        free(directive);
        directive = next;
    }
}

const char *nginx_directive_name(const struct nginx_directive *directive)
{
    return directive->words.items[0];
}

const char *nginx_directive_argument(const struct nginx_directive *directive, size_t index)
{
    return index + 1 < directive->words.count ? directive->words.items[index + 1] : "";
}

char *nginx_tree_path(const struct nginx_tree *tree, const char *path)
{
    const char *first = tree->files.count > 0 ? tree->files.items[0] : "";
    const char *slash = strrchr(first, '/');

    if (path[0] == '/' || !slash)
        return memory_copy_text(path);
    return memory_format("%.*s%s", (int)(slash + 1 - first), first, path);
}

/* --- include --- */

static void include(struct reading *reading, const struct nginx_directive *directive,
                    struct nginx_directive ***tail)
{
    struct nginx_tree *tree = reading->tree;
    struct text_list paths = {0};
    struct error err;

    if (directive->words.count != 2) {
        add_problem(tree,
                    &(struct nginx_problem){
                        .file = directive->file, .line = directive->line, .syntax = true},
                    "include takes one file or pattern");
        return;
    }
    char *pattern = nginx_tree_path(tree, nginx_directive_argument(directive, 0));
    nginx_source_glob(&tree->source, pattern, &paths);
    for (size_t i = 0; i < paths.count; i++)
        if (!read_file(tree, paths.items[i], reading->include_depth + 1, tail, &err))
            add_problem(tree,
                        &(struct nginx_problem){.file = directive->file, .line = directive->line},
                        err.text);
    text_list_cleanup(&paths);
    free(pattern);
}

/* --- reading --- */

static bool read_block(struct reading *reading, struct nginx_directive ***tail, struct error *err);

static bool is_foreign(const char *name)
{
    static const char end[] = "_by_lua_block";
    size_t length = strlen(name);

    return length >= sizeof end && strcmp(name + length - (sizeof end - 1), end) == 0;
}

static bool read_children(struct reading *reading, struct nginx_directive *directive,
                          struct error *err)
{
    struct nginx_directive **tail = &directive->children;

    directive->block = true;
    if (is_foreign(nginx_directive_name(directive)))
        return nginx_lexer_skip_block(reading->lexer, err) == NGINX_CLOSE;
    if (reading->block_depth == DEPTH_MAX)
        return over_limit(reading, "levels of blocks", DEPTH_MAX, err);
    reading->block_depth++;
    bool ok = read_block(reading, &tail, err);
    reading->block_depth--;
    return ok;
}

static struct nginx_directive *new_directive(struct reading *reading,
                                             struct nginx_directive ***tail)
{
    struct nginx_directive *directive = memory_new(1, sizeof *directive);

    directive->file = reading->file;
    directive->line = reading->lexer->word_line;
    text_list_add(&directive->words, reading->lexer->word);
    **tail = directive;
    *tail = &directive->next;
    reading->tree->directive_count++;
    return directive;
}

/* The rest of a directive whose first word has just been read. */
static bool read_directive(struct reading *reading, struct nginx_directive ***tail,
                           struct error *err)
{
    if (reading->tree->directive_count == DIRECTIVES_MAX)
        return over_limit(reading, "directives", DIRECTIVES_MAX, err);
    struct nginx_directive *directive = new_directive(reading, tail);
    for (;;) {
        switch (nginx_lexer_next(reading->lexer, err)) {
        case NGINX_WORD:
            if (directive->words.count == WORDS_MAX)
                return over_limit(reading, "words in a directive", WORDS_MAX, err);
            text_list_add(&directive->words, reading->lexer->word);
            break;
        case NGINX_SEMICOLON:
            if (strcmp(nginx_directive_name(directive), "include") == 0)
                include(reading, directive, tail);
            return true;
        case NGINX_OPEN:
            return read_children(reading, directive, err);
        case NGINX_CLOSE:
            return error_set(err, "unexpected \"}\": a \";\" is missing behind \"%.60s\"",
                             directive->words.items[directive->words.count - 1]);
        case NGINX_END:
            return error_set(err, "the file ends inside \"%.60s\": a \";\" or \"}\" is missing",
                             nginx_directive_name(directive));
        case NGINX_BAD:
            return false;
        }
    }
}

/* To the "}" of a block, or to the end of a file outside all of its blocks. */
static bool read_block(struct reading *reading, struct nginx_directive ***tail, struct error *err)
{
    unsigned start = reading->lexer->line;
    bool inside = reading->block_depth > 0;

    for (;;) {
        switch (nginx_lexer_next(reading->lexer, err)) {
        case NGINX_WORD:
            if (!read_directive(reading, tail, err))
                return false;
            break;
        case NGINX_CLOSE:
            return inside || error_set(err, "unexpected \"}\"");
        case NGINX_END:
            return !inside || error_set(err, "the block of line %u is never closed", start);
        case NGINX_OPEN:
            return error_set(err, "unexpected \"{\"");
        case NGINX_SEMICOLON:
            return error_set(err, "unexpected \";\"");
        case NGINX_BAD:
            return false;
        }
    }
}

/* Some editors put a byte order mark before the first word, and nginx takes it for a part of that.
 */
static size_t skip_mark(const struct reading *reading, const char *text, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF";

    if (length < sizeof mark - 1 || memcmp(text, mark, sizeof mark - 1) != 0)
        return 0;
    add_problem(reading->tree,
                &(struct nginx_problem){.file = reading->file, .line = 1, .syntax = true},
                "the file begins with a UTF-8 byte order mark, which nginx takes for a part of the "
                "first directive (\"unknown directive\")");
    return sizeof mark - 1;
}

/* Blocks close in the file in which they open, so each file counts its own depth. What was read
 * before an error is kept. */
static void read_text(struct nginx_tree *tree, const char *file, const char *text, size_t length,
                      unsigned include_depth, struct nginx_directive ***tail)
{
    struct nginx_lexer *lexer = memory_new(1, sizeof *lexer);
    struct error err;
    struct reading reading = {
        .tree = tree, .lexer = lexer, .file = file, .include_depth = include_depth};

    size_t mark = skip_mark(&reading, text, length);
    nginx_lexer_init(lexer, text + mark, length - mark);
    if (!read_block(&reading, tail, &err))
        add_problem(tree, &(struct nginx_problem){file, lexer->word_line, true, !reading.limit, ""},
                    err.text);
    free(lexer);
}

/* The name as the tree keeps it. */
static const char *keep_name(struct nginx_tree *tree, const char *path)
{
    text_list_add(&tree->files, path);
    return tree->files.items[tree->files.count - 1];
}

static bool read_file(struct nginx_tree *tree, const char *path, unsigned include_depth,
                      struct nginx_directive ***tail, struct error *err)
{
    char *text;
    size_t length;

    if (include_depth > DEPTH_MAX)
        return error_set(err, "%s: included more than %d deep", path, DEPTH_MAX);
    if (tree->files.count == FILES_MAX)
        return error_set(err, "%s: more than %d files", path, FILES_MAX);
    if (!nginx_source_read(&tree->source, path, &text, &length, err))
        return false;
    read_text(tree, keep_name(tree, path), text, length, include_depth, tail);
    free(text);
    return true;
}

static bool read_first(struct nginx_tree *tree, const char *name, char *text, size_t length,
                       struct error *err)
{
    struct nginx_directive **tail = &tree->first;
    bool is_dump;

    nginx_source_init(&tree->source, text, length, &is_dump);
    if (is_dump)
        return read_file(tree, tree->source.files[0].path, 0, &tail, err);
    read_text(tree, keep_name(tree, name), text, length, 0, &tail);
    free(text);
    return true;
}

bool nginx_tree_read(struct nginx_tree *tree, const char *path, struct error *err)
{
    char *text;
    size_t length;
    bool is_stdin = strcmp(path, "-") == 0;

    *tree = (struct nginx_tree){.first = NULL};
    if (!file_read(path, NGINX_FILE_LIMIT, &text, &length, err))
        return false;
    return read_first(tree, is_stdin ? "standard input" : path, text, length, err);
}

bool nginx_tree_read_text(struct nginx_tree *tree, const char *name, const char *text,
                          size_t length, struct error *err)
{
    struct text_buffer copy = {0};

    *tree = (struct nginx_tree){.first = NULL};
    text_buffer_add_bytes(&copy, text, length);
    return read_first(tree, name, copy.text, copy.length, err);
}

void nginx_tree_cleanup(struct nginx_tree *tree)
{
    free_directives(tree->first);
    free(tree->problems);
    text_list_cleanup(&tree->files);
    nginx_source_cleanup(&tree->source);
    *tree = (struct nginx_tree){.first = NULL};
}
