#include "client/selection.h"

#include <string.h>

/* The words of ciphers(1) that stand for many suites. A word that is one of these, or that has an
 * operator, is read as a cipher string; any other is a suite's name, so that a typo in one is told
 * and not taken for an empty selection. */
static const char *const cipher_words[] = {
    "DEFAULT",     "COMPLEMENTOFDEFAULT",
    "ALL",         "COMPLEMENTOFALL",
    "HIGH",        "MEDIUM",
    "LOW",         "eNULL",
    "NULL",        "aNULL",
    "kRSA",        "aRSA",
    "RSA",         "kDHE",
    "kEDH",        "DH",
    "DHE",         "EDH",
    "ADH",         "kEECDH",
    "kECDHE",      "ECDH",
    "ECDHE",       "EECDH",
    "AECDH",       "aDSS",
    "DSS",         "aECDSA",
    "ECDSA",       "TLSv1.2",
    "TLSv1.0",     "TLSv1",
    "SSLv3",       "AES128",
    "AES256",      "AES",
    "AESGCM",      "AESCCM",
    "AESCCM8",     "ARIA128",
    "ARIA256",     "ARIA",
    "ARIAGCM",     "CAMELLIA128",
    "CAMELLIA256", "CAMELLIA",
    "CHACHA20",    "CBC",
    "3DES",        "DES",
    "RC4",         "RC2",
    "IDEA",        "SEED",
    "MD5",         "SHA1",
    "SHA",         "SHA256",
    "SHA384",      "kPSK",
    "kECDHEPSK",   "kDHEPSK",
    "kRSAPSK",     "aPSK",
    "PSK",         "kSRP",
    "aSRP",        "SRP",
    "SUITEB128",   "SUITEB128ONLY",
    "SUITEB128C2", "SUITEB192",
};

static bool is_cipher_string(const char *word)
{
    if (strpbrk(word, "+!@:") || word[0] == '-')
        return true;
    for (size_t i = 0; i < sizeof cipher_words / sizeof cipher_words[0]; i++) {
        if (strcmp(word, cipher_words[i]) == 0)
            return true;
    }
    return false;
}

static void add(struct selection *selection, const struct suite *suite, bool named)
{
    for (size_t i = 0; i < selection->suite_count; i++) {
        if (selection->suites[i].suite == suite) {
            selection->suites[i].mention.named |= named;
            return;
        }
    }
    if (selection->suite_count < SELECTION_SUITES)
        selection->suites[selection->suite_count++] =
            (struct selected_suite){.mention.named = named, .suite = suite};
}

static void add_all(struct selection *selection, const struct library_facts *library)
{
    for (size_t i = 0; i < suite_count; i++) {
        if (library_has_suite(library, &suite_table[i]))
            add(selection, &suite_table[i], false);
    }
}

/* "A:B:C" where each is a suite's name, as nginx's ssl_ciphers has them: taken as names, since a
 * cipher string knows neither TLS 1.3 suites nor IANA names on every OpenSSL. False: it is none. */
static bool add_names(struct selection *selection, const char *word)
{
    struct text_list names = {0};
    bool all_known;

    text_list_add_split(&names, word, ":");
    all_known = names.count > 0;
    for (size_t i = 0; i < names.count && all_known; i++)
        all_known = suite_find(names.items[i]) != NULL;
    for (size_t i = 0; i < names.count && all_known; i++)
        add(selection, suite_find(names.items[i]), true);
    text_list_cleanup(&names);
    return all_known;
}

static bool add_cipher_string(struct selection *selection, const char *string, struct error *err)
{
    const struct suite *suites[SELECTION_SUITES];
    size_t count = 0;

    if (!library_expand_ciphers(string, suites, SELECTION_SUITES, &count, err))
        return error_prefix(err, "--suites");
    for (size_t i = 0; i < count; i++)
        add(selection, suites[i], false);
    return true;
}

bool selection_read_suites(const struct text_list *words, const struct library_facts *library,
                           struct selection *selection, struct error *err)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        const char *nearest;

        if (text_equal_nocase(word, "all")) {
            add_all(selection, library);
        } else if (add_names(selection, word)) {
            continue;
        } else if (is_cipher_string(word)) {
            if (!add_cipher_string(selection, word, err))
                return false;
        } else {
            nearest = suite_nearest(word);
            return error_set(err, "--suites: unknown suite \"%s\"%s%s", word,
                             nearest ? "; nearest: " : "; see --list suites",
                             nearest ? nearest : "");
        }
    }
    return true;
}
