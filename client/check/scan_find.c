#include "client/check/scan.h"

#include "client/check/weak.h"
#include "common/base/text.h"
#include "common/tls/version.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

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

#define RSA_LEAST 2048 /* bits: RFC 9325 section 4.5 */

static void find_certificates(const struct scan *scan, struct finding_list *findings)
{
    for (size_t i = 0; i < scan->certificate_count; i++) {
        const struct negotiated *certificate = &scan->certificates[i];
        char word[64];
        (void)snprintf(word, sizeof word, "%s %d", certificate->certificate_type,
                       certificate->certificate_bits);
        if (scan->faults[i].text[0] != '\0')
            finding_add(findings, FINDING_ERROR, "certificate", word, NULL,
                        "repair the server's certificate file", "%s", scan->faults[i].text);
        if (strncmp(certificate->certificate_type, "RSA", 3) == 0 &&
            certificate->certificate_bits < RSA_LEAST)
            finding_add(findings, FINDING_WARNING, "key too small", word, NULL,
                        "take a key of 2048 bits or more",
                        "RSA of fewer than 2048 bits: OpenSSL refuses it from security level 2 on, "
                        "as browsers do (RFC 9325 section 4.5)");
    }
}

void scan_find(const struct scan *scan, struct finding_list *findings)
{
    find_certificates(scan, findings);
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
