#include "client/evp/evp_selection.h"

#include "common/base/memory.h"
#include "common/primitive/primitive_alias.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const family_words[] = {
    [FAMILY_CIPHER] = "ciphers",       [FAMILY_DIGEST] = "digests",     [FAMILY_MAC] = "macs",
    [FAMILY_SIGNATURE] = "signatures", [FAMILY_EXCHANGE] = "exchanges", [FAMILY_KEM] = "kems",
};
#define FAMILY_WORDS (sizeof family_words / sizeof family_words[0])

/* Keys of rows that leave their bits open. */
static const unsigned usual_bits[] = {1024, 2048, 3072, 4096};
#define MAIN_BITS 2048

const char *evp_selection_family_word(enum primitive_family family)
{
    return (size_t)family < FAMILY_WORDS ? family_words[family] : NULL;
}

static void add(struct evp_selection *selection, const struct primitive *primitive, unsigned bits)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->choices[i].primitive == primitive && selection->choices[i].bits == bits)
            return;
    selection->choices =
        memory_grow(selection->choices, selection->count + 1, sizeof *selection->choices);
    selection->choices[selection->count++] = (struct evp_choice){primitive, bits};
}

static void add_with_usual_bits(struct evp_selection *selection, const struct primitive *primitive)
{
    if (!primitive->bits_open) {
        add(selection, primitive, 0);
        return;
    }
    for (size_t i = 0; i < sizeof usual_bits / sizeof usual_bits[0]; i++)
        add(selection, primitive, usual_bits[i]);
}

/* In the default table only plain RSA comes in all sizes. */
static void add_of_table(struct evp_selection *selection, const struct primitive *primitive)
{
    if (primitive->bits_open && strcmp(primitive->name, "rsa") != 0)
        add(selection, primitive, MAIN_BITS);
    else
        add_with_usual_bits(selection, primitive);
}

static bool is_evp(const struct primitive *primitive)
{
    return strcmp(primitive->class->backend, "evp") == 0;
}

/* The usual rows of a set of families, with --legacy its legacy ones too; with `every` all rows. */
static void add_families(const struct evp_options *options, struct evp_selection *selection,
                         unsigned families, bool every)
{
    const struct primitive *row;

    for (size_t i = 0; (row = primitive_at(i)) != NULL; i++) {
        bool usual = row->in_default || (row->legacy && options->legacy);
        if (!is_evp(row) || !(families & PRIMITIVE_BIT(row->class->family)) ||
            row->class->family == FAMILY_YARDSTICK)
            continue;
        if (every && (!row->legacy || options->legacy))
            add_with_usual_bits(selection, row);
        else if (!every && usual)
            add_of_table(selection, row);
    }
}

/* --- words --- */

static unsigned family_of(const char *word)
{
    for (size_t i = 0; i < FAMILY_WORDS; i++)
        if (text_equal_nocase(word, family_words[i]))
            return PRIMITIVE_BIT(i);
    return 0;
}

/* OpenSSL's names of the keys too: "rsaEncryption", "RSASSA-PSS". */
static const char *open_name(const char *word)
{
    if (primitive_alias_is_key("RSA", word))
        return "rsa";
    return primitive_alias_is_key("RSA-PSS", word) ? "rsa-pss" : word;
}

/* "rsa" and "rsa:3072" mean both paddings; "rsa-pss:3072" and "rsa-3072" one. */
static bool add_open_row(struct evp_selection *selection, const char *word, const char *digits)
{
    const char *name = open_name(word);
    const struct primitive *row;
    bool found = false;

    for (size_t i = 0; (row = primitive_at(i)) != NULL; i++) {
        bool named = text_equal_nocase(row->name, name) ||
                     (text_equal_nocase(name, "rsa") && strcmp(row->name, "rsa-pss") == 0);
        if (!row->bits_open || !named)
            continue;
        if (digits)
            add(selection, row, (unsigned)strtoul(digits, NULL, 10));
        else
            add_with_usual_bits(selection, row);
        found = true;
    }
    return found;
}

static bool add_with_bits(struct evp_selection *selection, const char *word)
{
    const char *colon = strchr(word, ':');
    const char *digits = colon ? colon + 1 : NULL;

    if (!colon)
        return add_open_row(selection, word, NULL);
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || length > 9 || digits[length] != '\0')
        return false;
    char *name = memory_format("%.*s", (int)(colon - word), word);
    bool found = add_open_row(selection, name, digits);
    free(name);
    return found;
}

/* "HMAC" stands for it with every digest, "CMAC" for it with every cipher. */
static bool add_macs(struct evp_selection *selection, const char *word)
{
    const struct primitive *row;
    bool found = false;

    for (size_t i = 0; (row = primitive_at(i)) != NULL; i++) {
        if (row->class->family != FAMILY_MAC || !text_equal_nocase(row->fetched, word))
            continue;
        add(selection, row, 0);
        found = true;
    }
    return found;
}

/* --- words that are not understood --- */

