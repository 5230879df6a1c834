#include "client/check/lint.h"

#include "client/check/weak.h"
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/tls/version.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_SHOWN 6

static const char *file_line(const struct subject_value *value)
{
    return value->place ? value->place : "";
}

static bool is_13(const struct check_row *row)
{
    return suite_facts(row->choice->suite).exchange == EXCHANGE_TLS13;
}

/* --- several suites, one finding --- */

struct gathered {
    struct text_buffer names;
    size_t count;
    const struct check_row *first;
};

static void gather(struct gathered *gathered, const struct check_row *row)
{
    if (!gathered->first)
        gathered->first = row;
    if (gathered->count++ < NAMES_SHOWN)
        text_buffer_add(&gathered->names, "%s%s", gathered->names.length ? " " : "",
                        suite_name(row->choice->suite));
    else if (gathered->count == NAMES_SHOWN + 1)
        text_buffer_add(&gathered->names, " …");
}

static const char *place_of(const struct check_subject *subject, const struct check_row *row,
                            char text[static CIPHER_PLACE_TEXT])
{
    bool tls13 = is_13(row);
    const struct subject_value *value = tls13 ? &subject->ciphersuites : &subject->ciphers;
    struct cipher_place place = {file_line(value), subject->nginx};

    cipher_place_text(&place, row->choice->position, text);
    if (row->choice->position == 0)
        snprintf(text, CIPHER_PLACE_TEXT, "%s", place.file_line);
    return text;
}

/* --- dead suites --- */

static const char *dead_remedy(enum dead_reason reason)
{
    switch (reason) {
    case DEAD_VERSION_OFF:
        return "switch the version on, or remove the suites";
    case DEAD_VERSION_LEVEL:
        return "the versions are obsolete (RFC 8996): better switch them off";
    case DEAD_CERTIFICATE:
        return "add a certificate of that type, or remove the suites";
    case DEAD_GROUP:
        return "add a group of that version";
    case DEAD_DH_MISSING:
        return "add parameters of 2048 bits or more (ssl_dhparam), or remove the suites";
    case DEAD_DH_SMALL:
        return "make parameters of 2048 bits or more";
    case DEAD_LEVEL:
        return "remove the suites, or lower the level by @SECLEVEL where that is meant";
    default:
        return "remove them";
    }
}

/* Whether the user wrote the suite's own name: then it is missed, else it came with a keyword. */
static bool is_named(const struct check_subject *subject, const struct check_row *row)
{
    bool tls13 = is_13(row);
    const struct subject_value *value = tls13 ? &subject->ciphersuites : &subject->ciphers;

    if (!value->text || row->choice->position == 0)
        return false;
    const char *word = value->text + row->choice->position - 1;
    size_t length = strcspn(word, ":;, @");
    const char *name = suite_name(row->choice->suite);
    return strlen(name) == length && strncasecmp(word, name, length) == 0;
}

/* Suites that nobody asked for: those of nginx's default, TLS 1.3's defaults where it is off,
 * TLS 1.2's default list where only TLS 1.3 is on. */
static bool is_unasked(const struct check_subject *subject, const struct check_row *row)
{
    const struct subject_value *value = is_13(row) ? &subject->ciphersuites : &subject->ciphers;

    if (row->reason == DEAD_MISFIT || row->reason == DEAD_NOT_HERE)
        return true;
    if (subject->nginx && file_line(value)[0] == '\0')
        return true;
    return !value->text || (row->reason == DEAD_VERSION_OFF && !is_named(subject, row));
}

static bool same_death(const struct check_row *a, const struct check_row *b)
{
    return a->reason == b->reason && a->certificate == b->certificate &&
           strcmp(a->why, b->why) == 0;
}

static void say_dead(const struct check_subject *subject, const struct gathered *dead, bool named,
                     struct finding_list *findings)
{
    const struct check_row *row = dead->first;
    const char *certificate = row->certificate ? row->certificate->kind.name : "";
    char where[CIPHER_PLACE_TEXT];

    finding_add(findings, named ? FINDING_WARNING : FINDING_NOTE, "dead suite",
                text_buffer_text(&dead->names), place_of(subject, row, where),
                dead_remedy(row->reason), "%zu suite%s can never be negotiated%s%s: %s",
                dead->count, dead->count == 1 ? "" : "s",
                certificate[0] ? " with the certificate " : "", certificate, row->why);
}

