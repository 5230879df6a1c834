#include "client/case.h"

#include "common/base/text.h"
#include "common/tls/version.h"

#include <stdio.h>
#include <string.h>

#define OPENSSL_RELEASE(major, minor)                                                              \
    (((unsigned long)(major) << 28) | ((unsigned long)(minor) << 20))

/* In which release OpenSSL got what older ones lack (its CHANGES file). `part` is a part of the
 * name of a suite (IANA), kind or group, in any case; the first row that fits counts. */
static const struct newcomer {
    const char *part;
    unsigned major, minor;
} newcomers[] = {
    {"TLS_SHA256_SHA256", 3, 4},
    {"TLS_SHA384_SHA384", 3, 4},
    {"TLS_SM4_", 4, 0},
    {"ml-dsa", 3, 5},
    {"SM2", 4, 0},
    {"MLKEM", 3, 5},
    {"tls13", 3, 2}, /* brainpoolP256r1tls13, … (RFC 8734) */
};

static bool contains_nocase(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        if (text_starts_nocase(text, part))
            return true;
    }
    return false;
}

static void missing(const char *name, const struct library_facts *library, char *reason)
{
    for (size_t i = 0; i < sizeof newcomers / sizeof newcomers[0]; i++) {
        const struct newcomer *row = &newcomers[i];

        if (contains_nocase(name, row->part) &&
            library->version < OPENSSL_RELEASE(row->major, row->minor)) {
            snprintf(reason, CASE_REASON, "needs OpenSSL %u.%u", row->major, row->minor);
            return;
        }
    }
    /* OPENSSL_VERSION_NUMBER(3): MNN00PP0 */
    snprintf(reason, CASE_REASON, "not in this library (OpenSSL %lu.%lu.%lu)",
             library->version >> 28, library->version >> 20 & 0xff, library->version >> 4 & 0xff);
}

void case_suite_missing(const struct suite *suite, const struct library_facts *library,
                        char reason[static CASE_REASON])
{
    if (suite->openssl && strstr(suite->iana, "_SEED_"))
        snprintf(reason, CASE_REASON, "needs the legacy provider");
    else
        missing(suite->iana, library, reason);
}

void case_kind_missing(const struct certificate_kind *kind, const struct library_facts *library,
                       char reason[static CASE_REASON])
{
    missing(kind->name, library, reason);
}

void case_group_missing(const struct tls_group *group, const struct library_facts *library,
                        char reason[static CASE_REASON])
{
    missing(group->name, library, reason);
}

/* What a suite wants that no certificate can give; NULL where a certificate is all it needs. */
static const char *beyond_certificates(const struct suite_facts *facts)
{
    switch (facts->exchange) {
    case EXCHANGE_PSK:
        return "needs a pre-shared key";
    case EXCHANGE_SRP:
        return "needs SRP";
    case EXCHANGE_OTHER:
    case EXCHANGE_NULL:
        return "its key exchange is not in OpenSSL 3";
    case EXCHANGE_TLS13:
    case EXCHANGE_RSA:
    case EXCHANGE_DHE:
    case EXCHANGE_ECDHE:
        break;
    }
    return facts->auth == AUTH_NONE ? "anonymous: no certificate to measure" : NULL;
}

static enum case_fit suite_fit(const struct test_case *test_case,
                               const struct library_facts *library, char *reason)
{
    struct suite_facts facts = suite_facts(test_case->suite);
    const char *beyond = beyond_certificates(&facts);

    if (!library_has_suite(library, test_case->suite)) {
        case_suite_missing(test_case->suite, library, reason);
        return CASE_SUITE_CANNOT;
    }
    if (test_case->version < facts.min_version) {
        snprintf(reason, CASE_REASON, "this suite needs TLS %s",
                 tls_version_name(facts.min_version));
        return CASE_VERSION_MISFIT;
    }
    if (test_case->version > facts.max_version) {
        snprintf(reason, CASE_REASON, "this suite ends with TLS %s",
                 tls_version_name(facts.max_version));
        return CASE_VERSION_MISFIT;
    }
    if (beyond) {
        snprintf(reason, CASE_REASON, "%s", beyond);
        return CASE_SUITE_CANNOT;
    }
    return CASE_FITS;
}

static enum case_fit group_fit(const struct test_case *test_case,
                               const struct library_facts *library, char *reason)
{
    const struct tls_group *group = test_case->group;

    if (!group)
        return CASE_FITS;
    if (test_case->version < group->min_version) {
        snprintf(reason, CASE_REASON, "group %s needs TLS %s", group->name,
                 tls_version_name(group->min_version));
        return CASE_GROUP_MISFIT;
    }
    if (test_case->version > group->max_version) {
        snprintf(reason, CASE_REASON, "group %s ends with TLS %s", group->name,
                 tls_version_name(group->max_version));
        return CASE_GROUP_MISFIT;
    }
    if (!library_has_group(library, group)) {
        case_group_missing(group, library, reason);
        return CASE_GROUP_MISSING;
    }
    return CASE_FITS;
}

enum case_fit case_fit(const struct test_case *test_case, const struct library_facts *library,
                       char reason[static CASE_REASON])
{
    const char *why = "";
    enum case_fit fit;

    reason[0] = '\0';
    fit = suite_fit(test_case, library, reason);
    if (fit != CASE_FITS)
        return fit;
    if (!kind_serves(test_case->kind, test_case->suite, test_case->version, &why)) {
        snprintf(reason, CASE_REASON, "%s", why);
        return CASE_KIND_MISFIT;
    }
    if (!library_has_kind(library, test_case->kind)) {
        case_kind_missing(test_case->kind, library, reason);
        return CASE_KIND_MISSING;
    }
    return group_fit(test_case, library, reason);
}
