#include "client/evp/evp_options.h"

#include "client/evp/cpu_mask.h"
#include "client/options.h"
#include "common/base/clock.h"
#include "common/base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(row_name, row_letter, row_type, field)                                                 \
    .name = (row_name), .letter = (row_letter), .type = (row_type),                                \
    .offset = offsetof(struct evp_options, field)
#define HOUR          (UINT64_C(3600) * NS_PER_S)
#define DEFAULT_SIZES "16,64,256,1k,8k,16k"

static const char *const direction_words[] = {"both", "encrypt", "decrypt", NULL};
static const char *const backend_words[] = {"evp", "mcrypt", NULL};
static const char *const format_words[] = {"table", "json", NULL};

static const struct option_row rows[] = {
    {.help = "What to measure"},
    {ROW("sizes", 0, OPTION_LIST, size_words), .value = "LIST", .fallback = DEFAULT_SIZES,
     .help = "Bytes of a message, for ciphers, digests and MACs"},
    {ROW("shapes", 0, OPTION_LIST, shape_words), .value = "LIST",
     .help = "What is done around each computation: stream (one long message), message (context "
             "kept, a new IV each), record (as TLS protects a record), oneshot (all anew each "
             "time); when not given record for AEADs, oneshot for key exchange, else message"},
    {ROW("direction", 0, OPTION_CHOICE, direction), .value = "WHICH", .fallback = "both",
     .choices = direction_words, .help = "Of ciphers"},
    {ROW("legacy", 0, OPTION_FLAG, legacy),
     .help = "Load OpenSSL's legacy provider too: RC4, DES, Blowfish, CAST5, SEED"},
    {ROW("cpu-without", 0, OPTION_REPEAT, cpu_without), .value = "FEATURES",
     .help = "Another column, measured without these CPU features and what depends on them "
             "(aes,avx2,...); given again: one more column"},
    {ROW("backend", 0, OPTION_CHOICE, backend), .value = "NAME", .fallback = "evp",
     .choices = backend_words,
     .help = "mcrypt: measure libmcrypt beside EVP, for the ciphers that both have"},
    {ROW("list", 0, OPTION_FLAG, list), .help = "Print the algorithms and what is here, and end"},
    {ROW("dry-run", 'n', OPTION_FLAG, dry_run), .help = "Print what would be measured, and end"},

    {.help = "How"},
    {ROW("precision", 0, OPTION_TEXT, precision_word), .value = "PERCENT", .fallback = "1%",
     .help = "Measure each figure until half of its 95 % interval is within this (0.1% to 50%)"},
    {ROW("max-time", 0, OPTION_DURATION, max_time_ns), .value = "TIME", .fallback = "500ms",
     .min = NS_PER_MS, .max = HOUR, .help = "The longest that one figure is measured"},
    {ROW("rounds", 0, OPTION_COUNT, rounds), .value = "N", .fallback = "6", .min = 1, .max = 1000,
     .help = "The least number of batches of a figure, unless single operations are too long for "
             "--max-time; fewer than 6 give a range and no interval"},
    {ROW("threads", 't', OPTION_COUNT, threads), .value = "N", .fallback = "1", .min = 1,
     .max = 256, .help = "Threads that compute at the same time"},
    {ROW("seed", 0, OPTION_COUNT, seed), .value = "N",
     .help = "Seed of the order within a round; drawn and printed when not given"},
    {ROW("openssl-config", 0, OPTION_FLAG, openssl_config),
     .help = "Load the system's openssl.cnf, which can change what is measured"},

    {.help = "Output"},
    {ROW("format", 'f', OPTION_CHOICE, format), .value = "FORMAT", .fallback = "table",
     .choices = format_words, .help = "Tables for people, or the whole result as JSON"},
    {ROW("output", 'o', OPTION_TEXT, output), .value = "FILE",
     .help = "Write the result there, not to standard output"},
    {ROW("help", 'h', OPTION_FLAG, help), .help = "Print this help, and end"},

    /* For our own child processes; --help leaves it out, so it stays the last one. */
    {ROW("column", 0, OPTION_TEXT, column), .value = "LABEL", .help = ""},
};

#define ROWS  (sizeof rows / sizeof rows[0])
#define SHOWN (ROWS - 1)