static void find_dead(const struct check_subject *subject, const struct check_rows *rows,
                      bool named, struct finding_list *findings)
{
    bool *done = memory_new(rows->count + 1, sizeof *done);

    for (size_t i = 0; i < rows->count; i++) {
        const struct check_row *row = &rows->items[i];
        struct gathered dead = {.first = row};
        if (row->reason == DEAD_NOT || done[i] || is_unasked(subject, row) ||
            is_named(subject, row) != named)
            continue;
        for (size_t j = i; j < rows->count; j++) {
            if (!same_death(row, &rows->items[j]) || is_named(subject, &rows->items[j]) != named)
                continue;
            done[j] = true;
            gather(&dead, &rows->items[j]);
        }
        say_dead(subject, &dead, named, findings);
        text_buffer_cleanup(&dead.names);
    }
    free(done);
}

/* --- weak suites --- */

static bool is_seen(const struct check_rows *rows, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (rows->items[i].choice == rows->items[index].choice && rows->items[i].reason == DEAD_NOT)
            return true;
    return false;
}

static void find_weak(const struct check_subject *subject, const struct check_rows *rows,
                      const struct weak_row *weak, struct finding_list *findings)
{
    struct gathered found = {.count = 0};
    char where[CIPHER_PLACE_TEXT];

    for (size_t i = 0; i < rows->count; i++) {
        const struct check_row *row = &rows->items[i];
        struct suite_facts facts = suite_facts(row->choice->suite);
        if (row->reason == DEAD_NOT && !is_seen(rows, i) &&
            weak->applies(row->choice->suite, &facts))
            gather(&found, row);
    }
    if (found.count > 0)
        finding_add(findings, weak->level, "weak", text_buffer_text(&found.names),
                    place_of(subject, found.first, where), weak->remedy, "%s (%zu suite%s): %s",
                    weak->name, found.count, found.count == 1 ? "" : "s", weak->text);
    text_buffer_cleanup(&found.names);
}

static void find_small_dh(const struct check_subject *subject, const struct check_rows *rows,
                          struct finding_list *findings)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct check_row *row = &rows->items[i];
        if (row->reason != DEAD_NOT || subject->dh != DH_PARAMS || subject->dh_bits >= 2048 ||
            suite_facts(row->choice->suite).exchange != EXCHANGE_DHE)
            continue;
        finding_add(findings, FINDING_WARNING, "weak", subject->dhparam.text,
                    subject->dhparam.place, "openssl dhparam -out FILE 2048",
                    "Diffie-Hellman of %d bits: Logjam (CVE-2015-4000; RFC 9325 section 4.1 asks "
                    "for 2048)",
                    subject->dh_bits);
        return;
    }
}

/* --- versions --- */

static void find_versions(const struct check_subject *subject, const struct check_rows *rows,
                          struct finding_list *findings)
{
    for (int v = SUBJECT_10; v <= SUBJECT_11; v++) {
        const char *name = tls_version_name(subject_version_number((enum subject_version)v));
        bool works = false;
        for (size_t i = 0; i < rows->count; i++)
            works |= rows->items[i].works[v];
        if (!subject->version_on[v])
            continue;
        if (works)
            finding_add(findings, FINDING_WARNING, "weak", name, file_line(&subject->versions),
                        "switch it off",
                        "TLS %s works: obsolete since RFC 8996, BEAST in 1.0, SHA-1 and MD5 "
                        "signatures",
                        name);
        else
            finding_add(findings,
                        file_line(&subject->versions)[0] || !subject->nginx ? FINDING_WARNING
                                                                            : FINDING_NOTE,
                        "idle version", name, file_line(&subject->versions),
                        "switch it off; who needs it takes @SECLEVEL=0",
                        "TLS %s is on, but no handshake can succeed: it needs security level 0, "
                        "here it is %d (\"no suitable signature algorithm\")",
                        name, subject->list.level);
    }
}

/* --- certificates --- */

/* RFC 8422 section 5.1: in TLS 1.2 the client's groups say which curves its peer's certificate may
 * have, too. OpenSSL's server asks nothing of its own groups here. */
