#include "client/check/scan.h"

#include "client/check/attempt.h"
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
    static const char *const names[] = {"unknown", "server", "server, ChaCha20 by the client",
                                        "client"};

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

static bool try_offer(struct scanning *scanning, const struct attempt_offer *offer,
                      struct attempt *attempt)
{
    struct error err;

    if (scanning->interrupt->count > 0 || !attempt_run(offer, scanning->load, attempt, &err))
        return false;
    scanning->scan->handshakes++;
    scanning->scan->asks_certificate |= attempt->asked;
    bool negotiates = attempt->done || attempt->asked;
    if (negotiates)
        note_dh(scanning->scan, &attempt->negotiated);
    return negotiates;
}

static bool handshake(struct scanning *scanning, const struct attempt_offer *offer,
                      struct negotiated *negotiated)
{
    struct attempt attempt;
    bool negotiates = try_offer(scanning, offer, &attempt);

    if (negotiates)
        *negotiated = attempt.negotiated;
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

/* One handshake that offers these suites in this order. */
static const struct suite *offer_suites(struct scanning *scanning, const struct scan_list *list)
{
    bool tls13 = list->version >= TLS1_3_VERSION;
    struct text_buffer text = {0};
    struct negotiated negotiated;
    const struct suite *chosen = NULL;

    for (size_t i = 0; i < list->count; i++)
        text_buffer_add(&text, "%s%s", i ? ":" : "", suite_name(list->suites[i]));
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

static bool is_chacha(const struct suite *suite)
{
    return strstr(suite->iana, "CHACHA20") != NULL;
}

/* Those of one kind, the last first, behind what is there. */
static void add_reversed(const struct scan_list *list, bool chacha, struct scan_list *reversed)
{
    for (size_t i = list->count; i-- > 0;)
        if (is_chacha(list->suites[i]) == chacha)
            reversed->suites[reversed->count++] = list->suites[i];
}

static const struct suite *offer_reversed(struct scanning *scanning, const struct scan_list *list,
                                          bool chacha_first)
{
    struct scan_list *reversed = memory_new(1, sizeof *reversed);

    reversed->version = list->version;
    reversed->certificate = list->certificate;
    add_reversed(list, chacha_first, reversed);
    add_reversed(list, !chacha_first, reversed);
    const struct suite *chosen = offer_suites(scanning, reversed);
    free(reversed);
    return chosen;
}

/* A server with an order of its own chooses the same from a list and its reverse; it may except
 * clients that name ChaCha20 first, as those without AES instructions do. */
static void find_preference(struct scanning *scanning, struct scan_list *found)
{
    size_t chachas = 0;

    for (size_t i = 0; i < found->count; i++)
        chachas += is_chacha(found->suites[i]);
    if (found->count < 2)
        return;
    bool mixed = chachas > 0 && found->count - chachas >= 2 && !is_chacha(found->suites[0]);
    const struct suite *chosen =
        offer_reversed(scanning, found, !mixed && chachas > 0 && !is_chacha(found->suites[0]));
    found->preference = chosen == found->suites[0] ? PREFERENCE_SERVER : PREFERENCE_CLIENT;
    if (mixed && found->preference == PREFERENCE_SERVER &&
        offer_reversed(scanning, found, true) != found->suites[0])
        found->preference = PREFERENCE_SERVER_CHACHA;
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
        const struct suite *chosen = offer_suites(scanning, left);
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

static void add_certificate(struct scan *scan, const struct attempt *attempt)
{
    const struct negotiated *negotiated = &attempt->negotiated;
    size_t max = sizeof scan->certificates / sizeof scan->certificates[0];

    for (size_t i = 0; i < scan->certificate_count; i++)
        if (same_certificate(&scan->certificates[i], negotiated))
            return;
    if (scan->certificate_count == max || negotiated->certificate_type[0] == '\0')
        return;
    scan->certificates[scan->certificate_count] = *negotiated;
    scan->faults[scan->certificate_count++] = attempt->fault;
}

static void scan_certificates(struct scanning *scanning)
{
    struct attempt attempt;

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
                .inspect = true,
            };
            if (offer.sigalgs && try_offer(scanning, &offer, &attempt))
                add_certificate(scanning->scan, &attempt);
        }
    }
    for (int version = TLS1_1_VERSION; version >= TLS1_VERSION; version--) {
        const struct attempt_offer offer = {
            .min_version = version, .max_version = version, .ciphersuites = "", .inspect = true};
        if (try_offer(scanning, &offer, &attempt))
            add_certificate(scanning->scan, &attempt);
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
