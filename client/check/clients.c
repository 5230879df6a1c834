#include "client/check/clients.h"

#include "common/base/text.h"
#include "common/tls/version.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

/* --- the offer, as far as it can be made --- */

typedef bool can_speak(const char *word, const void *context);

static bool speaks_suite(const char *word, const void *context)
{
    const struct suite *suite = suite_find(word);

    return suite && library_has_suite(context, suite);
}

static bool speaks_group(const char *word, const void *context)
{
    const struct tls_group *group = group_find(word);

    return group && library_has_group(context, group);
}

static bool speaks_sigalg(const char *word, const void *context)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
    bool speaks = ctx && SSL_CTX_set1_sigalgs_list(ctx, word) == 1;

    (void)context;
    SSL_CTX_free(ctx);
    ERR_clear_error();
    return speaks;
}

static void note_unspoken(struct client_outcome *outcome, const char *word)
{
    size_t length = strlen(outcome->unspoken);

    (void)snprintf(outcome->unspoken + length, sizeof outcome->unspoken - length, "%s%s",
                   length ? " " : "", word);
}

/* A profile's list without what the library cannot speak. */
static void make_list(const char *list, can_speak *speaks, const void *context,
                      struct text_buffer *made, struct client_outcome *outcome)
{
    struct text_list words = {0};

    text_list_add_split(&words, list, ":");
    for (size_t i = 0; i < words.count; i++) {
        if (speaks(words.items[i], context))
            text_buffer_add(made, "%s%s", made->length ? ":" : "", words.items[i]);
        else
            note_unspoken(outcome, words.items[i]);
    }
    text_list_cleanup(&words);
}

/* --- why it failed --- */

#define RANGE_TEXT 32

/* "1.0 to 1.2", "1.3 alone". */
static const char *range_text(int least, int most, char text[static RANGE_TEXT])
{
    if (least == most)
        (void)snprintf(text, RANGE_TEXT, "%s alone", tls_version_name(least));
    else
        (void)snprintf(text, RANGE_TEXT, "%s to %s", tls_version_name(least),
                       tls_version_name(most));
    return text;
}

static const char *versions_of(const struct check_subject *subject, char text[static RANGE_TEXT])
{
    int least = 0, most = 0;

    for (int v = 0; v < SUBJECT_VERSIONS; v++) {
        if (!subject->version_on[v])
            continue;
        most = subject_version_number((enum subject_version)v);
        least = least ? least : most;
    }
    return most ? range_text(least, most, text) : "none";
}

static bool versions_meet(const struct client_profile *profile, const struct check_subject *subject)
{
    for (int v = 0; v < SUBJECT_VERSIONS; v++) {
        int number = subject_version_number((enum subject_version)v);
        if (subject->version_on[v] && number >= profile->min_version &&
            number <= profile->max_version)
            return true;
    }
    return false;
}

/* Whether the server has a suite that the client offers, and that is for EC certificates. */
static bool shares_ecdsa(const struct client_profile *profile, const struct check_subject *subject)
{
    struct text_list words = {0};
    bool shares = false;

    text_list_add_split(&words, profile->suites_12, ":");
    for (size_t i = 0; i < words.count; i++) {
        const struct suite *suite = suite_find(words.items[i]);
        for (size_t j = 0; suite && j < subject->list.count; j++)
            shares |=
                subject->list.items[j].suite == suite && suite_facts(suite).auth == AUTH_ECDSA;
    }
    text_list_cleanup(&words);
    return shares;
}

/* RFC 8422 section 5.1: up to TLS 1.2 a client's groups say which curves a certificate may have.
 * The curve that keeps this client out; NULL: it is something else. */
static const char *missing_curve(const struct client_profile *profile,
                                 const struct check_subject *subject)
{
    struct text_list groups = {0};
    const char *missing = NULL;
    bool all = subject && shares_ecdsa(profile, subject);

    text_list_add_split(&groups, profile->groups, ":");
    for (size_t i = 0; all && i < subject->certificates.count; i++) {
        const struct certificate_kind *kind = &subject->certificates.items[i].kind;
        if (strncmp(kind->key_type, "RSA", 3) == 0)
            continue; /* it would have served, were there a suite for it */
        all = kind->curve && !text_list_has(&groups, kind->curve);
        missing = kind->curve;
    }
    text_list_cleanup(&groups);
    return all ? missing : NULL;
}