static void find_curves(const struct check_subject *subject, struct finding_list *findings)
{
    for (size_t i = 0; i < subject->certificates.count; i++) {
        const struct check_certificate *certificate = &subject->certificates.items[i];
        bool has_curve = !certificate->kind.curve || !subject->version_on[SUBJECT_12];
        for (size_t j = 0; j < subject->group_count && !has_curve; j++)
            has_curve = subject->group_list[j] == group_find(certificate->kind.curve);
        if (!has_curve)
            finding_add(findings, FINDING_WARNING, "curve is missing", certificate->kind.curve,
                        file_line(&subject->groups),
                        strcmp(certificate->kind.curve, "P-256") == 0
                            ? "add P-256 to the groups"
                            : "take a P-256 certificate, which every client's groups allow",
                        "the certificate's curve %s is not among the groups: up to TLS 1.2 a "
                        "client with these same groups has no shared cipher, only one that names "
                        "%s too can use the certificate",
                        certificate->kind.curve, certificate->kind.curve);
    }
}

/* --- the whole --- */

static void find_preference(const struct check_subject *subject, const struct check_rows *rows,
                            struct finding_list *findings)
{
    size_t weak = 0, strong = 0;

    for (size_t i = 0; i < rows->count; i++) {
        if (rows->items[i].reason != DEAD_NOT || is_13(&rows->items[i]))
            continue;
        if (weak_is_warned(rows->items[i].choice->suite))
            weak++;
        else
            strong++;
    }
    if (weak > 0 && strong > 0 && !subject->prefer_server)
        finding_add(findings, FINDING_WARNING, "client preference",
                    subject->nginx ? "ssl_prefer_server_ciphers" : "--prefer-server",
                    file_line(&subject->prefer),
                    "switch the server's preference on, or remove the weak suites",
                    "the list holds weak suites, and with the server's preference off a client "
                    "gets one of them whenever it names it first");
}

/* A list that OpenSSL takes and that gives nothing; TLS 1.3 may still work beside it. */
static void find_nothing(const struct check_subject *subject, const struct check_rows *rows,
                         struct finding_list *findings)
{
    const char *text = subject->ciphers.text ? subject->ciphers.text : "DEFAULT";
    bool wanted = subject->version_on[SUBJECT_10] || subject->version_on[SUBJECT_11] ||
                  subject->version_on[SUBJECT_12];
    size_t usable = 0;

    for (size_t i = 0; i < rows->count; i++)
        usable += rows->items[i].reason == DEAD_NOT && !is_13(&rows->items[i]);
    if (rows->usable > 0 && (usable > 0 || !wanted))
        return;
    finding_add(findings, FINDING_ERROR, "nothing usable", text, file_line(&subject->ciphers),
                "see the dead suites for what each of them needs",
                "OpenSSL takes the cipher string, and no handshake%s can ever succeed",
                rows->usable > 0 ? " of TLS 1.2 or before" : "");
}

/* Before a server's OpenSSL looks at what the client offers, it wants a suite of its own highest
 * version; of versions with a gap it takes the lower part for this. */
static void say_deaf(const struct check_subject *subject, struct finding_list *findings)
{
    const char *version = tls_version_name(subject->deaf_number);
    bool tls13 = subject->deaf_number == TLS1_3_VERSION;
    const struct subject_value *value = tls13 ? &subject->ciphersuites : &subject->versions;

    finding_add(findings, FINDING_ERROR, "nothing usable", version, file_line(value),
                tls13 ? "name a TLS 1.3 suite, or switch TLS 1.3 off"
                      : "leave no gap between the versions that are on",
                "TLS %s is on%s and has no suite in the lists: OpenSSL then refuses every "
                "handshake, whatever its version (\"no ciphers available\")",
                version, tls13 ? "" : ", the highest below a gap,");
}

void lint(const struct check_subject *subject, const struct check_rows *rows,
          struct finding_list *findings)
{
    if (subject->list.refused || subject->list_13.refused)
        return;
    if (subject->deaf_number) {
        say_deaf(subject, findings);
        return;
    }
    find_nothing(subject, rows, findings);
    find_dead(subject, rows, true, findings);
    find_dead(subject, rows, false, findings);
    for (size_t i = 0; i < weak_count; i++)
        find_weak(subject, rows, &weak_table[i], findings);
    find_small_dh(subject, rows, findings);
    find_versions(subject, rows, findings);
    find_curves(subject, findings);
    find_preference(subject, rows, findings);
}