static bool has_size(const struct evp_options *options, size_t size)
{
    for (size_t i = 0; i < options->size_count; i++)
        if (options->sizes[i] == size)
            return true;
    return false;
}

static bool read_sizes(struct evp_options *options, struct error *err)
{
    const struct text_list *words = &options->size_words;

    if (words->count > EVP_SIZES_MAX)
        return error_set(err, "--sizes: %d sizes at most", EVP_SIZES_MAX);
    for (size_t i = 0; i < words->count; i++) {
        uint64_t size;
        if (!units_parse_size(words->items[i], &size, err))
            return error_prefix(err, "--sizes");
        if (size == 0 || size > UINT64_C(1) << 30)
            return error_set(err, "--sizes: %s is out of range; allowed: 1 to 1g", words->items[i]);
        if (!has_size(options, (size_t)size))
            options->sizes[options->size_count++] = (size_t)size;
    }
    return true;
}

static bool read_shapes(struct evp_options *options, struct error *err)
{
    for (size_t i = 0; i < options->shape_words.count; i++) {
        enum primitive_shape shape;
        if (!primitive_shape_parse(options->shape_words.items[i], &shape, err))
            return error_prefix(err, "--shapes");
        options->shapes |= PRIMITIVE_BIT(shape);
    }
    return true;
}

/* "1%", "0.5%", and the same without the sign. */
static bool read_precision(struct evp_options *options, struct error *err)
{
    const char *word = options->precision_word;
    size_t length = strspn(word, "0123456789.");
    bool ends = word[length] == '\0' || strcmp(word + length, "%") == 0;
    char *end;
    double percent = strtod(word, &end);

    if (length == 0 || !ends || (*end != '\0' && *end != '%') || percent < 0.1 || percent > 50)
        return error_set(err, "--precision: %s is not a precision; allowed: 0.1%% to 50%%", word);
    options->precision = percent / 100;
    return true;
}

/* Each column is of another set, also when all is closed over. */
static bool check_masks(const struct evp_options *options, struct error *err)
{
    const struct text_list *sets = &options->cpu_without;
    struct cpu_mask masks[EVP_COLUMNS_MAX];

    if (sets->count > EVP_COLUMNS_MAX)
        return error_set(err, "--cpu-without: %d columns at most", EVP_COLUMNS_MAX);
    for (size_t i = 0; i < sets->count; i++) {
        if (!cpu_mask_build(sets->items[i], &masks[i], err))
            return error_prefix(err, "--cpu-without");
        for (size_t j = 0; j < i; j++)
            if (strcmp(masks[i].value, masks[j].value) == 0)
                return error_set(err, "--cpu-without: %s and %s leave out the same: %s",
                                 sets->items[j], sets->items[i], masks[i].label);
    }
    return true;
}

static bool check(struct evp_options *options, struct error *err)
{
    if (options->output && options->output[0] == '\0')
        return error_set(err, "--output: the file name is empty");
    return read_sizes(options, err) && read_shapes(options, err) && read_precision(options, err) &&
           check_masks(options, err);
}

bool evp_options_parse(int argc, char **argv, struct evp_options *options, struct error *err)
{
    memset(options, 0, sizeof *options);
    bool ok = option_parse(rows, ROWS, options, argc, argv, &options->algorithms, err) &&
              (options->help || check(options, err));
    if (!ok)
        evp_options_cleanup(options);
    return ok;
}

void evp_options_cleanup(struct evp_options *options)
{
    option_cleanup(rows, ROWS, options);
    text_list_cleanup(&options->algorithms);
}

void evp_options_help(void)
{
    puts("usage: suitemark evp [ALGORITHM...] [options]\n"
         "\n"
         "Measures what OpenSSL's EVP computes, outside any connection: the upper bound of what a "
         "connection can reach.\n"
         "ALGORITHM is a name from --list (aes-128-gcm, sha256, rsa:3072, x25519, ...) or one of "
         "ciphers, digests, macs,\n"
         "signatures, exchanges, kems, all; without one, the usual ones of every kind. Each is "
         "proved right before it\n"
         "is timed, and every return value is checked.\n");
    option_help(stdout, rows, SHOWN);
    puts("\nExit status: 0 all measured, 1 something was not, 2 usage, 3 interrupted with the "
         "results kept.");
}
