#include "common/tls/settings_lists.h"

#include "common/tls/group.h"
#include "common/tls/library.h"
#include "common/tls/reason.h"
#include "common/tls/suite.h"

#include <openssl/err.h>
#include <string.h>

/* TLS <= 1.2 suites */

#define EVERY_CIPHER "ALL:COMPLEMENTOFALL"

static bool is_13(const SSL_CIPHER *cipher)
{
    return strcmp(SSL_CIPHER_get_version(cipher), "TLSv1.3") == 0;
}

/* An empty list cannot be asked for: OpenSSL reports it as a failure and does as it was told. */
static bool empty_ciphers(SSL_CTX *ctx, struct error *err)
{
    (void)SSL_CTX_set_cipher_list(ctx, "-ALL");
    ERR_clear_error();
    STACK_OF(SSL_CIPHER) *left = SSL_CTX_get_ciphers(ctx);
    for (int i = 0; i < sk_SSL_CIPHER_num(left); i++)
        if (!is_13(sk_SSL_CIPHER_value(left, i)))
            return error_set(err, "OpenSSL keeps %s in an empty cipher list",
                             SSL_CIPHER_get_name(sk_SSL_CIPHER_value(left, i)));
    return true;
}

static bool apply_ciphers(SSL_CTX *ctx, const char *ciphers, struct error *err)
{
    if (ciphers != NULL && ciphers[0] == '\0')
        return empty_ciphers(ctx, err);

    if (ciphers != NULL) {
        const struct suite *suites[512];
        size_t count;
        if (!library_expand_ciphers(ciphers, suites, sizeof(suites) / sizeof(suites[0]), &count,
                                    err))
            return false;
    }
    if (SSL_CTX_set_cipher_list(ctx, ciphers != NULL ? ciphers : EVERY_CIPHER) != 1)
        return reason_error(err, "cipher list %s", ciphers != NULL ? ciphers : EVERY_CIPHER);
    return true;
}

/* TLS 1.3 suites */

static bool offers_13(const SSL_CTX *ctx, const char *name)
{
    STACK_OF(SSL_CIPHER) *ciphers = SSL_CTX_get_ciphers(ctx);
    for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); i++) {
        const SSL_CIPHER *cipher = sk_SSL_CIPHER_value(ciphers, i);
        if (is_13(cipher) && text_equal_nocase(SSL_CIPHER_get_name(cipher), name))
            return true;
    }
    return false;
}

/* Every TLS 1.3 suite of the registry, those of RFC 8446 first, since order is preference; OpenSSL
 * leaves out what it does not have. */
static void every_ciphersuite(struct text_buffer *list)
{
    for (int others = 0; others <= 1; others++) {
        for (size_t i = 0; i < suite_count; i++) {
            const struct suite *suite = &suite_table[i];
            bool is_other = suite->code >> 8 != 0x13;
            if (is_other == (others == 1) && suite_facts(suite).exchange == EXCHANGE_TLS13)
                text_buffer_add(list, "%s%s", list->length > 0 ? ":" : "", suite->iana);
        }
    }
}

static bool all_offered_13(const SSL_CTX *ctx, const char *ciphersuites, struct error *err)
{
    struct text_list words = {0};
    text_list_add_split(&words, ciphersuites, ":");
    bool ok = true;
    for (size_t i = 0; ok && i < words.count; i++)
        if (!offers_13(ctx, words.items[i]))
            ok = error_set(err, "%s is no TLS 1.3 suite of this OpenSSL", words.items[i]);
    text_list_cleanup(&words);
    return ok;
}

static bool apply_ciphersuites(SSL_CTX *ctx, const char *ciphersuites, struct error *err)
{
    if (ciphersuites != NULL) {
        if (SSL_CTX_set_ciphersuites(ctx, ciphersuites) != 1)
            return reason_error(err, "TLS 1.3 suites %s", ciphersuites);
        return all_offered_13(ctx, ciphersuites, err);
    }
    struct text_buffer every = {0};
    every_ciphersuite(&every);
    bool ok = SSL_CTX_set_ciphersuites(ctx, text_buffer_text(&every)) == 1;
    if (!ok)
        (void)reason_error(err, "TLS 1.3 suites %s", text_buffer_text(&every));
    ERR_clear_error();
    text_buffer_cleanup(&every);
    return ok;
}

/* Groups and signature algorithms: the whole list fails for one bad word, which OpenSSL does not
 * name. */

typedef long set_list(SSL_CTX *ctx, const char *list);

static long set_groups(SSL_CTX *ctx, const char *list)
{
    return SSL_CTX_set1_groups_list(ctx, list);
}

static long set_sigalgs(SSL_CTX *ctx, const char *list)
{
    return SSL_CTX_set1_sigalgs_list(ctx, list);
}

static bool apply_words(SSL_CTX *ctx, const char *list, set_list *set, const char *what,
                        struct error *err)
{
    if (set(ctx, list) == 1)
        return true;
    (void)reason_error(err, "%s list \"%s\"", what, list);

    struct text_list words = {0};
    text_list_add_split(&words, list, ":");
    for (size_t i = 0; i < words.count; i++) {
        if (set(ctx, words.items[i]) != 1) {
            (void)error_set(err, "%s is no %s of this OpenSSL", words.items[i], what);
            break;
        }
    }
    ERR_clear_error();
    text_list_cleanup(&words);
    return false;
}

/* Every group that the library takes, in the table's order. */
static bool apply_every_group(SSL_CTX *ctx, struct error *err)
{
    struct text_buffer every = {0};
    for (size_t i = 0; i < group_count; i++)
        if (set_groups(ctx, group_table[i].openssl) == 1)
            text_buffer_add(&every, "%s%s", every.length > 0 ? ":" : "", group_table[i].openssl);
    ERR_clear_error();
    bool ok = apply_words(ctx, text_buffer_text(&every), set_groups, "group", err);
    text_buffer_cleanup(&every);
    return ok;
}

bool settings_lists_apply(SSL_CTX *ctx, const struct tls_settings *settings, struct error *err)
{
    if (!apply_ciphers(ctx, settings->ciphers, err) ||
        !apply_ciphersuites(ctx, settings->ciphersuites, err))
        return false;
    if (settings->groups == NULL ? !apply_every_group(ctx, err)
                                 : !apply_words(ctx, settings->groups, set_groups, "group", err))
        return false;
    return settings->sigalgs == NULL ||
           apply_words(ctx, settings->sigalgs, set_sigalgs, "signature algorithm", err);
}
