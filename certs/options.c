#include "certs/options.h"

const struct option_row certs_option_rows[] = {
    {.name = "kinds",
     .type = OPTION_LIST,
     .offset = offsetof(struct certs_options, kinds),
     .value = "KIND,…",
     .help = "Certificate kinds to make, or all that the loaded OpenSSL has.",
     .fallback = "all"},
    {.name = "force",
     .letter = 'f',
     .type = OPTION_FLAG,
     .offset = offsetof(struct certs_options, force),
     .help = "Replace files that are there already."},
    {.name = "help",
     .letter = 'h',
     .type = OPTION_FLAG,
     .offset = offsetof(struct certs_options, help),
     .help = "Show this help and exit."},
    {.name = "version",
     .type = OPTION_FLAG,
     .offset = offsetof(struct certs_options, version),
     .help = "Show the versions of suitemark-certs and OpenSSL and exit."},
};
const size_t certs_option_count = sizeof(certs_option_rows) / sizeof(certs_option_rows[0]);

bool certs_options_parse(struct certs_options *options, int argc, char **argv,
                         struct text_list *operands, struct error *err)
{
    if (!option_parse(certs_option_rows, certs_option_count, options, argc, argv, operands, err))
        return false;
    if (options->help || options->version)
        return true;
    if (operands->count == 0)
        return error_set(err, "the folder is missing: suitemark-certs DIR");
    if (operands->count > 1)
        return error_set(err, "one folder only: \"%s\" is one too many", operands->items[1]);
    if (operands->items[0][0] == '\0')
        return error_set(err, "the folder's name is empty");
    options->dir = operands->items[0];
    return true;
}

void certs_options_cleanup(struct certs_options *options)
{
    option_cleanup(certs_option_rows, certs_option_count, options);
}

/* Every name is a kind that the library has; "all" is none of them. */
static bool check_names(const struct text_list *names, const struct library_facts *facts,
                        struct error *err)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];
        const struct certificate_kind *kind = kind_find(name);
        const char *nearest = kind_nearest(name);
        if (kind != NULL && !library_has_kind(facts, kind))
            return error_set(err, "the loaded OpenSSL cannot make %s certificates", kind->name);
        if (kind == NULL && !text_equal_nocase(name, "all"))
            return error_set(err, "unknown certificate kind \"%s\"%s%s%s", name,
                             nearest != NULL ? ": did you mean " : "",
                             nearest != NULL ? nearest : "", nearest != NULL ? "?" : "");
    }
    return true;
}

bool certs_options_kinds(const struct certs_options *options, const struct library_facts *facts,
                         const struct certificate_kind **kinds, size_t *count, struct error *err)
{
    if (!check_names(&options->kinds, facts, err))
        return false;
    bool all = text_list_has(&options->kinds, "all");
    *count = 0;
    for (size_t i = 0; i < kind_count; i++) {
        const struct certificate_kind *kind = &kind_table[i];
        if (library_has_kind(facts, kind) && (all || text_list_has(&options->kinds, kind->name)))
            kinds[(*count)++] = kind;
    }
    return *count > 0 || error_set(err, "no certificate kind is left to make");
}
