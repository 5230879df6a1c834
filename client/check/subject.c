#include "client/check/subject.h"

#include "client/check/scratch.h"
#include "client/check/suite_b.h"
#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/tls/settings.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int subject_version_number(enum subject_version version)
{
    return TLS1_VERSION + (int)version;
}

void subject_set(struct subject_value *value, const char *text, const char *place)
{
    free(value->text);
    free(value->place);
    value->text = text ? memory_copy_text(text) : NULL;
    value->place = memory_copy_text(place ? place : "");
}

/* OpenSSL's own lists (t1_lib.c of each version), those of the versions that a distribution still
 * has. */
const char *subject_default_groups(const struct library_facts *library)
{
    if (library->version >= 0x30500000UL)
        return "X25519MLKEM768:X25519:P-256:X448:P-384:P-521:ffdhe2048:ffdhe3072";
    return "X25519:P-256:X448:P-521:P-384:ffdhe2048:ffdhe3072:ffdhe4096:ffdhe6144:ffdhe8192";
}

static void say_group(struct check_subject *subject, const char *word,
                      struct finding_list *findings)
{
    const char *nearest = group_nearest(word);
    char remedy[160] = "remove it";

    if (nearest)
        snprintf(remedy, sizeof remedy, "did you mean %s?", nearest);
    finding_add(findings, FINDING_ERROR, "unknown group", word, subject->groups.place, remedy,
                "OpenSSL refuses the whole list of groups for a name that it does not know, and a "
                "server with it does not start");
    subject->refused = true;
}

static void add_group(struct check_subject *subject, const struct tls_group *group,
                      const char *word, const struct library_facts *library,
                      struct finding_list *findings)
{
    if (!library_has_group(library, group)) {
        finding_add(findings, FINDING_ERROR, "group not in this library", word,
                    subject->groups.place, "remove it, or update OpenSSL",
                    "this OpenSSL has no %s and refuses the whole list of groups", group->name);
        subject->refused = true;
    } else if (subject->group_count < SUBJECT_GROUPS) {
        subject->group_list[subject->group_count++] = group;
    }
}

/* The words of the list, with the library's own in place of DEFAULT. */
static void list_words(const struct check_subject *subject, const struct library_facts *library,
                       struct text_list *words)
{
    const char *defaults = subject_default_groups(library);
    struct text_list given = {0};

    text_list_add_split(&given, subject->groups.text ? subject->groups.text : defaults, ":/");
    for (size_t i = 0; i < given.count; i++) {
        if (text_equal_nocase(given.items[i], "DEFAULT") && library->version >= 0x30500000UL)
            text_list_add_split(words, defaults, ":");
        else if (given.items[i][0] != '-')
            text_list_add(words, given.items[i]);
    }
    text_list_cleanup(&given);
}

/* The list as a whole: up to OpenSSL 3.4 a group may not stand twice, and never may there be none.
 */
static void try_groups(struct check_subject *subject, struct finding_list *findings)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());

    if (ctx && SSL_CTX_set1_groups_list(ctx, subject->groups.text) != 1) {
        subject->refused = true;
        finding_add(findings, FINDING_ERROR, "groups", subject->groups.text, subject->groups.place,
                    "name at least one group, and each of them once",
                    "OpenSSL refuses the list of groups, and a server with it does not start");
    }
    ERR_clear_error();
    SSL_CTX_free(ctx);
}

/* OpenSSL 3.3 and later take "?name" for groups that may be missing, 3.5 "*" and "/" for key
 * shares,
 * "-name", and DEFAULT. */
static void read_groups(struct check_subject *subject, const struct library_facts *library,
                        struct finding_list *findings)
{
    struct text_list words = {0};

    list_words(subject, library, &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.items[i] + strspn(words.items[i], "?*");
        const struct tls_group *group = group_find(word);
        bool optional = strcspn(words.items[i], "?") < strlen(words.items[i]);
        if (group && (library_has_group(library, group) || (subject->groups.text && !optional)))
            add_group(subject, group, word, library, findings);
        else if (!group && !optional)
            say_group(subject, word, findings);
    }
    text_list_cleanup(&words);
    if (subject->groups.text && !subject->refused)
        try_groups(subject, findings);
}

