#include "common/base/option.h"

#include "common/base/memory.h"
#include "common/base/option_value.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* What getopt_long(3) returns for row i is FIRST_ROW + i: above every letter. */
#define FIRST_ROW 256
#define OPERAND   1 /* its answer for an operand, with "-" in front of the letters */

/* A parse under way. */
struct parser {
    const struct option_row *rows;
    size_t count;
    void *into;
    char **argv; /* a copy, since getopt_long may reorder it */
    struct option *long_options;
    char *letters;
    bool *given; /* by row */
};

static struct parser parser_new(const struct option_row *rows, size_t count, int argc, char **argv)
{
    struct parser parser = {
        .rows = rows,
        .count = count,
        .argv = memory_new((size_t)argc + 1, sizeof *parser.argv),
        .long_options = memory_new(count + 1, sizeof *parser.long_options),
        .given = memory_new(count, sizeof *parser.given),
    };
    memcpy(parser.argv, argv, (size_t)argc * sizeof *argv);

    struct text_buffer letters = {0};
    text_buffer_add(&letters, "-:"); /* operands in their place; a missing value is told apart */
    struct option *next = parser.long_options;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].name == NULL) {
            continue;
        }
        bool is_flag = rows[i].type == OPTION_FLAG;
        *next++ = (struct option){.name = rows[i].name,
                                  .has_arg = is_flag ? no_argument : required_argument,
                                  .val = FIRST_ROW + (int)i};
        if (rows[i].letter != 0) {
            text_buffer_add(&letters, "%c%s", rows[i].letter, is_flag ? "" : ":");
        }
    }
    parser.letters = letters.text;
    return parser;
}

static void parser_free(struct parser *parser)
{
    free(parser->argv);
    free(parser->long_options);
    free(parser->letters);
    free(parser->given);
}

/* The row that getopt_long means, by letter or by number; count where none. */
static size_t find_row(const struct parser *parser, int code)
{
    if (code >= FIRST_ROW) {
        return (size_t)(code - FIRST_ROW);
    }
    size_t i = 0;
    while (i < parser->count && (parser->rows[i].name == NULL || parser->rows[i].letter != code)) {
        i++;
    }
    return i;
}

/* Names only: headings are passed over. */
static const char *next_name(size_t index, const void *context)
{
    const struct parser *parser = context;
    for (size_t i = 0; i < parser->count; i++) {
        if (parser->rows[i].name != NULL && index-- == 0) {
            return parser->rows[i].name;
        }
    }
    return NULL;
}

/* `shown` is the option with its dashes, `word` its name. */
static bool refuse_unknown(const struct parser *parser, const char *shown, const char *word,
                           struct error *err)
{
    const char *nearest = text_nearest(word, next_name, parser);
    return nearest != NULL ? error_set(err, "unknown option %s; did you mean --%s?", shown, nearest)
                           : error_set(err, "unknown option %s; --help lists what there is", shown);
}

/* A long option that getopt_long did not take: two or more names begin so, or none does. */
static bool refuse_long(const struct parser *parser, const char *argument, struct error *err)
{
    char *shown = memory_format("%.*s", (int)strcspn(argument, "="), argument);
    const char *word = shown + 2;
    struct text_buffer names = {0};
    size_t found = 0;
    for (size_t i = 0; i < parser->count; i++) {
        const char *name = parser->rows[i].name;
        if (name != NULL && strncmp(name, word, strlen(word)) == 0) {
            text_buffer_add(&names, "%s--%s", found++ > 0 ? ", " : "", name);
        }
    }
    if (found > 1) {
        error_set(err, "%s may mean any of %s", shown, names.text);
    } else {
        refuse_unknown(parser, shown, word, err);
    }
    text_buffer_cleanup(&names);
    free(shown);
    return false;
}

/* `argument` is where getopt_long stopped: "--word", "--word=value" or a group of letters. */
static bool refuse(const struct parser *parser, const char *argument, struct error *err)
{
    if (optopt == 0) {
        return refuse_long(parser, argument, err);
    }
    if (optopt >= FIRST_ROW) {
        return error_set(err, "--%s takes no value", parser->rows[optopt - FIRST_ROW].name);
    }
    if ((unsigned char)argument[1] == (unsigned char)optopt && argument[2] != '\0') {
        return refuse_unknown(parser, argument, argument + 1, err); /* -word, most likely */
    }
    char letter[] = {'-', (char)optopt, '\0'};
    return refuse_unknown(parser, letter, letter + 1, err);
}

static bool take(struct parser *parser, int code, const char *argument, struct text_list *operands,
                 struct error *err)
{
    if (code == OPERAND) {
        text_list_add(operands, optarg);
        return true;
    }
    if (code == '?') {
        return refuse(parser, argument, err);
    }
    size_t index = find_row(parser, code == ':' ? optopt : code);
    const struct option_row *row = &parser->rows[index];
    if (code == ':') {
        return error_set(err, "--%s needs a value: %s", row->name, row->value);
    }
    parser->given[index] = true;
    return option_value_store(row, parser->into, optarg, err);
}

static bool take_arguments(struct parser *parser, int argc, struct text_list *operands,
                           struct error *err)
{
    optind = 0; /* glibc: start afresh */
    opterr = 0;
    for (;;) {
        int at = optind > 0 ? optind : 1;
        int code = getopt_long(argc, parser->argv, parser->letters, parser->long_options, NULL);
        if (code == -1) {
            break;
        }
        if (!take(parser, code, parser->argv[at], operands, err)) {
            return false;
        }
    }
    for (int i = optind; i < argc; i++) { /* behind "--" */
        text_list_add(operands, parser->argv[i]);
    }
    return true;
}

static bool take_defaults(const struct parser *parser, struct error *err)
{
    for (size_t i = 0; i < parser->count; i++) {
        const struct option_row *row = &parser->rows[i];
        if (row->name != NULL && row->fallback != NULL && !parser->given[i] &&
            !option_value_store(row, parser->into, row->fallback, err)) {
            return false;
        }
    }
    return true;
}

bool option_parse(const struct option_row *rows, size_t count, void *into, int argc, char **argv,
                  struct text_list *operands, struct error *err)
{
    struct parser parser = parser_new(rows, count, argc, argv);
    parser.into = into;
    bool done = take_arguments(&parser, argc, operands, err) && take_defaults(&parser, err);
    parser_free(&parser);
    return done;
}

void option_cleanup(const struct option_row *rows, size_t count, void *into)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].name != NULL &&
            (rows[i].type == OPTION_LIST || rows[i].type == OPTION_REPEAT)) {
            text_list_cleanup((void *)((char *)into + rows[i].offset));
        }
    }
}
