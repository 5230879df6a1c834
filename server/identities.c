#include "server/identities.h"

#include "certs/load.h"
#include "common/base/memory.h"
#include "server/sni.h"

#include <stdlib.h>

/* The kinds to make, in the order in which they were asked for. */
struct wanted {
    const struct certificate_kind *kinds[SNI_IDENTITIES_MAX];
    size_t count;
};

static bool want(struct wanted *wanted, const struct certificate_kind *kind, struct error *err)
{
    for (size_t i = 0; i < wanted->count; i++) {
        if (wanted->kinds[i] == kind)
            return true;
    }
    if (wanted->count == SNI_IDENTITIES_MAX)
        return error_set(err, "more than %d kinds", SNI_IDENTITIES_MAX);
    wanted->kinds[wanted->count++] = kind;
    return true;
}

static bool want_word(struct wanted *wanted, const char *word, const struct library_facts *facts,
                      struct error *err)
{
    const struct certificate_kind *kind = kind_find(word);
    if (kind == NULL) {
        const char *nearest = kind_nearest(word);
        return nearest != NULL ? error_set(err,
                                           "--certs: unknown certificate kind %s; did you "
                                           "mean %s?",
                                           word, nearest)
                               : error_set(err, "--certs: unknown certificate kind %s", word);
    }
    if (!library_has_kind(facts, kind))
        return error_set(err, "--certs: this OpenSSL has no %s", kind->name);
    return want(wanted, kind, err);
}

static bool want_all(struct wanted *wanted, const struct library_facts *facts, struct error *err)
{
    for (size_t i = 0; i < kind_count; i++) {
        if (library_has_kind(facts, &kind_table[i]) && !want(wanted, &kind_table[i], err))
            return false;
    }
    return true;
}

static bool collect(const struct server_options *options, const struct library_facts *facts,
                    struct wanted *wanted, struct error *err)
{
    const bool all = text_list_has(&options->certs, "all");
    if (all || (options->certs.count == 0 && options->cert.count == 0))
        return want_all(wanted, facts, err);
    for (size_t i = 0; i < options->certs.count; i++) {
        if (!want_word(wanted, options->certs.items[i], facts, err))
            return false;
    }
    return true;
}

static bool load_own(const struct server_options *options, size_t index, struct identity *identity,
                     struct error *err)
{
    const char *key = options->key.items[index];
    if (options->key_pass_file == NULL && load_key_is_locked(key))
        return error_set(err, "%s: the key is encrypted: give its pass phrase by --key-pass-file",
                         key);
    return load_identity(options->cert.items[index], key, options->key_pass_file,
                         (int)options->security_level, identity, err);
}

bool identities_make(const struct server_options *options, const struct library_facts *facts,
                     issue_progress *progress, void *context, struct identities *identities,
                     struct error *err)
{
    struct wanted wanted = {0};
    *identities = (struct identities){0};
    if (!collect(options, facts, &wanted, err))
        return false;
    const size_t own = options->cert.count;
    identities->items = memory_new(own + wanted.count, sizeof *identities->items);
    for (; identities->own < own; identities->own++, identities->count++) {
        if (!load_own(options, identities->own, &identities->items[identities->own], err))
            goto failed;
    }
    if (wanted.count > 0 &&
        !issue_identities(options->cert_dir, wanted.kinds, wanted.count, identities->items + own,
                          NULL, progress, context, err))
        goto failed;
    identities->count += wanted.count;
    return true;

failed:
    identities_cleanup(identities);
    return false;
}

void identities_cleanup(struct identities *identities)
{
    for (size_t i = 0; i < identities->count; i++)
        identity_cleanup(&identities->items[i]);
    free(identities->items);
    *identities = (struct identities){0};
}
