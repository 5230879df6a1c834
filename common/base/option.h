#ifndef COMMON_BASE_OPTION_H
#define COMMON_BASE_OPTION_H

#include "common/base/error.h"
#include "common/base/text.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One typed row an option: parsing, default, range, --help and the README test all read it. Parsed
 * by getopt_long(3). */

enum option_type {
    OPTION_FLAG,     /* bool: set by the option's presence */
    OPTION_COUNT,    /* uint64_t, units_parse_count */
    OPTION_SIZE,     /* uint64_t, bytes */
    OPTION_DURATION, /* uint64_t, nanoseconds */
    OPTION_TEXT,     /* const char *: as given */
    OPTION_LIST,     /* struct text_list: comma-separated, may be repeated, adds up */
    OPTION_REPEAT,   /* struct text_list: one item each time it is given, commas kept (file names,
                        COMMAND=VALUE) */
    OPTION_CHOICE,   /* int: index into choices */
};

struct option_row {
    /* without the dashes; a row that has only `help` is a section heading of --help */
    const char *name;
    char letter; /* short form, or 0 */
    enum option_type type;
    size_t offset;        /* where the value goes: offsetof(struct ..., field) */
    const char *value;    /* the word shown for the value, "SIZE"; NULL for flags */
    const char *help;     /* one sentence; defaults and ranges are added from the fields below */
    const char *fallback; /* the default as a user would type it, parsed by the same code; NULL:
                             field stays zeroed */
    /* allowed range of COUNT, SIZE and DURATION, both included; max 0: no upper bound */
    uint64_t min, max;
    const char *const *choices; /* NULL-terminated, for OPTION_CHOICE */
};

/* Fills *into (zeroed by the caller) from defaults and argv. Operands (what is no option) go to
 * `operands` in order.
 * --help and --version are rows of the caller like any other flag. Failure: one line that names the
 * option, the text, the allowed range, and for an unknown option the nearest one. "--" ends
 * options. argv[0] is skipped; argv stays as it is. Lists may be filled in part after a failure:
 * the caller cleans up either way. An option that is given again replaces what was there, lists
 * apart. A default counts only where the option is not given. Not for two threads at once
 * (getopt_long). */
bool option_parse(const struct option_row *rows, size_t count, void *into, int argc, char **argv,
                  struct text_list *operands, struct error *err) MUST_CHECK;

/* Frees the lists in *into. */
void option_cleanup(const struct option_row *rows, size_t count, void *into);

/* Prints the rows as --help does: aligned, wrapped at 100 columns, with default and range. */
void option_help(FILE *out, const struct option_row *rows, size_t count);

#endif
