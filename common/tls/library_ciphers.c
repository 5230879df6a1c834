#include "common/tls/library.h"

#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

/* Cipher strings as ciphers(1) defines them. OpenSSL drops the words that it does not know without
 * a sound as long as any other word selects something, so each word is tried alone. */

/* Keywords that select nothing in a usual OpenSSL 3, or in some builds of it: to exclude them is
 * common and harmless, to ask for them is an error. */
static const char *const ciphers_keywords[] = {
    "3DES",      "ADH",         "AECDH",       "ARIA",     "ARIA128", "ARIA256",   "ARIAGCM",
    "CAMELLIA",  "CAMELLIA128", "CAMELLIA256", "CHACHA20", "DES",     "DSS",       "ECDH",
    "EXP",       "EXPORT",      "EXPORT40",    "EXPORT56", "GOST",    "GOST12",    "GOST89",
    "GOST89MAC", "GOST94",      "IDEA",        "KRB5",     "LOW",     "MD5",       "MEDIUM",
    "NULL",      "PSK",         "RC2",         "RC4",      "SEED",    "SRP",       "SSLv2",
    "SSLv3",     "TLSv1",       "TLSv1.0",     "aDH",      "aDSS",    "aECDH",     "aGOST",
    "aGOST01",   "aGOST12",     "aKRB5",       "aNULL",    "aPSK",    "aSRP",      "eNULL",
    "kDH",       "kDHEPSK",     "kDHd",        "kDHr",     "kECDH",   "kECDHEPSK", "kECDHe",
    "kECDHr",    "kGOST",       "kGOST18",     "kKRB5",    "kPSK",    "kRSAPSK",   "kSRP",
};

#define CIPHERS_SEPARATORS ":;, "
#define CIPHERS_WORD       80

struct ciphers_word {
    char action;             /* '!', '-', '+', or 0 for a word that selects */
    bool whole;              /* false: longer than any word can be, and cut */
    char text[CIPHERS_WORD]; /* "ECDHE+AESGCM", "@STRENGTH" */
};

/* Takes the next word off *cursor; in "DEFAULT@SECLEVEL=1" the command is a word of its own. False
 * at the end. */
static bool ciphers_next(const char **cursor, struct ciphers_word *word)
{
    const char *start = *cursor + strspn(*cursor, CIPHERS_SEPARATORS);

    if (*start == '\0')
        return false;
    word->action = strchr("!-+", *start) ? *start++ : '\0';
    size_t sign = *start == '@' ? 1 : 0;
    size_t length = sign + strcspn(start + sign, CIPHERS_SEPARATORS "@");
    word->whole = length < sizeof word->text;
    snprintf(word->text, sizeof word->text, "%.*s", (int)length, start);
    *cursor = start + length;
    return true;
}

static bool ciphers_selects(SSL_CTX *scratch, const char *string)
{
    ERR_set_mark();
    bool some = SSL_CTX_set_cipher_list(scratch, string) == 1;
    ERR_pop_to_mark();
    return some;
}

static bool ciphers_is_keyword(const char *part)
{
    for (size_t i = 0; i < sizeof ciphers_keywords / sizeof ciphers_keywords[0]; i++)
        if (strcmp(ciphers_keywords[i], part) == 0)
            return true;
    return false;
}

/* The first part of "ECDHE+AESGMC" that means nothing, or NULL. `parts` is overwritten. */
static const char *ciphers_unknown_part(SSL_CTX *scratch, char *parts)
{
    char *rest = parts, *part = NULL;

    while ((part = strsep(&rest, "+")))
        if (!ciphers_selects(scratch, part) && !ciphers_is_keyword(part))
            return part;
    return NULL;
}

