#include "client/check/preference.h"

#include "client/check/weak.h"
#include "common/base/text.h"
#include "common/base/units.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

#define WORTH_TELLING 1.2

/* --- the client's preference --- */

static const struct check_row *row_of(const struct check_rows *rows,
                                      const struct client_outcome *client)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct check_row *row = &rows->items[i];
        if (row->choice->suite->code == client->negotiated.suite && row->certificate &&
            strcmp(row->certificate->kind.key_type, client->negotiated.certificate_type) == 0)
            return row;
    }
    return NULL;
}

static bool offers(const struct client_profile *profile, const struct check_row *row)
{
    struct text_list words = {0};
    bool offered = false;

    text_list_add_split(&words, profile->suites_12, ":");
    for (size_t i = 0; i < words.count && !offered; i++)
        offered = suite_find(words.items[i]) == row->choice->suite;
    text_list_cleanup(&words);
    return offered;
}

/* By the whole 95 % interval; a mere range of few rounds says nothing. */
static bool is_below(const struct price *price, size_t a, size_t b)
{
    struct interval cost_a, cost_b;

    return price_of(price, a, &cost_a) && price_of(price, b, &cost_b) && !cost_a.is_range &&
           !cost_b.is_range && cost_a.high < cost_b.low;
}

/* Handshakes or bytes that are certainly dearer, with handshakes that are not certainly cheaper. */
static bool is_dearer(const struct price *price, const struct check_row *a,
                      const struct check_row *b)
{
    if (is_below(price, b->handshake_case, a->handshake_case))
        return true;
    return !is_below(price, a->handshake_case, b->handshake_case) &&
           is_below(price, b->bulk_case, a->bulk_case);
}

/* The first in the server's list that this client could have had for less, and is not weak. */
static const struct check_row *cheaper_for(const struct check_rows *rows, const struct price *price,
                                           const struct client_outcome *client,
                                           const struct check_row *got)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct check_row *row = &rows->items[i];
        if (row != got && row->reason == DEAD_NOT && row->version <= SUBJECT_12 &&
            !weak_is_warned(row->choice->suite) && is_dearer(price, got, row) &&
            offers(client->profile, row))
            return row;
    }
    return NULL;
}

void preference_find_costly(const struct check_subject *subject, const struct check_rows *rows,
                            const struct price *price, const struct client_outcome *clients,
                            size_t count, struct finding_list *findings)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < count && !subject->prefer_server; i++) {
        if (!clients[i].done || clients[i].negotiated.version > TLS1_2_VERSION)
            continue;
        const struct check_row *got = row_of(rows, &clients[i]);
        const struct check_row *cheaper = got ? cheaper_for(rows, price, &clients[i], got) : NULL;
        if (cheaper)
            text_buffer_add(&text, "%s%s takes %s where %s would cost the server less",
                            text.length ? "; " : "", clients[i].profile->name,
                            suite_name(got->choice->suite), suite_name(cheaper->choice->suite));
    }
    if (text.length > 0)
        finding_add(findings, FINDING_NOTE, "costly choice",
                    subject->nginx ? "ssl_prefer_server_ciphers" : "--prefer-server",
                    subject->prefer.place,
                    "switch the server's preference on, with the advised order",
                    "measured with the clients' preference in force: %s", text_buffer_text(&text));
    text_buffer_cleanup(&text);
}

/* --- the server's preference --- */

static bool is_cipher(const struct check_row *row, const char *part)
{
    return row->reason == DEAD_NOT && strstr(row->choice->suite->iana, part) != NULL;
}

bool preference_forces_aes(const struct check_subject *subject, const struct check_rows *rows)
{
    bool aes_first[2] = {false, false}; /* TLS 1.2 and before, TLS 1.3 */

    for (size_t i = 0; i < rows->count && !subject->prioritize_chacha; i++) {
        const struct check_row *row = &rows->items[i];
        bool tls13 = row->version == SUBJECT_13;
        bool prefers = tls13 ? subject->prefer_server_13 : subject->prefer_server;
        aes_first[tls13] |= prefers && is_cipher(row, "_AES_") && is_cipher(row, "_GCM_");
        if (is_cipher(row, "CHACHA20") && aes_first[tls13])
            return true;
    }
    return false;
}

void preference_find_aes(const struct check_subject *subject, const struct soft_speeds *speeds,
                         struct finding_list *findings)
{
    char aes[UNITS_TEXT], chacha[UNITS_TEXT];

    if (speeds->chacha < WORTH_TELLING * speeds->aes)
        return;
    finding_add(
        findings, FINDING_NOTE, "AES before ChaCha20",
        subject->nginx ? "ssl_prefer_server_ciphers" : "--prefer-server", subject->prefer.place,
        subject->nginx ? "ssl_conf_command Options PrioritizeChaCha"
                       : "the option PrioritizeChaCha gives ChaCha20 to clients that name "
                         "it first",
        "the server's order gives AES to clients without AES instructions too: measured on "
        "this CPU with them switched off, ChaCha20-Poly1305 makes %s and AES-128-GCM %s",
        units_format_bytes_rate(chacha, speeds->chacha), units_format_bytes_rate(aes, speeds->aes));
}
