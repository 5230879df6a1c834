#include "client/check/nginx_lines.h"

#include "client/check/nginx_block.h"
#include "client/check/nginx_names.h"
#include "client/check/nginx_zones.h"
#include "common/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a line stands. */
enum level {
    LEVEL_MAIN,   /* outside all blocks */
    LEVEL_HTTP,   /* also stream and mail */
    LEVEL_SERVER, /* one server block */
    LEVEL_OTHER,  /* inside these, where no TLS directive may be */
};

#define NO_MODULE ((enum name_modules)0) /* not known: a file for a block of another */

/* Where a block may stand. */
#define IN(level) (1U << (level))

/* Blocks of others hold rows of data (map, types), or belong to modules that are not known here. */
static const struct level_row {
    const char *block;
    enum level inside;
    enum name_modules module; /* that begins here */
    unsigned allowed;
    bool once;
} levels[] = {
    {"http", LEVEL_HTTP, NAME_HTTP, IN(LEVEL_MAIN), true},
    {"stream", LEVEL_HTTP, NAME_STREAM, IN(LEVEL_MAIN), true},
    {"mail", LEVEL_HTTP, NAME_MAIL, IN(LEVEL_MAIN), true},
    {"events", LEVEL_OTHER, NO_MODULE, IN(LEVEL_MAIN), true},
    {"server", LEVEL_SERVER, NO_MODULE, IN(LEVEL_HTTP), false},
    {"upstream", LEVEL_OTHER, NO_MODULE, IN(LEVEL_HTTP), false},
    {"location", LEVEL_OTHER, NO_MODULE, IN(LEVEL_SERVER) | IN(LEVEL_OTHER), false},
    {"if", LEVEL_OTHER, NO_MODULE, IN(LEVEL_SERVER) | IN(LEVEL_OTHER), false},
    {"limit_except", LEVEL_OTHER, NO_MODULE, IN(LEVEL_OTHER), false},
};

#define LEVELS (sizeof levels / sizeof levels[0])

struct walk {
    unsigned version; /* of nginx */
    enum name_modules module;
    bool seen[LEVELS]; /* blocks that stand once */
    struct zones zones;
    struct finding_list *findings;
};

void lines_refuse(const struct nginx_directive *line, const char *word, const char *remedy,
                  const char *text, struct finding_list *findings)
{
    char place[BLOCK_PLACE];

    finding_add(findings, FINDING_ERROR, "refused line", word, block_place(line, place), remedy,
                "nginx does not start: %s", text);
}

/* --- values --- */

static bool is_one_of(const char *word, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (text_equal_nocase(word, words[i]))
            return true;
    return false;
}

static const char *bad_word(const struct nginx_directive *line, const struct name_row *row)
{
    for (size_t i = 0; i + 1 < line->words.count; i++) {
        const char *word = nginx_directive_argument(line, i);
        if ((row->words && !is_one_of(word, row->words)) || (row->takes && !row->takes(word)))
            return word;
    }
    return NULL;
}

static const char *word_remedy(const struct name_row *row)
{
    return row->form ? row->form
                     : "see the directive's values; is the semicolon of the line there?";
}

/* --- lines --- */

static bool is_misplaced(const struct name_row *row, enum level level)
{
    return row->main ? level != LEVEL_MAIN : level == LEVEL_MAIN || level == LEVEL_OTHER;
}

static void look_at(struct walk *walk, const struct nginx_directive *line,
                    const struct name_row *row, enum level level, bool again)
{
    size_t count = line->words.count - 1; /* behind the name */

    if (walk->version < row->since || walk->version >= row->until)
        lines_refuse(line, row->name, "remove it, or take another nginx",
                     "this version of nginx does not have the directive", walk->findings);
    else if (walk->module && !name_is_of(row, walk->module, walk->version))
        lines_refuse(line, row->name, "remove it here, or see which block it is meant for",
                     "the directive is not allowed in this module's blocks", walk->findings);
    else if (is_misplaced(row, level))
        lines_refuse(line, row->name,
                     row->main ? "move it outside all blocks"
                               : "move it to the server block or to http",
                     "the directive is not allowed here", walk->findings);
    else if (count < row->least || count > row->most || line->block)
        lines_refuse(line, row->name,
                     "one value with blanks goes between quotes; is the semicolon of the line "
                     "before there?",
                     "the directive takes another number of arguments", walk->findings);
    else if (bad_word(line, row))
        lines_refuse(line, bad_word(line, row), word_remedy(row), "the directive has no such value",
                     walk->findings);
    else if (again && !row->often)
        lines_refuse(line, row->name, "keep one of them", "the directive stands twice in one block",
                     walk->findings);
}

