#include "client/check/scan.h"

#include "client/check/attempt.h"
#include "client/check/weak.h"
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/tls/version.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RSA_SIGALGS                                                                                \
    "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512:rsa_pss_pss_sha256:"              \
    "rsa_pss_pss_sha384:rsa_pss_pss_sha512:RSA+SHA256:RSA+SHA384:RSA+SHA512:RSA+SHA224:RSA+SHA1"
#define ECDSA_SIGALGS                                                                              \
    "ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384:ecdsa_secp521r1_sha512:ed25519:ed448:"          \
    "ECDSA+SHA224:ECDSA+SHA1"

struct scanning {
    struct scan *scan;
    const struct library_facts *library;
    const struct load_settings *load;
    const struct interrupt *interrupt;
};

const char *scan_preference_name(enum scan_preference preference)
{
    static const char *const names[] = {"unknown", "server", "client"};

    return names[preference];
}

const char *scan_certificate_name(enum scan_certificate certificate)
{
    static const char *const names[] = {"RSA", "ECDSA", "any"};

    return names[certificate];
}

/* Diffie-Hellman parameters of the server's own are named "dh-2048". */
static void note_dh(struct scan *scan, const struct negotiated *negotiated)
{
    int bits = 0;

    if (strncmp(negotiated->group, "dh-", 3) == 0)
        bits = (int)strtol(negotiated->group + 3, NULL, 10);
    if (bits > 0 && (scan->least_dh_bits == 0 || bits < scan->least_dh_bits))
        scan->least_dh_bits = bits;
}

static bool handshake(struct scanning *scanning, const struct attempt_offer *offer,
                      struct negotiated *negotiated)
{
    struct attempt attempt;
    struct error err;

    if (scanning->interrupt->count > 0 || !attempt_run(offer, scanning->load, &attempt, &err))
        return false;
    scanning->scan->handshakes++;
    *negotiated = attempt.negotiated;
    scanning->scan->asks_certificate |= attempt.asked;
    bool negotiates = attempt.done || attempt.asked;
    if (negotiates)
        note_dh(scanning->scan, negotiated);
    return negotiates;
}

/* --- suites --- */

/* Everything that the library has for this version and certificate. Anonymous suites count with
 * both: they have none. */
static void candidates(const struct scanning *scanning, struct scan_list *list)
{
    for (size_t i = 0; i < suite_count && list->count < SUITES_IN_SCAN; i++) {
        const struct suite *suite = &suite_table[i];
        struct suite_facts facts = suite_facts(suite);
        bool keyless = facts.exchange == EXCHANGE_PSK || facts.exchange == EXCHANGE_SRP ||
                       facts.exchange == EXCHANGE_OTHER;
        bool other = (list->certificate == SCAN_RSA && facts.auth == AUTH_ECDSA) ||
                     (list->certificate == SCAN_ECDSA && facts.auth == AUTH_RSA);
        if (!keyless && !other && library_has_suite(scanning->library, suite) &&
            list->version >= facts.min_version && list->version <= facts.max_version)
            list->suites[list->count++] = suite;
    }
}

static const char *sigalgs_of(const struct scan_list *list)
{
    if (list->version < TLS1_2_VERSION || list->certificate == SCAN_ANY)
        return NULL;
    return list->certificate == SCAN_RSA ? RSA_SIGALGS : ECDSA_SIGALGS;
}

/* One handshake that offers these suites in this order, or in the opposite one. */
static const struct suite *offer_suites(struct scanning *scanning, const struct scan_list *list,
                                        bool reversed)
{
    bool tls13 = list->version >= TLS1_3_VERSION;
    struct text_buffer text = {0};
    struct negotiated negotiated;
    const struct suite *chosen = NULL;

    for (size_t i = 0; i < list->count; i++)
        text_buffer_add(&text, "%s%s", i ? ":" : "",
                        suite_name(list->suites[reversed ? list->count - 1 - i : i]));
    const struct attempt_offer offer = {
        .min_version = list->version,
        .max_version = list->version,
        .ciphers = tls13 ? "" : text_buffer_text(&text),
        .ciphersuites = tls13 ? text_buffer_text(&text) : "",
        .sigalgs = sigalgs_of(list),
    };
    if (list->count > 0 && handshake(scanning, &offer, &negotiated))
        chosen = suite_by_code(negotiated.suite);
    text_buffer_cleanup(&text);
    return chosen;
}

static bool take_out(struct scan_list *list, const struct suite *suite)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->suites[i] != suite)
            continue;
        memmove(&list->suites[i], &list->suites[i + 1],
                (list->count - i - 1) * sizeof list->suites[0]);
        list->count--;
        return true;
    }
    return false;
}