/* Suite B has groups of its own, whatever is configured. */
static void bind_groups(struct check_subject *subject)
{
    struct text_list names = {0};

    text_list_add_split(&names, suite_b_groups(subject->list.suite_b), ":");
    subject->group_count = 0;
    for (size_t i = 0; i < names.count; i++)
        subject->group_list[subject->group_count++] = group_find(names.items[i]);
    text_list_cleanup(&names);
}

/* Their bits; 0: they cannot be read here. */
static int read_params(struct check_subject *subject, const struct subject_value *file,
                       struct finding_list *findings)
{
    struct error err;
    bool here = file_is_readable(file->text);
    EVP_PKEY *params = here ? tls_dh_params_load(file->text, &err) : NULL;
    int bits = params ? EVP_PKEY_get_bits(params) : 0;

    if (here && !params) {
        subject->refused = true;
        finding_add(findings, FINDING_ERROR, "DH parameters", file->text, file->place,
                    "openssl dhparam -out FILE 2048", "%s: a server with it does not start",
                    err.text);
    } else if (!params) {
        finding_add(findings, FINDING_WARNING, "DH parameters", file->text, file->place,
                    "run the check where the file is",
                    "the file cannot be read here, and 2048 bits are assumed");
    }
    EVP_PKEY_free(params);
    return bits;
}

void subject_read_dhparam(struct check_subject *subject, struct finding_list *findings)
{
    subject->dh_bits = read_params(subject, &subject->dhparam, findings);
    subject->dh = subject->dh_bits > 0 ? DH_PARAMS : DH_AUTO;
}

void subject_read_early_dhparam(struct check_subject *subject, struct finding_list *findings)
{
    subject->early_dh_bits = read_params(subject, &subject->early_dhparam, findings);
}

/* A server that is given such parameters does not start ("dh key too small"). */
static void check_params(const struct subject_value *file, int bits, int level,
                         struct finding_list *findings)
{
    int least = level >= 5   ? 15360
                : level == 4 ? 7680
                : level == 3 ? 3072
                : level == 2 ? 2048
                             : 1024;

    if (bits > 0 && bits < least)
        finding_add(findings, FINDING_ERROR, "DH parameters too small", file->text, file->place,
                    "openssl dhparam -out FILE 2048",
                    "%d bits, and security level %d wants %d (\"dh key too small\"): a server with "
                    "them does not start",
                    bits, level, least);
}

/* Parameters that others replace are loaded before them. */
static void check_dhparam(const struct check_subject *subject, int load_level,
                          struct finding_list *findings)
{
    bool late = subject->dh_late;

    check_params(&subject->early_dhparam, subject->early_dh_bits, load_level, findings);
    check_params(&subject->dhparam, subject->dh_bits, late ? subject->list.level : load_level,
                 findings);
}

static bool is_of(const struct suite *suite, int version)
{
    struct suite_facts facts = suite_facts(suite);

    return version >= facts.min_version && version <= facts.max_version;
}

static bool has_suite_of(const struct cipher_list *list, int version)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_of(list->items[i].suite, version))
            return true;
    return false;
}

/* Of a string that is judged elsewhere. */
static bool string_has_suite_of(const char *string, int default_level, int version)
{
    struct scratch_list *list = memory_new(1, sizeof *list);
    struct scratch scratch;
    bool has = false;

    if (scratch_init(&scratch, default_level) &&
        scratch_expand(&scratch, string, list) == SCRATCH_SELECTS)
        for (size_t i = 0; i < list->count; i++)
            has |= is_of(list->suites[i], version);
    scratch_cleanup(&scratch);
    free(list);
    return has;
}

/* Whether a handshake starts with a suite of this version. */
static bool starts_with_suite_of(const struct check_subject *subject, int version)
{
    const char *start = subject->start_ciphers.text;

    return has_suite_of(&subject->list_13, version) ||
           (start ? string_has_suite_of(start, subject->default_level, version)
                  : has_suite_of(&subject->list, version));
}

