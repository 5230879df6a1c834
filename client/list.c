#include "client/list.h"

#include "client/case.h"
#include "common/tls/version.h"

#include <string.h>

/* Indexed by enum suite_exchange and enum suite_auth. */
static const char *const exchange_words[] = {
    [EXCHANGE_TLS13] = "any",   [EXCHANGE_RSA] = "RSA",   [EXCHANGE_DHE] = "DHE",
    [EXCHANGE_ECDHE] = "ECDHE", [EXCHANGE_PSK] = "PSK",   [EXCHANGE_SRP] = "SRP",
    [EXCHANGE_OTHER] = "other", [EXCHANGE_NULL] = "none",
};
static const char *const auth_words[] = {
    [AUTH_ANY] = "any", [AUTH_RSA] = "RSA",   [AUTH_ECDSA] = "ECDSA",
    [AUTH_DSS] = "DSS", [AUTH_NONE] = "none", [AUTH_OTHER] = "other",
};

#define VERSIONS_TEXT 16

static const char *versions_text(char text[static VERSIONS_TEXT], int first, int last)
{
    if (first == last)
        snprintf(text, VERSIONS_TEXT, "%s", tls_version_name(first));
    else
        snprintf(text, VERSIONS_TEXT, "%s-%s", tls_version_name(first), tls_version_name(last));
    return text;
}

static void suite_row(FILE *out, const struct suite *suite)
{
    struct suite_facts facts = suite_facts(suite);
    char versions[VERSIONS_TEXT];

    fprintf(out, "%-30s %-44s %-7s %-5s %-5s %c%c\n", suite_name(suite), suite->iana,
            versions_text(versions, facts.min_version, facts.max_version),
            exchange_words[facts.exchange], auth_words[facts.auth], facts.aead ? 'A' : '-',
            facts.forward_secret ? 'F' : '-');
}

static void list_suites(FILE *out, const struct library_facts *library)
{
    size_t here = 0, never = 0;
    char reason[CASE_REASON];

    fprintf(out, "%-30s %-44s %-7s %-5s %-5s %s\n", "suite", "IANA name", "TLS", "exch.", "auth",
            "AF");
    for (size_t i = 0; i < suite_count; i++) {
        if (library_has_suite(library, &suite_table[i])) {
            suite_row(out, &suite_table[i]);
            here++;
        }
    }
    fprintf(out, "%zu suites. A: authenticated encryption (AEAD), F: forward secrecy.\n", here);
    fprintf(out, "PSK, SRP and anonymous suites have no certificate to measure: runs skip them.\n");
    fprintf(out, "\nNot here:\n");
    for (size_t i = 0; i < suite_count; i++) {
        const struct suite *suite = &suite_table[i];

        if (library_has_suite(library, suite))
            continue;
        case_suite_missing(suite, library, reason);
        if (suite->openssl || strncmp(reason, "not in", 6) != 0)
            fprintf(out, "%-30s %s\n", suite_name(suite), reason);
        else
            never++;
    }
    fprintf(out, "and %zu suites of the IANA registry that OpenSSL never had.\n", never);
}

/* Which TLS <= 1.2 suites a kind serves. */
static const char *serves(const struct certificate_kind *kind)
{
    if (kind->max_version < TLS1_2_VERSION || kind->min_version > TLS1_2_VERSION)
        return "-";
    if (kind->static_rsa)
        return "ECDHE-RSA, DHE-RSA, RSA";
    switch (kind->auth) {
    case AUTH_RSA:
        return "ECDHE-RSA, DHE-RSA";
    case AUTH_ECDSA:
        return "ECDHE-ECDSA";
    case AUTH_DSS:
        return "DHE-DSS";
    case AUTH_ANY:
    case AUTH_NONE:
    case AUTH_OTHER:
        break;
    }
    return "-";
}

static void list_certs(FILE *out, const struct library_facts *library)
{
    char versions[VERSIONS_TEXT], reason[CASE_REASON];

    fprintf(out, "%-14s %-10s %5s  %-7s %-24s %s\n", "certificate", "key", "bits", "TLS",
            "suites up to TLS 1.2", "here");
    for (size_t i = 0; i < kind_count; i++) {
        const struct certificate_kind *kind = &kind_table[i];
        char bits[16] = "-";

        snprintf(reason, sizeof reason, "yes");
        if (!library_has_kind(library, kind))
            case_kind_missing(kind, library, reason);
        if (kind->bits > 0)
            snprintf(bits, sizeof bits, "%d", kind->bits);
        fprintf(out, "%-14s %-10s %5s  %-7s %-24s %s\n", kind->name, kind->key_type, bits,
                versions_text(versions, kind->min_version, kind->max_version), serves(kind),
                reason);
    }
}

static void list_groups(FILE *out, const struct library_facts *library)
{
    char versions[VERSIONS_TEXT], reason[CASE_REASON];

    fprintf(out, "%-22s %-22s %-6s  %-7s %s\n", "group", "also", "code", "TLS", "here");
    for (size_t i = 0; i < group_count; i++) {
        const struct tls_group *group = &group_table[i];

        snprintf(reason, sizeof reason, "yes");
        if (!library_has_group(library, group))
            case_group_missing(group, library, reason);
        fprintf(out, "%-22s %-22s 0x%04x  %-7s %s\n", group->name,
                group->alias ? group->alias : "-", (unsigned)group->code,
                versions_text(versions, group->min_version, group->max_version), reason);
    }
}

bool list_print(FILE *out, const char *what, const struct library_facts *library, struct error *err)
{
    if (strcmp(what, "suites") == 0)
        list_suites(out, library);
    else if (strcmp(what, "certs") == 0)
        list_certs(out, library);
    else if (strcmp(what, "groups") == 0)
        list_groups(out, library);
    else
        return error_set(err, "--list: unknown list \"%s\"; there are: suites, certs, groups",
                         what);
    return true;
}