/* A server with an order of its own chooses the same from a list and its reverse. */
static void find_preference(struct scanning *scanning, struct scan_list *found)
{
    if (found->count < 2)
        return;
    const struct suite *chosen = offer_suites(scanning, found, true);
    found->preference = chosen == found->suites[0] ? PREFERENCE_SERVER : PREFERENCE_CLIENT;
}

static void scan_suites(struct scanning *scanning, int version, enum scan_certificate certificate)
{
    struct scan *scan = scanning->scan;
    struct scan_list *left = memory_new(1, sizeof *left);
    struct scan_list *found = &scan->lists[scan->count];

    left->version = version;
    left->certificate = certificate;
    candidates(scanning, left);
    *found = (struct scan_list){.version = version, .certificate = certificate};
    for (;;) {
        const struct suite *chosen = offer_suites(scanning, left, false);
        if (!chosen || !take_out(left, chosen))
            break;
        found->suites[found->count++] = chosen;
    }
    find_preference(scanning, found);
    scan->count += found->count > 0;
    free(left);
}

static void scan_versions(struct scanning *scanning)
{
    for (int version = TLS1_3_VERSION; version >= TLS1_VERSION; version--) {
        if (version < TLS1_2_VERSION) {
            scan_suites(scanning, version, SCAN_ANY);
        } else {
            scan_suites(scanning, version, SCAN_ECDSA);
            scan_suites(scanning, version, SCAN_RSA);
        }
    }
}

/* --- groups --- */

static const struct scan_list *list_with_group(const struct scan *scan, int version,
                                               char suites[static 2048])
{
    for (size_t i = 0; i < scan->count; i++) {
        const struct scan_list *list = &scan->lists[i];
        size_t length = 0;
        if (list->version != version)
            continue;
        for (size_t j = 0; j < list->count && length < 1900; j++)
            if (version == TLS1_3_VERSION ||
                suite_facts(list->suites[j]).exchange == EXCHANGE_ECDHE)
                length += (size_t)snprintf(suites + length, 2048 - length, "%s%s",
                                           length ? ":" : "", suite_name(list->suites[j]));
        if (length > 0)
            return list;
    }
    return NULL;
}

/* In TLS 1.2 the curve of an EC certificate must be offered beside the group. */
static void write_groups(const struct tls_group *group, const struct scan_list *list, char *text,
                         size_t size)
{
    static const char *const curves[] = {"P-256", "P-384", "P-521"};
    size_t length = (size_t)snprintf(text, size, "%s", group->openssl);

    if (list->version >= TLS1_3_VERSION || list->certificate != SCAN_ECDSA)
        return;
    for (size_t i = 0; i < sizeof curves / sizeof curves[0] && length < size; i++)
        if (strcmp(curves[i], group->openssl) != 0)
            length += (size_t)snprintf(text + length, size - length, ":%s", curves[i]);
}

/* One group after the other; what is negotiated says more than success. */
static void scan_groups(struct scanning *scanning, int version, struct scan_groups *found)
{
    char suites[2048];
    const struct scan_list *list = list_with_group(scanning->scan, version, suites);

    found->version = version;
    for (size_t i = 0; list && i < group_count; i++) {
        const struct tls_group *group = &group_table[i];
        char groups[128];
        struct negotiated negotiated;
        if (!library_has_group(scanning->library, group) || version < group->min_version ||
            version > group->max_version)
            continue;
        write_groups(group, list, groups, sizeof groups);
        const struct attempt_offer offer = {
            .min_version = version,
            .max_version = version,
            .ciphers = version < TLS1_3_VERSION ? suites : "",
            .ciphersuites = version < TLS1_3_VERSION ? "" : suites,
            .groups = groups,
            .sigalgs = sigalgs_of(list),
        };
        if (handshake(scanning, &offer, &negotiated) &&
            strcmp(negotiated.group, group->name) == 0 && found->count < SUBJECT_GROUPS)
            found->groups[found->count++] = group;
    }
}

/* --- certificates --- */

static bool same_certificate(const struct negotiated *a, const struct negotiated *b)
{
    return strcmp(a->certificate_type, b->certificate_type) == 0 &&
           a->certificate_bits == b->certificate_bits;
}

static void add_certificate(struct scan *scan, const struct negotiated *negotiated)
{
    size_t max = sizeof scan->certificates / sizeof scan->certificates[0];

    for (size_t i = 0; i < scan->certificate_count; i++)
        if (same_certificate(&scan->certificates[i], negotiated))
            return;
    if (scan->certificate_count < max && negotiated->certificate_type[0] != '\0')
        scan->certificates[scan->certificate_count++] = *negotiated;
}

