#include "common/base/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define ROWS(table)  (sizeof(table) / sizeof(table)[0])
#define FIELD(field) offsetof(struct options, field)
#define MS           UINT64_C(1000000)

struct options {
    bool help, verbose;
    uint64_t connections, size, duration, seed;
    const char *output;
    struct text_list suites, certs, measures;
    int format;
};

static const char *const formats[] = {"table", "json", "csv", NULL};

static const struct option_row rows[] = {
    {.help = "Load:"},
    {"connections", 'c', OPTION_COUNT, FIELD(connections), "N", "Connections in flight.", "16", 1,
     100000, NULL},
    {"record-size", 0, OPTION_SIZE, FIELD(size), "SIZE", "Bytes a record.", "16k", 1, 16384, NULL},
    {"duration", 'd', OPTION_DURATION, FIELD(duration), "TIME",
     "How long a window lasts, with so many words that this line has to be broken in two parts.",
     "10s", 10 * MS, 3600000 * MS, NULL},
    {"seed", 0, OPTION_COUNT, FIELD(seed), "N", "Order of the cases.", NULL, 0, 0, NULL},
    {"suites", 's', OPTION_LIST, FIELD(suites), "NAMES", "Suites.", NULL, 0, 0, NULL},
    {"measure", 0, OPTION_LIST, FIELD(measures), "NAMES", "Measures.", "handshake,bulk", 0, 0,
     NULL},
    {"cert", 0, OPTION_REPEAT, FIELD(certs), "FILE", "A certificate.", NULL, 0, 0, NULL},
    {.help = "Output:"},
    {"output", 'o', OPTION_TEXT, FIELD(output), "FILE", "Where to.", NULL, 0, 0, NULL},
    {"format", 0, OPTION_CHOICE, FIELD(format), "FORMAT", "What form.", "table", 0, 0, formats},
    {"verbose", 'v', OPTION_FLAG, FIELD(verbose), NULL, "More words.", NULL, 0, 0, NULL},
    {"version", 0, OPTION_FLAG, FIELD(help), NULL, "Version.", NULL, 0, 0, NULL},
    {"help", 'h', OPTION_FLAG, FIELD(help), NULL, "This text.", NULL, 0, 0, NULL},
};

/* A command line as one text, its words between blanks; "''" is an empty word. */
struct line {
    struct text_list words, operands;
    struct options options;
    struct error err;
    bool done;
};

static struct line parse(const char *text)
{
    struct line line = {0};
    text_list_add_split(&line.words, text, " ");
    for (size_t i = 0; i < line.words.count; i++) {
        if (strcmp(line.words.items[i], "''") == 0) {
            line.words.items[i][0] = '\0';
        }
    }
    line.done = option_parse(rows, ROWS(rows), &line.options, (int)line.words.count,
                             line.words.items, &line.operands, &line.err);
    return line;
}

static void cleanup(struct line *line)
{
    option_cleanup(rows, ROWS(rows), &line->options);
    text_list_cleanup(&line->words);
    text_list_cleanup(&line->operands);
}

static void append_list(struct text_buffer *buffer, const char *name, const struct text_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        text_buffer_add(buffer, "%s%s", i == 0 ? name : "|", list->items[i]);
    }
}

/* What differs from the defaults, in one line. */
static void describe(const struct line *line, struct text_buffer *buffer)
{
    static const char *const measures[] = {"handshake", "bulk"};
    const struct options *o = &line->options;
    if (o->connections != 16) {
        text_buffer_add(buffer, " c=%llu", (unsigned long long)o->connections);
    }
    if (o->size != 16384) {
        text_buffer_add(buffer, " size=%llu", (unsigned long long)o->size);
    }
    if (o->duration != 10000 * MS) {
        text_buffer_add(buffer, " d=%llums", (unsigned long long)(o->duration / MS));
    }
    if (o->seed != 0) {
        text_buffer_add(buffer, " seed=%llu", (unsigned long long)o->seed);
    }
    if (o->format != 0) {
        text_buffer_add(buffer, " f=%d", o->format);
    }
    if (o->output != NULL) {
        text_buffer_add(buffer, " o=%s", o->output);
    }
    text_buffer_add(buffer, "%s%s", o->help ? " help" : "", o->verbose ? " verbose" : "");
    append_list(buffer, " s=", &o->suites);
    append_list(buffer, " cert=", &o->certs);
    if (o->measures.count != 2 || strcmp(o->measures.items[0], measures[0]) != 0 ||
        strcmp(o->measures.items[1], measures[1]) != 0) {
        append_list(buffer, " m=", &o->measures);
    }
    append_list(buffer, " : ", &line->operands);
}