#define SLIP_MOST 2 /* edits that make a name of nginx's another one */

/* Modules of others have names that begin so, too: only what looks like a slip is an error. */
static void look_at_unknown(struct walk *walk, const struct nginx_directive *line)
{
    const char *name = nginx_directive_name(line), *nearest = name_nearest(name);
    char remedy[128], place[BLOCK_PLACE];

    if (strstr(name, "_by_lua"))
        return;
    if (!nearest || text_distance(name, nearest) > SLIP_MOST ||
        text_starts_nocase(name, "ssl_ct")) {
        finding_add(walk->findings, FINDING_WARNING, "unknown directive", name,
                    block_place(line, place), "see the manual of the module that brings it",
                    "nginx of itself has no such directive: without a module that brings it, it "
                    "does not start");
        return;
    }
    snprintf(remedy, sizeof remedy, "did you mean %s?", nearest);
    lines_refuse(line, name, remedy, "there is no such directive", walk->findings);
}

/* Such a byte is most often invisible: a byte order mark, or a blank that does not break. */
static bool has_foreign_start(const char *name)
{
    return (unsigned char)name[0] >= 0x80 || (unsigned char)name[0] < ' ';
}

/* Whether an earlier line of the same block has the name. The rows of a level are few, its lines
 * may be many. */
struct seen {
    const struct name_row *rows[64];
    size_t count;
};

static bool note_seen(struct seen *seen, const struct name_row *row)
{
    for (size_t i = 0; i < seen->count; i++)
        if (seen->rows[i] == row)
            return true;
    if (seen->count < sizeof seen->rows / sizeof seen->rows[0])
        seen->rows[seen->count++] = row;
    return false;
}

static const struct level_row *find_level(const struct nginx_directive *line)
{
    for (size_t i = 0; line->block && i < LEVELS; i++)
        if (strcmp(levels[i].block, nginx_directive_name(line)) == 0)
            return &levels[i];
    return NULL;
}

static void look_at_level(struct walk *walk, const struct nginx_directive *line, enum level level);

/* A brace that is missing makes one server block stand in another. */
static void look_at_block(struct walk *walk, const struct nginx_directive *line,
                          const struct level_row *row, enum level level)
{
    bool *seen = &walk->seen[row - levels];

    if (!(row->allowed & IN(level)))
        lines_refuse(line, row->block, "is the \"}\" of the block before there?",
                     "the block is not allowed here", walk->findings);
    else if (row->once && *seen)
        lines_refuse(line, row->block, "keep one of them", "the block stands twice",
                     walk->findings);
    *seen = true;
}

static void look_inside(struct walk *walk, const struct nginx_directive *line,
                        const struct level_row *inside, enum level level)
{
    enum name_modules outside = walk->module;

    look_at_block(walk, line, inside, level);

    walk->module = inside->module ? inside->module : outside;
    look_at_level(walk, line->children, inside->inside);
    walk->module = outside;
}

/* At most as deep as the tree. */
static void look_at_level(struct walk *walk, const struct nginx_directive *line, enum level level)
{
    struct seen seen = {.count = 0};

    for (; line; line = line->next) {
        const char *name = nginx_directive_name(line);
        const struct name_row *row = name_find(name);
        const struct level_row *inside = find_level(line);
        zones_look_at(&walk->zones, line, walk->module, walk->findings);
        if (row)
            look_at(walk, line, row, level, note_seen(&seen, row));
        else if (inside)
            look_inside(walk, line, inside, level);
        else if (strcmp(name, "listen") == 0 && level != LEVEL_SERVER)
            lines_refuse(line, name, "move it to a server block",
                         "the directive is not allowed here", walk->findings);
        else if (text_starts_nocase(name, "ssl_"))
            look_at_unknown(walk, line);
        else if (has_foreign_start(name))
            lines_refuse(line, name, "write the line anew: the byte may be invisible",
                         "the directive's name begins with a byte that is no letter",
                         walk->findings);
    }
}

/* A file that is to be included into http can be read alone: then its lines stand in http. */
void lines_check(const struct nginx_config *config, unsigned version, struct finding_list *findings)
{
    struct walk walk = {.version = version, .findings = findings};
    enum level top = LEVEL_HTTP;

    for (const struct nginx_directive *line = config->tree.first; line; line = line->next) {
        const struct level_row *inside = find_level(line);
        if (inside && inside->inside == LEVEL_HTTP)
            top = LEVEL_MAIN;
    }
    look_at_level(&walk, config->tree.first, top);
    zones_cleanup(&walk.zones);
}