static void scan_certificates(struct scanning *scanning)
{
    struct negotiated negotiated;

    for (size_t i = 0; i < kind_count; i++) {
        const struct certificate_kind *kind = &kind_table[i];
        if (!library_has_kind(scanning->library, kind))
            continue;
        for (int version = TLS1_3_VERSION; version >= TLS1_2_VERSION; version--) {
            const struct attempt_offer offer = {
                .min_version = version,
                .max_version = version,
                .ciphers = version < TLS1_3_VERSION ? "ALL:COMPLEMENTOFALL:!aNULL" : "",
                .ciphersuites = version < TLS1_3_VERSION ? "" : NULL,
                .sigalgs = version < TLS1_3_VERSION ? kind->sigalgs_12 : kind->sigalgs_13,
            };
            if (offer.sigalgs && handshake(scanning, &offer, &negotiated))
                add_certificate(scanning->scan, &negotiated);
        }
    }
    for (int version = TLS1_1_VERSION; version >= TLS1_VERSION; version--) {
        const struct attempt_offer offer = {
            .min_version = version, .max_version = version, .ciphersuites = ""};
        if (handshake(scanning, &offer, &negotiated))
            add_certificate(scanning->scan, &negotiated);
    }
}

bool scan_run(struct scan *scan, const struct library_facts *library,
              const struct load_settings *load, const struct interrupt *interrupt,
              struct error *err)
{
    struct scanning scanning = {scan, library, load, interrupt};

    *scan = (struct scan){.count = 0};
    scan_versions(&scanning);
    if (scan->count == 0)
        return error_set(err, "the target takes no suite that this library can offer, or does not "
                              "speak TLS");
    scan_groups(&scanning, TLS1_3_VERSION, &scan->groups[0]);
    scan_groups(&scanning, TLS1_2_VERSION, &scan->groups[1]);
    scan_certificates(&scanning);
    return true;
}

/* --- findings --- */

static void find_weak(const struct scan *scan, const struct weak_row *weak,
                      struct finding_list *findings)
{
    struct text_list names = {0};
    struct text_buffer text = {0};

    for (size_t i = 0; i < scan->count; i++) {
        for (size_t j = 0; j < scan->lists[i].count; j++) {
            const struct suite *suite = scan->lists[i].suites[j];
            struct suite_facts facts = suite_facts(suite);
            if (weak->applies(suite, &facts) && !text_list_has(&names, suite_name(suite)))
                text_list_add(&names, suite_name(suite));
        }
    }
    for (size_t i = 0; i < names.count && i < 6; i++)
        text_buffer_add(&text, "%s%s", i ? " " : "", names.items[i]);
    if (names.count > 0)
        finding_add(findings, weak->level, "weak", text_buffer_text(&text), NULL, weak->remedy,
                    "%s (%zu suite%s): %s", weak->name, names.count, names.count == 1 ? "" : "s",
                    weak->text);
    text_list_cleanup(&names);
    text_buffer_cleanup(&text);
}

static bool has_strong(const struct scan_list *list, bool strong)
{
    for (size_t i = 0; i < list->count; i++)
        if (weak_is_warned(list->suites[i]) != strong)
            return true;
    return false;
}

void scan_find(const struct scan *scan, struct finding_list *findings)
{
    for (size_t i = 0; i < weak_count; i++)
        find_weak(scan, &weak_table[i], findings);
    if (scan->asks_certificate)
        finding_add(findings, FINDING_NOTE, "client certificate", NULL, NULL, NULL,
                    "the server asks clients for a certificate, and none was sent: the lists hold "
                    "what it negotiates up to there, and in TLS 1.3 a client that gets a suite may "
                    "still be turned away");
    if (scan->least_dh_bits > 0 && scan->least_dh_bits < 2048)
        finding_add(findings, FINDING_WARNING, "weak", "DHE", NULL,
                    "make parameters of 2048 bits or more",
                    "Diffie-Hellman of %d bits: Logjam (CVE-2015-4000; RFC 9325 section 4.1 asks "
                    "for 2048)",
                    scan->least_dh_bits);
    for (size_t i = 0; i < scan->count; i++) {
        const struct scan_list *list = &scan->lists[i];
        if (list->version < TLS1_2_VERSION)
            finding_add(findings, FINDING_WARNING, "weak", tls_version_name(list->version), NULL,
                        "switch it off",
                        "TLS %s works: obsolete since RFC 8996, BEAST in 1.0, SHA-1 and MD5 "
                        "signatures",
                        tls_version_name(list->version));
        else if (list->preference == PREFERENCE_CLIENT && has_strong(list, true) &&
                 has_strong(list, false))
            finding_add(findings, FINDING_WARNING, "client preference",
                        tls_version_name(list->version), NULL,
                        "switch the server's preference on, or remove the weak suites",
                        "the server takes weak suites whenever a client names them first");
    }
}