/* What OpenSSL looks for before it reads the ClientHello, with the lists and versions that are in
 * force then. What it takes for the highest version is the highest one below the lowest gap. Where
 * that is the highest indeed, its suites are judged one by one, if there are any. */
static void find_deafness(struct check_subject *subject)
{
    int highest = 0, above;

    while (highest < SUBJECT_VERSIONS && !subject->version_on[highest])
        highest++;
    while (highest < SUBJECT_13 && subject->version_on[highest + 1])
        highest++;
    for (above = highest + 1; above < SUBJECT_VERSIONS && !subject->version_on[above];)
        above++;
    int number = subject_version_number((enum subject_version)highest);
    bool has_suite = starts_with_suite_of(subject, number);
    if (highest != SUBJECT_13 && above >= SUBJECT_VERSIONS)
        return;
    if (!has_suite)
        subject->deaf_number = number;
    subject->needs_start = has_suite != (has_suite_of(&subject->list_13, number) ||
                                         has_suite_of(&subject->list, number));
}

/* The security level while files are loaded. A string that is replaced behind that is read, too:
 * what OpenSSL refuses of it counts. */
static int load_level(struct check_subject *subject, struct finding_list *findings)
{
    enum finding_level least = findings->least;
    struct cipher_place place = {subject->load_ciphers.place, subject->nginx};
    struct cipher_list *list = memory_new(1, sizeof *list);

    findings->least = FINDING_ERROR;
    ciphers_read(subject->load_ciphers.text, &place, subject->default_level, list, findings);
    findings->least = least;
    int level = list->level;
    subject->refused |= list->refused;
    cipher_list_cleanup(list);
    free(list);
    return level;
}

static const char *place_of(const struct subject_value *value)
{
    return value->place ? value->place : "";
}

void subject_finish(struct check_subject *subject, const struct library_facts *library,
                    struct finding_list *findings)
{
    struct cipher_place place = {place_of(&subject->ciphers), subject->nginx};
    struct cipher_place place_13 = {place_of(&subject->ciphersuites), subject->nginx};
    const char *ciphers = subject->ciphers.text ? subject->ciphers.text : "DEFAULT";

    subject->default_level = ciphers_default_level();
    int level = subject->default_level;
    if (subject->load_ciphers.text)
        level = subject->default_level = load_level(subject, findings);
    ciphers_read(ciphers, &place, subject->default_level, &subject->list, findings);
    ciphers_read_13(subject->ciphersuites.text, &place_13, &subject->list_13, findings);
    subject->refused |= subject->list.refused || subject->list_13.refused;
    find_deafness(subject);
    read_groups(subject, library, findings);
    if (subject->list.suite_b) {
        subject->prefer_server = subject->prefer_server_13 = true; /* s3_lib.c */
        bind_groups(subject);
    }
    certificate_keep_last(&subject->certificates, findings);
    size_t errors = findings->errors;
    if (!subject->load_ciphers.text)
        level = subject->list.level;
    certificate_check_level(&subject->certificates, level, place.file_line, findings);
    check_dhparam(subject, level, findings);
    subject->refused |= findings->errors > errors;
}

static void free_value(struct subject_value *value)
{
    free(value->text);
    free(value->place);
}

void subject_cleanup(struct check_subject *subject)
{
    free(subject->name);
    free(subject->place);
    free_value(&subject->ciphers);
    free_value(&subject->ciphersuites);
    free_value(&subject->start_ciphers);
    free_value(&subject->load_ciphers);
    free_value(&subject->groups);
    free_value(&subject->versions);
    free_value(&subject->prefer);
    free_value(&subject->dhparam);
    free_value(&subject->early_dhparam);
    certificate_cleanup(&subject->certificates);
    cipher_list_cleanup(&subject->list);
    cipher_list_cleanup(&subject->list_13);
    *subject = (struct check_subject){.name = NULL};
}
