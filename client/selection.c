#include "client/selection.h"

#include "common/tls/version.h"

static void add_kind(struct selection *selection, const struct certificate_kind *kind, bool named)
{
    for (size_t i = 0; i < selection->kind_count; i++) {
        if (selection->kinds[i].kind == kind) {
            selection->kinds[i].mention.named |= named;
            return;
        }
    }
    if (selection->kind_count < SELECTION_KINDS)
        selection->kinds[selection->kind_count++] =
            (struct selected_kind){.mention.named = named, .kind = kind};
}

static bool read_kinds(const struct text_list *words, const struct library_facts *library,
                       struct selection *selection, struct error *err)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        const struct certificate_kind *kind = kind_find(word);
        const char *nearest;

        if (text_equal_nocase(word, "all")) {
            for (size_t k = 0; k < kind_count; k++) {
                if (library_has_kind(library, &kind_table[k]))
                    add_kind(selection, &kind_table[k], false);
            }
            continue;
        }
        if (!kind) {
            nearest = kind_nearest(word);
            return error_set(err, "--certs: unknown certificate kind \"%s\"%s%s", word,
                             nearest ? "; nearest: " : "; see --list certs",
                             nearest ? nearest : "");
        }
        add_kind(selection, kind, true);
    }
    return true;
}

static void add_group(struct selection *selection, const struct tls_group *group, bool named)
{
    for (size_t i = 0; i < selection->group_count; i++) {
        if (selection->groups[i].group == group) {
            selection->groups[i].mention.named |= named;
            return;
        }
    }
    if (selection->group_count < SELECTION_GROUPS)
        selection->groups[selection->group_count++] =
            (struct selected_group){.mention.named = named, .group = group};
}

static bool read_groups(const struct text_list *words, const struct library_facts *library,
                        struct selection *selection, struct error *err)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        const struct tls_group *group = group_find(word);
        const char *nearest;

        if (text_equal_nocase(word, "all")) {
            for (size_t g = 0; g < group_count; g++) {
                if (library_has_group(library, &group_table[g]))
                    add_group(selection, &group_table[g], false);
            }
            continue;
        }
        if (!group) {
            nearest = group_nearest(word);
            return error_set(err, "--groups: unknown group \"%s\"%s%s", word,
                             nearest ? "; nearest: " : "; see --list groups",
                             nearest ? nearest : "");
        }
        add_group(selection, group, true);
    }
    if (selection->group_count == 0)
        add_group(selection, group_find("x25519"), false);
    return true;
}

static void add_version(struct selection *selection, int version, bool named)
{
    for (size_t i = 0; i < selection->version_count; i++) {
        if (selection->versions[i].version == version) {
            selection->versions[i].mention.named |= named;
            return;
        }
    }
    selection->versions[selection->version_count++] =
        (struct selected_version){.mention.named = named, .version = version};
}

static bool read_versions(const struct text_list *words, struct selection *selection,
                          struct error *err)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        int version = tls_version_parse(word);

        if (text_equal_nocase(word, "all")) {
            for (int v = TLS1_3_VERSION; v >= TLS1_VERSION; v--)
                add_version(selection, v, false);
        } else if (version == 0) {
            return error_set(err, "--versions: unknown version \"%s\"", word);
        } else {
            add_version(selection, version, true);
        }
    }
    return true;
}

static bool read_measures(const struct run_options *options, struct selection *selection,
                          struct error *err)
{
    const struct text_list *words = &options->measures;
    bool wanted[2] = {false, false};

    for (size_t i = 0; i < words->count; i++) {
        enum measure measure;

        if (!measure_parse(words->items[i], &measure, err))
            return error_prefix(err, "--measure");
        wanted[measure] = true;
    }
    if (words->count == 0) {
        /* Who asks for record sizes or directions asks about bulk. */
        wanted[MEASURE_BULK] = true;
        wanted[MEASURE_HANDSHAKE] =
            options->record_sizes.count == 0 && options->directions.count == 0;
    }
    for (int i = MEASURE_HANDSHAKE; i <= MEASURE_BULK; i++) {
        if (wanted[i])
            selection->measures[selection->measure_count++] = (enum measure)i;
    }
    return true;
}

static bool read_record_sizes(const struct text_list *words, struct selection *selection,
                              struct error *err)
{
    for (size_t i = 0; i < words->count; i++) {
        uint32_t bytes = 0;
        size_t at = 0;

        if (!record_size_parse(words->items[i], &bytes, err))
            return error_prefix(err, "--record-sizes");
        while (at < selection->record_size_count && selection->record_sizes[at] != bytes)
            at++;
        if (at < selection->record_size_count)
            continue;
        if (at == SELECTION_SIZES)
            return error_set(err, "--record-sizes: more than %d sizes", SELECTION_SIZES);
        selection->record_sizes[selection->record_size_count++] = bytes;
    }
    if (selection->record_size_count == 0)
        selection->record_sizes[selection->record_size_count++] = RECORD_SIZE_MAX;
    return true;
}

static bool read_directions(const struct text_list *words, struct selection *selection,
                            struct error *err)
{
    bool wanted[2] = {words->count == 0, false};

    for (size_t i = 0; i < words->count; i++) {
        enum direction direction;

        if (!direction_parse(words->items[i], &direction, err))
            return error_prefix(err, "--direction");
        wanted[direction] = true;
    }
    for (int i = DIRECTION_DOWNLOAD; i <= DIRECTION_UPLOAD; i++) {
        if (wanted[i])
            selection->directions[selection->direction_count++] = (enum direction)i;
    }
    return true;
}

bool selection_given(const struct run_options *options)
{
    return options->suites.count > 0 || options->certs.count > 0 || options->groups.count > 0 ||
           options->versions.count > 0 || options->record_sizes.count > 0 ||
           options->directions.count > 0;
}

bool selection_read(const struct run_options *options, const struct library_facts *library,
                    struct selection *selection, struct error *err)
{
    *selection = (struct selection){.suite_count = 0};
    return selection_read_suites(&options->suites, library, selection, err) &&
           read_kinds(&options->certs, library, selection, err) &&
           read_groups(&options->groups, library, selection, err) &&
           read_versions(&options->versions, selection, err) &&
           read_measures(options, selection, err) &&
           read_record_sizes(&options->record_sizes, selection, err) &&
           read_directions(&options->directions, selection, err);
}
