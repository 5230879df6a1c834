#include "certs/issue.h"
#include "certs/options.h"
#include "certs/store.h"
#include "common/base/descriptors.h"
#include "common/base/file.h"
#include "common/base/memory.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
};

static void show_help(void)
{
    (void)printf(
        "Usage: suitemark-certs [OPTION…] DIR\n"
        "Makes a test authority and leaf certificates in DIR, ready for nginx and HAProxy:\n"
        "KIND.crt (with its intermediate), KIND.key, KIND.pem (both), root.crt.\n"
        "An authority that DIR already has issues the new leaves too.\n\n");
    option_help(stdout, certs_option_rows, certs_option_count);
}

static void show_progress(void *context, const char *text)
{
    (void)context;
    (void)fprintf(stderr, "suitemark-certs: %s\n", text);
}

static int complain(enum exit_status status, const struct error *err)
{
    (void)fprintf(stderr, "suitemark-certs: %s\n", err->text);
    return status;
}

/* Only where the user did not choose: a kind that was named is an error before. */
static void tell_skipped(const struct certs_options *options, const struct library_facts *facts)
{
    for (size_t i = 0; i < kind_count; i++)
        if (text_list_has(&options->kinds, "all") && !library_has_kind(facts, &kind_table[i]))
            (void)fprintf(stderr, "suitemark-certs: skipped %s: not in this OpenSSL\n",
                          kind_table[i].name);
}

/* Before any key is made: nothing is worse than a refusal after a minute. */
static bool check_free(const char *dir, const struct certificate_kind *const *kinds, size_t count,
                       struct error *err)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < count; i++)
        if (store_has_identity(dir, kinds[i]->name, path, sizeof(path)))
            return error_set(err, "%s is there already (--force replaces it)", path);
    return true;
}

/* The folder's authority; *found is false and it stays empty where a new one is to be made. */
static bool read_authority(const struct certs_options *options, struct authority *authority,
                           bool *found, struct error *err)
{
    if (store_read_authority(options->dir, authority, found, err))
        return true;
    if (!options->force)
        return error_set(err, "%s (--force makes a new authority)", err->text);
    *found = false;
    return true;
}

static bool write_authority(const struct certs_options *options, const struct authority *authority,
                            struct error *err)
{
    enum file_existing existing = options->force ? FILE_REPLACE : FILE_KEEP;
    if (!store_write_authority(options->dir, authority, existing, err))
        return false;
    (void)printf("root: %s/root.crt\n", options->dir);
    return true;
}

static bool write_identities(const struct certs_options *options, const struct identity *identities,
                             size_t count, struct error *err)
{
    enum file_existing existing = options->force ? FILE_REPLACE : FILE_KEEP;
    for (size_t i = 0; i < count; i++) {
        const char *name = identities[i].name;
        if (!store_write_identity(options->dir, &identities[i], existing, err))
            return false;
        (void)printf("%s: %s/%s.crt, %s.key, %s.pem\n", name, options->dir, name, name, name);
    }
    return true;
}

static bool make(const struct certs_options *options, const struct certificate_kind *const *kinds,
                 size_t count, struct error *err)
{
    struct authority authority = {0};
    struct identity *identities = memory_new(count, sizeof(*identities));
    bool found = false;
    bool ok = read_authority(options, &authority, &found, err) &&
              issue_leaves(&authority, kinds, count, identities, show_progress, NULL, err) &&
              (found || write_authority(options, &authority, err)) &&
              write_identities(options, identities, count, err);
    for (size_t i = 0; i < count; i++)
        identity_cleanup(&identities[i]);
    free(identities);
    authority_cleanup(&authority);
    return ok && file_flush_output(err);
}

static int run(const struct certs_options *options)
{
    struct error err = {{0}};
    struct library_facts facts;
    if (!library_init(false, &err) || !library_facts_read(&facts, &err))
        return complain(EXIT_FAILED, &err);

    const struct certificate_kind **kinds = memory_new(kind_count, sizeof(*kinds));
    size_t count;
    int status = EXIT_DONE, lock = -1;
    if (!certs_options_kinds(options, &facts, kinds, &count, &err)) {
        status = complain(EXIT_USAGE, &err);
    } else if (!store_lock(options->dir, &lock, &err)) {
        status = complain(EXIT_FAILED, &err);
    } else if (!options->force && !check_free(options->dir, kinds, count, &err)) {
        status = complain(EXIT_USAGE, &err);
    } else {
        tell_skipped(options, &facts);
        if (!make(options, kinds, count, &err))
            status = complain(EXIT_FAILED, &err);
    }
    if (lock >= 0)
        (void)close(lock);
    free(kinds);
    return status;
}

int main(int argc, char **argv)
{
    struct certs_options options = {0};
    struct text_list operands = {0};
    struct error err = {{0}};
    int status = EXIT_DONE;

    descriptors_hold_standard();
    if (!certs_options_parse(&options, argc, argv, &operands, &err))
        status = complain(EXIT_USAGE, &err);
    else if (options.help)
        show_help();
    else if (options.version)
        (void)printf("suitemark-certs %s, %s\n", SUITEMARK_VERSION,
                     OpenSSL_version(OPENSSL_VERSION));
    else
        status = run(&options);
    if ((options.help || options.version) && !file_flush_output(&err))
        status = complain(EXIT_FAILED, &err);

    certs_options_cleanup(&options);
    text_list_cleanup(&operands);
    return status;
}