static void explain(const struct client_profile *profile, const struct check_subject *subject,
                    const struct failure *failure, struct client_outcome *outcome)
{
    char client[RANGE_TEXT], server[RANGE_TEXT];

    if (subject && !versions_meet(profile, subject))
        (void)snprintf(outcome->why, sizeof outcome->why,
                       "no version in common: the client has %s, the server %s",
                       range_text(profile->min_version, profile->max_version, client),
                       versions_of(subject, server));
    else if (missing_curve(profile, subject))
        (void)snprintf(outcome->why, sizeof outcome->why,
                       "no usable suite in common: the certificate's curve %s is not among its "
                       "groups (%s)",
                       missing_curve(profile, subject), failure->text);
    else if (strstr(failure->text, "handshake failure"))
        (void)snprintf(outcome->why, sizeof outcome->why,
                       "no usable suite in common with what it offers (%s)", failure->text);
    else
        (void)snprintf(outcome->why, sizeof outcome->why, "%s", failure->text);
}

static void take(const struct client_profile *profile, const struct check_subject *subject,
                 const struct attempt *attempt, struct client_outcome *outcome)
{
    outcome->negotiates = attempt->done || attempt->asked || attempt->rejected;
    outcome->negotiated = attempt->negotiated;
    outcome->asked = attempt->asked;
    outcome->proof = attempt->proof;
    outcome->http_status = attempt->http_status;
    if (attempt->done)
        return;
    if (attempt->asked)
        (void)snprintf(outcome->why, sizeof outcome->why,
                       "the server wants a client certificate (%s)", attempt->failure.text);
    else if (attempt->rejected)
        (void)snprintf(outcome->why, sizeof outcome->why, "%s", attempt->failure.text);
    else
        explain(profile, subject, &attempt->failure, outcome);
}

/* With the twin, which is this library, nothing that it cannot speak can be chosen. A live server
 * may have what we cannot offer. */
static void judge_proof(const struct check_subject *subject, struct client_outcome *outcome)
{
    outcome->not_provable = !subject && outcome->unspoken[0] != '\0';
}

void client_try(const struct client_profile *profile, const struct check_subject *subject,
                const struct library_facts *library, const struct load_settings *load,
                struct client_outcome *outcome)
{
    struct text_buffer tls13 = {0}, tls12 = {0}, groups = {0}, sigalgs = {0};
    struct attempt attempt;
    struct error err;

    *outcome = (struct client_outcome){.profile = profile};
    make_list(profile->suites_13, speaks_suite, library, &tls13, outcome);
    make_list(profile->suites_12, speaks_suite, library, &tls12, outcome);
    make_list(profile->groups, speaks_group, library, &groups, outcome);
    make_list(profile->sigalgs, speaks_sigalg, NULL, &sigalgs, outcome);
    const struct attempt_offer offer = {
        .min_version = profile->min_version,
        .max_version = profile->max_version,
        .ciphers = text_buffer_text(&tls12),
        .ciphersuites = text_buffer_text(&tls13),
        .groups = text_buffer_text(&groups),
        .sigalgs = text_buffer_text(&sigalgs),
        .confirm = true,
    };
    if (!attempt_run(&offer, load, &attempt, &err))
        (void)snprintf(outcome->why, sizeof outcome->why, "this library cannot offer it: %.180s",
                       err.text);
    else
        take(profile, subject, &attempt, outcome);
    outcome->done = outcome->why[0] == '\0';
    judge_proof(subject, outcome);
    text_buffer_cleanup(&tls13);
    text_buffer_cleanup(&tls12);
    text_buffer_cleanup(&groups);
    text_buffer_cleanup(&sigalgs);
}
