#include "client/check/proof.h"

#include "client/check/attempt.h"
#include "common/base/memory.h"
#include "common/tls/version.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct proving {
    const struct check_subject *subject;
    struct check_rows *rows;
    const struct library_facts *library;
    const struct load_settings *load;
    struct proof *proof;
    struct finding_list *findings;
};

static void surprise(struct proving *proving, struct check_row *row, const char *suite, int version,
                     const char *wanted, const char *got)
{
    char text[sizeof row->surprise];

    snprintf(text, sizeof text, "TLS %s: expected %.70s, got %.60s", tls_version_name(version),
             wanted, got);
    if (row)
        snprintf(row->surprise, sizeof row->surprise, "%s", text);
    proving->proof->surprises++;
    finding_add(proving->findings, FINDING_ERROR, "surprise", suite, NULL,
                "the handshake is right, suitemark's expectation is not: please report it", "%s",
                text);
}

/* What pins one row in one version. */
static void make_offer(const struct check_row *row, int version, struct attempt_offer *offer)
{
    bool tls13 = version >= TLS1_3_VERSION;
    const char *suite = suite_name(row->choice->suite);

    *offer = (struct attempt_offer){
        .min_version = version,
        .max_version = version,
        .ciphers = tls13 ? "" : suite,
        .ciphersuites = tls13 ? suite : "",
    };
    if (row->certificate && row->certificate->in_table && version >= TLS1_2_VERSION)
        offer->sigalgs =
            tls13 ? row->certificate->kind.sigalgs_13 : row->certificate->kind.sigalgs_12;
}

/* "" when the handshake gave what the row says. */
static void compare(const struct check_row *row, int version, const struct attempt *attempt,
                    char text[static 64])
{
    const struct suite *suite = suite_by_code(attempt->negotiated.suite);

    text[0] = '\0';
    if (!attempt->done)
        snprintf(text, 64, "%s", attempt->failure.text);
    else if (suite != row->choice->suite || attempt->negotiated.version != version)
        snprintf(text, 64, "%s", suite ? suite_name(suite) : "an unknown suite");
    else if (row->certificate &&
             strcmp(attempt->negotiated.certificate_type, row->certificate->kind.key_type) != 0 &&
             suite_facts(suite).auth != AUTH_NONE)
        snprintf(text, 64, "a certificate of type %s", attempt->negotiated.certificate_type);
}

static void prove_version(struct proving *proving, struct check_row *row, int version,
                          bool expected)
{
    struct attempt_offer offer;
    struct attempt attempt;
    struct error err;
    char got[64];

    make_offer(row, version, &offer);
    if (!attempt_run(&offer, proving->load, &attempt, &err))
        return; /* nothing that this library can say: it is no proof either way */
    proving->proof->tried++;
    compare(row, version, &attempt, got);
    if (attempt.done)
        proving->proof->negotiated++;
    else
        proving->proof->refused++;
    if (expected && got[0] != '\0')
        surprise(proving, row, offer.ciphers[0] ? offer.ciphers : offer.ciphersuites, version,
                 "it to be negotiated", got);
    else if (!expected && attempt.done && got[0] == '\0')
        surprise(proving, row, offer.ciphers[0] ? offer.ciphers : offer.ciphersuites, version,
                 row->why[0] ? row->why : "a failure", "a handshake");
}

/* A stand-in has another chain, which Suite B looks at. */
static bool can_try(const struct check_subject *subject, const struct check_row *row)
{
    if (subject->list.suite_b && row->certificate && row->certificate->stand_in)
        return false;
    return row->reason != DEAD_KEYLESS && row->reason != DEAD_NOT_HERE &&
           (!row->certificate || row->certificate->in_table || !row->certificate->stand_in);
}

static void prove_row(struct proving *proving, struct check_row *row)
{
    struct suite_facts facts = suite_facts(row->choice->suite);
    size_t surprises = proving->proof->surprises;

    for (int v = 0; v < SUBJECT_VERSIONS; v++) {
        int version = subject_version_number((enum subject_version)v);
        if (version >= facts.min_version && version <= facts.max_version)
            prove_version(proving, row, version, row->works[v]);
    }
    row->proved = proving->proof->surprises == surprises;
}

/* --- what is not in the list --- */

static bool is_listed(const struct check_subject *subject, const struct suite *suite)
{
    for (size_t i = 0; i < subject->list.count; i++)
        if (subject->list.items[i].suite == suite)
            return true;
    for (size_t i = 0; i < subject->list_13.count; i++)
        if (subject->list_13.items[i].suite == suite)
            return true;
    return false;
}

static char *unlisted(const struct proving *proving, int version)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < suite_count; i++) {
        const struct suite *suite = &suite_table[i];
        struct suite_facts facts = suite_facts(suite);
        bool keyless = facts.exchange == EXCHANGE_PSK || facts.exchange == EXCHANGE_SRP;
        if (!keyless && library_has_suite(proving->library, suite) &&
            version >= facts.min_version && version <= facts.max_version &&
            !is_listed(proving->subject, suite))
            text_buffer_add(&text, "%s%s", text.length ? ":" : "", suite_name(suite));
    }
    return text.text;
}

/* All of them at once: were any accepted, the handshake would succeed. */
static void prove_unlisted(struct proving *proving, int version)
{
    bool tls13 = version >= TLS1_3_VERSION;
    char *suites = unlisted(proving, version);
    struct attempt attempt;
    struct error err;
    const struct attempt_offer offer = {.min_version = version,
                                        .max_version = version,
                                        .ciphers = tls13 ? "" : suites,
                                        .ciphersuites = tls13 ? suites : ""};

    if (suites && attempt_run(&offer, proving->load, &attempt, &err)) {
        const struct suite *suite = suite_by_code(attempt.negotiated.suite);
        proving->proof->tried++;
        proving->proof->refused += !attempt.done;
        if (attempt.done)
            surprise(proving, NULL, suite ? suite_name(suite) : "", version,
                     "a refusal of what is not in the list", "a handshake");
    }
    free(suites);
}

void proof_run(const struct check_subject *subject, struct check_rows *rows,
               const struct library_facts *library, const struct load_settings *load,
               const struct interrupt *interrupt, struct proof *proof,
               struct finding_list *findings)
{
    struct proving proving = {subject, rows, library, load, proof, findings};

    for (size_t i = 0; i < rows->count && interrupt->count == 0; i++)
        if (can_try(subject, &rows->items[i]))
            prove_row(&proving, &rows->items[i]);
    for (int v = 0; v < SUBJECT_VERSIONS && interrupt->count == 0; v++)
        prove_unlisted(&proving, subject_version_number((enum subject_version)v));
}