static const struct {
    const char *words, *result;
} good[] = {
    {"x", ""},
    {"x --connections 20k", " c=20000"},
    {"x --connections=1", " c=1"},
    {"x -c5", " c=5"},
    {"x -c 5", " c=5"},
    {"x --conn 5", " c=5"},
    {"x -c 5 -c 6", " c=6"},
    {"x --record-size 1k", " size=1024"},
    {"x --record-size 16384", ""},
    {"x --duration 500ms", " d=500ms"},
    {"x -d1h", " d=3600000ms"},
    {"x --duration 0.01", " d=10ms"},
    {"x --seed 0", ""},
    {"x --seed 18446744073709551615", " seed=18446744073709551615"},
    {"x -vh", " help verbose"},
    {"x -vc5", " c=5 verbose"},
    {"x --verbose --verbose", " verbose"},
    {"x --format JSON", " f=1"},
    {"x --format csv", " f=2"},
    {"x -o file", " o=file"},
    {"x -o -", " o=-"},
    {"x -o --help", " o=--help"},
    {"x -o ''", " o="},
    {"x --suites a,b --suites c", " s=a|b|c"},
    {"x -s ,a,", " s=a"},
    {"x --cert a,b --cert c", " cert=a,b|c"},
    {"x --measure resumed", " m=resumed"},
    {"x one -v two", " verbose : one|two"},
    {"x one -c 3 two --seed=4 three", " c=3 seed=4 : one|two|three"},
    {"x -", " : -"},
    {"x ''", " : "},
    {"x -v -- -c 5 --help", " verbose : -c|5|--help"},
    {"x one -- two --", " : one|two|--"},
};

static void takes_good_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(good); i++) {
        struct line line = parse(good[i].words);
        struct text_buffer result = {0};
        describe(&line, &result);
        if (!line.done || strcmp(text_buffer_text(&result), good[i].result) != 0) {
            fail_msg("%s:%s (%s)", good[i].words, text_buffer_text(&result), line.err.text);
        }
        text_buffer_cleanup(&result);
        cleanup(&line);
    }
}

static const struct {
    const char *words, *reason;
} bad[] = {
    {"x --duraton 5", "unknown option --duraton; did you mean --duration?"},
    {"x --duraton=5", "unknown option --duraton; did you mean --duration?"},
    {"x --xyz", "unknown option --xyz; --help lists what there is"},
    {"x -x", "unknown option -x; --help lists what there is"},
    {"x -vx", "unknown option -x; --help lists what there is"},
    {"x -xv", "unknown option -xv; --help lists what there is"},
    {"x -suites", NULL}, /* -s uites */
    {"x -format json", "unknown option -format; did you mean --format?"},
    {"x --ver", "--ver may mean any of --verbose, --version"},
    {"x --ver=3", "--ver may mean any of --verbose, --version"},
    {"x --help=yes", "--help takes no value"},
    {"x --connections", "--connections needs a value: N"},
    {"x -c", "--connections needs a value: N"},
    {"x --conn", "--connections needs a value: N"},
    {"x -c 0", "--connections: 0 is out of range; allowed: 1 to 100000"},
    {"x -c 100001", "--connections: 100001 is out of range; allowed: 1 to 100000"},
    {"x -c -5", "--connections: -5 is not a count such as 15 or 20k; allowed: 1 to 100000"},
    {"x --seed 1.5", "--seed: 1.5 is not a whole number"},
    {"x --record-size 17k", "--record-size: 17k is out of range; allowed: 1 to 16k"},
    {"x --record-size x",
     "--record-size: x is not a size such as 1000, 64k or 1m; allowed: 1 to 16k"},
    {"x -d 0", "--duration: 0 is out of range; allowed: 10ms to 1h"},
    {"x -d 9ms", "--duration: 9ms is out of range; allowed: 10ms to 1h"},
    {"x -d 61m", "--duration: 61m is out of range; allowed: 10ms to 1h"},
    {"x --duration 1e9",
     "--duration: 1e9 is not a duration such as 10s, 500ms or 2m; allowed: 10ms to 1h"},
    {"x --duration ''",
     "--duration: \"\" is not a duration such as 10s, 500ms or 2m; allowed: 10ms to 1h"},
    {"x --format xml", "--format: xml is not known; allowed: table, json or csv"},
    {"x --format jsn",
     "--format: jsn is not known, did you mean json?; allowed: table, json or csv"},
    {"x --suites ''", "--suites: the list is empty"},
    {"x --suites ,", "--suites: the list is empty"},
    {"x one --xyz two", "unknown option --xyz; --help lists what there is"},
};