/* A suite whose name, as it is written, selects nothing. */
static bool ciphers_check_suite(SSL_CTX *scratch, const struct suite *suite,
                                const struct ciphers_word *word, struct error *err)
{
    if (suite_facts(suite).min_version == TLS1_3_VERSION)
        return error_set(err, "%s is a TLS 1.3 suite: cipher strings are for TLS 1.2 and before",
                         word->text);
    if (suite->openssl && ciphers_selects(scratch, suite->openssl))
        return error_set(err, "%s is written %s in cipher strings", word->text, suite->openssl);
    if (word->action) /* excludes, or moves, what is not there */
        return true;
    return error_set(err, "%s is not in this library", word->text);
}

static bool ciphers_refuse_unknown(const char *part, struct error *err)
{
    const char *nearest = suite_nearest(part);

    return error_set(err, "unknown cipher or keyword \"%s\"%s%s", part,
                     nearest ? "; nearest: " : "", nearest ? nearest : "");
}

static bool ciphers_check_command(const char *command, struct error *err)
{
    const char *level = strncmp(command, "@SECLEVEL=", 10) == 0 ? command + 10 : "";

    if (strcmp(command, "@STRENGTH") == 0 || (strspn(level, "012345") == 1 && level[1] == '\0'))
        return true;
    return error_set(err, "unknown command %s in a cipher string", command);
}

static bool ciphers_check_word(SSL_CTX *scratch, const struct ciphers_word *word, bool first,
                               struct error *err)
{
    const struct suite *suite = suite_find(word->text);
    struct ciphers_word copy = *word;
    const char *unknown = NULL;

    if (word->text[0] == '@')
        return ciphers_check_command(word->text, err);
    if (strncmp(word->text, "DEFAULT", 7) == 0 && (!first || word->action || word->text[7] != '\0'))
        return error_set(
            err, "\"%s\": DEFAULT counts only alone and as the first word of a cipher string",
            word->text);
    if (word->whole && ciphers_selects(scratch, word->text))
        return true;
    if (suite)
        return ciphers_check_suite(scratch, suite, word, err);
    unknown = ciphers_unknown_part(scratch, copy.text);
    if (unknown || !word->whole)
        return ciphers_refuse_unknown(unknown ? unknown : word->text, err);
    return word->action || error_set(err, "%s selects no suite of this library", word->text);
}

static bool ciphers_check_words(SSL_CTX *scratch, const char *string, struct error *err)
{
    struct ciphers_word word;

    for (bool first = true; ciphers_next(&string, &word); first = false)
        if (!ciphers_check_word(scratch, &word, first, err))
            return false;
    return true;
}

static bool ciphers_collect(SSL_CTX *scratch, const struct suite **suites, size_t max,
                            size_t *count, struct error *err)
{
    const STACK_OF(SSL_CIPHER) *chosen = SSL_CTX_get_ciphers(scratch);

    *count = 0;
    for (int i = 0; i < sk_SSL_CIPHER_num(chosen); i++) {
        uint16_t code = SSL_CIPHER_get_protocol_id(sk_SSL_CIPHER_value(chosen, i));
        const struct suite *suite = suite_by_code(code);
        if (!suite || suite_facts(suite).min_version == TLS1_3_VERSION)
            continue;
        if (*count == max)
            return error_set(err, "the cipher string selects more than %zu suites", max);
        suites[(*count)++] = suite;
    }
    return true;
}

bool library_expand_ciphers(const char *string, const struct suite **suites, size_t max,
                            size_t *count, struct error *err)
{
    SSL_CTX *scratch = SSL_CTX_new(TLS_method());
    bool done = false;

    if (!scratch)
        return reason_error(err, "OpenSSL cannot make a TLS context");
    SSL_CTX_set_security_level(scratch, 0);
    if (!ciphers_check_words(scratch, string, err))
        goto cleanup;
    if (ciphers_selects(scratch, string))
        done = ciphers_collect(scratch, suites, max, count, err);
    else
        error_set(err, "the cipher string \"%s\" selects no suite of this library", string);
cleanup:
    SSL_CTX_free(scratch);
    return done;
}