/* Every name that is understood, families first. */
static const char *next_name(size_t index, const void *context)
{
    const struct primitive *row;

    (void)context;
    if (index < FAMILY_WORDS)
        return family_words[index];
    row = primitive_at(index - FAMILY_WORDS);
    return row && row->class->family != FAMILY_YARDSTICK ? row->name : NULL;
}

/* "3des": whether a name begins with the word's first `length` bytes. */
static bool begins(const char *name, const char *word, size_t length)
{
    return strncasecmp(name, word, length) == 0;
}

/* "aes-gcm": whether a name has the parts of the word, in their order. */
static bool has_parts(const char *name, const char *word, size_t length)
{
    const char *end = word + length;

    for (const char *part = word; part < end;) {
        size_t part_length = strcspn(part, "-");
        while (*name != '\0' && strncasecmp(name, part, part_length) != 0)
            name++;
        if (*name == '\0' || part_length == 0)
            return false;
        name += part_length;
        part += part_length + (part[part_length] == '-');
    }
    return true;
}

static const char *first_that(bool (*fits)(const char *name, const char *word, size_t length),
                              const char *word, size_t length)
{
    const char *name;

    for (size_t index = 0; length > 1 && (name = next_name(index, NULL)) != NULL; index++)
        if (fits(name, word, length))
            return name;
    return NULL;
}

/* "prime192v1": OpenSSL's name of a curve that only signs here. */
static const char *signature_with(const char *curve)
{
    char *name = memory_format("ecdsa-%s", curve);
    unsigned bits;
    const struct primitive *row = primitive_find(name, "evp", &bits);

    free(name);
    return row ? row->name : NULL;
}

/* What was meant, by the nearest likeness; all names that are as near would be many. */
static const char *guess(const char *word)
{
    const char *name = first_that(begins, word, strlen(word));

    if (!name)
        name = text_nearest(word, next_name, NULL);
    if (!name)
        name = signature_with(word);
    if (!name)
        name = first_that(has_parts, word, strlen(word));
    /* "dsa-1024", "dsa:1024" */
    return name ? name : first_that(begins, word, strcspn(word, "-:"));
}

static bool refuse(const char *word, struct error *err)
{
    const char *nearest = guess(word);

    if (begins(word, "rsa", 3) && strchr(word, ':'))
        return error_set(err,
                         "unknown algorithm \"%s\"; behind the colon stands a number of bits, "
                         "as in rsa:3072",
                         word);
    if (nearest)
        return error_set(err, "unknown algorithm \"%s\"; did you mean %s? --list has them all",
                         word, nearest);
    return error_set(err,
                     "unknown algorithm \"%s\"; there are: ciphers, digests, macs, signatures, "
                     "exchanges, kems, all, and the names of --list",
                     word);
}

/* --- all words --- */

static bool add_word(const struct evp_options *options, struct evp_selection *selection,
                     const char *word, struct error *err)
{
    unsigned bits, family = family_of(word);
    const struct primitive *row = primitive_find(word, "evp", &bits);

    if (text_equal_nocase(word, "all"))
        add_families(options, selection, ~0U, true);
    else if (family != 0)
        add_families(options, selection, family, false);
    else if (row && row->class->family != FAMILY_YARDSTICK)
        add(selection, row, bits);
    else if (!add_macs(selection, word) && !add_with_bits(selection, word))
        return refuse(word, err);
    return true;
}

/* The other backend's rows, each right behind EVP's; whether there are any. */
static bool add_backend(struct evp_selection *selection, const char *backend)
{
    struct evp_selection both = {0};
    bool found = false;

    for (size_t i = 0; i < selection->count; i++) {
        const struct evp_choice *choice = &selection->choices[i];
        unsigned bits;
        const struct primitive *other = primitive_find(choice->primitive->name, backend, &bits);
        add(&both, choice->primitive, choice->bits);
        if (other)
            add(&both, other, 0);
        found |= other != NULL;
    }
    evp_selection_cleanup(selection);
    *selection = both;
    return found;
}

static bool has_backend(const char *backend)
{
    const struct primitive *row;

    for (size_t i = 0; (row = primitive_at(i)) != NULL; i++)
        if (strcmp(row->class->backend, backend) == 0)
            return true;
    return false;
}

bool evp_selection_read(const struct evp_options *options, struct evp_selection *selection,
                        struct error *err)
{
    *selection = (struct evp_selection){0};
    if (options->backend == 1 && !has_backend("mcrypt"))
        return error_set(err, "--backend mcrypt: this suitemark was built without libmcrypt");
    if (options->algorithms.count == 0)
        add_families(options, selection, ~0U, false);
    for (size_t i = 0; i < options->algorithms.count; i++) {
        if (!add_word(options, selection, options->algorithms.items[i], err)) {
            evp_selection_cleanup(selection);
            return false;
        }
    }
    /* Other libraries do not obey OpenSSL's mask, so they have no place in a column of it. */
    if (options->backend == 1 && !options->column && !add_backend(selection, "mcrypt")) {
        evp_selection_cleanup(selection);
        return error_set(err, "--backend mcrypt: libmcrypt has none of these algorithms");
    }
    return true;
}

void evp_selection_cleanup(struct evp_selection *selection)
{
    free(selection->choices);
    *selection = (struct evp_selection){0};
}