static void refuses_bad_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(bad); i++) {
        struct line line = parse(bad[i].words);
        bool as_told = bad[i].reason == NULL
                           ? line.done
                           : !line.done && strcmp(line.err.text, bad[i].reason) == 0;
        if (!as_told) {
            fail_msg("%s: %s", bad[i].words, line.err.text);
        }
        cleanup(&line);
    }
}

static void error_may_be_null(void **state)
{
    (void)state;
    struct line line = parse("x");
    text_list_add_split(&line.words, "-c 0", " ");
    assert_false(
        option_parse(rows, ROWS(rows), &line.options, 3, line.words.items, &line.operands, NULL));
    cleanup(&line);
}

/* The order of operands and options is the caller's: getopt_long may not change it. */
static void argv_stays_as_it_is(void **state)
{
    (void)state;
    static const char words[] = "x one -v two -c 3";
    struct line line = parse(words);
    struct text_buffer joined = {0};
    for (size_t i = 0; i < line.words.count; i++) {
        text_buffer_add(&joined, "%s%s", i > 0 ? " " : "", line.words.items[i]);
    }
    assert_string_equal(text_buffer_text(&joined), words);
    text_buffer_cleanup(&joined);
    cleanup(&line);
}

/* The environment must not change what a command line means. */
static void posixly_correct_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(setenv("POSIXLY_CORRECT", "1", 1), 0);
    struct line line = parse("x one -v two");
    unsetenv("POSIXLY_CORRECT");
    assert_true(line.done);
    assert_true(line.options.verbose);
    assert_int_equal(line.operands.count, 2);
    cleanup(&line);
}

static const struct option_row open_range[] = {
    {"count", 0, OPTION_COUNT, 0, "N", "Count.", NULL, 3, 0, NULL},
};

static void range_may_be_open(void **state)
{
    (void)state;
    uint64_t count = 0;
    struct error err = {0};
    struct text_list words = {0}, operands = {0};
    text_list_add_split(&words, "x --count 1g --count 2", " ");
    assert_true(option_parse(open_range, 1, &count, 3, words.items, &operands, &err));
    assert_int_equal(count, 1000000000);
    assert_false(option_parse(open_range, 1, &count, 5, words.items, &operands, &err));
    assert_string_equal(err.text, "--count: 2 is out of range; allowed: at least 3");
    text_list_cleanup(&words);
}

static const char expected_help[] =
    "Load:\n"
    "  -c, --connections N     Connections in flight. (1 to 100000; default 16)\n"
    "      --record-size SIZE  Bytes a record. (1 to 16k; default 16k)\n"
    "  -d, --duration TIME     How long a window lasts, with so many words that this line has to "
    "be\n"
    "                          broken in two parts. (10ms to 1h; default 10s)\n"
    "      --seed N            Order of the cases.\n"
    "  -s, --suites NAMES      Suites.\n"
    "      --measure NAMES     Measures. (default handshake,bulk)\n"
    "      --cert FILE         A certificate.\n"
    "\n"
    "Output:\n"
    "  -o, --output FILE       Where to.\n"
    "      --format FORMAT     What form. (table, json or csv; default table)\n"
    "  -v, --verbose           More words.\n"
    "      --version           Version.\n"
    "  -h, --help              This text.\n";

static void help_is_aligned_and_wrapped(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    option_help(out, rows, ROWS(rows));
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, expected_help);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_good_lines),
        cmocka_unit_test(refuses_bad_lines),
        cmocka_unit_test(error_may_be_null),
        cmocka_unit_test(argv_stays_as_it_is),
        cmocka_unit_test(posixly_correct_changes_nothing),
        cmocka_unit_test(range_may_be_open),
        cmocka_unit_test(help_is_aligned_and_wrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
