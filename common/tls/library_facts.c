#include "common/tls/library.h"

#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

static bool facts_cipher_works(const struct suite *suite)
{
    struct suite_facts suite_is = suite_facts(suite);
    EVP_CIPHER *cipher = NULL;

    if (!suite_is.cipher) /* not ours to name: a provider's own suite */
        return true;
    cipher = EVP_CIPHER_fetch(NULL, suite_is.cipher, NULL);
    EVP_CIPHER_free(cipher);
    return cipher != NULL;
}

/* Notes what the context has enabled now. */
static void facts_note_enabled(struct library_facts *facts, const SSL_CTX *context)
{
    const STACK_OF(SSL_CIPHER) *enabled = SSL_CTX_get_ciphers(context);

    for (int i = 0; i < sk_SSL_CIPHER_num(enabled); i++) {
        uint16_t code = SSL_CIPHER_get_protocol_id(sk_SSL_CIPHER_value(enabled, i));
        const struct suite *suite = suite_by_code(code);
        if (suite && !library_has_suite(facts, suite))
            facts->suites[suite - suite_table] = facts_cipher_works(suite);
    }
}

static void facts_read_suites(struct library_facts *facts, SSL_CTX *context)
{
    /* TLS 1.3 suites alone, one by one: a list says nothing of the words that it dropped. */
    SSL_CTX_set_cipher_list(context, "AES128-SHA");
    for (size_t i = 0; i < suite_count; i++) {
        const struct suite *suite = &suite_table[i];
        if (suite->openssl && suite_facts(suite).min_version == TLS1_3_VERSION &&
            SSL_CTX_set_ciphersuites(context, suite->openssl) == 1)
            facts_note_enabled(facts, context);
    }
    if (SSL_CTX_set_cipher_list(context, "ALL:COMPLEMENTOFALL:@SECLEVEL=0") == 1)
        facts_note_enabled(facts, context);
}

static bool facts_key_possible(const struct certificate_kind *kind)
{
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, kind->key_type, NULL);
    bool possible = maker && EVP_PKEY_keygen_init(maker) == 1 &&
                    (!kind->curve || EVP_PKEY_CTX_set_group_name(maker, kind->curve) == 1);

    EVP_PKEY_CTX_free(maker);
    return possible;
}

static bool facts_sigalgs_known(SSL_CTX *context, const char *sigalgs)
{
    return !sigalgs || SSL_CTX_set1_sigalgs_list(context, sigalgs) == 1;
}

static void facts_read_kinds(struct library_facts *facts, SSL_CTX *context)
{
    for (size_t i = 0; i < kind_count; i++) {
        const struct certificate_kind *kind = &kind_table[i];
        facts->kinds[i] = facts_key_possible(kind) &&
                          facts_sigalgs_known(context, kind->sigalgs_12) &&
                          facts_sigalgs_known(context, kind->sigalgs_13);
    }
}

/* libssl itself keeps only the groups whose key type a provider has, so that the name is proof
 * enough. */
static void facts_read_groups(struct library_facts *facts, SSL_CTX *context)
{
    for (size_t i = 0; i < group_count; i++)
        facts->groups[i] = SSL_CTX_set1_groups_list(context, group_table[i].openssl) == 1;
}

bool library_facts_read(struct library_facts *facts, struct error *err)
{
    *facts = (struct library_facts){.version = OpenSSL_version_num()};
    if (suite_count > sizeof facts->suites || kind_count > sizeof facts->kinds ||
        group_count > sizeof facts->groups)
        return error_set(err, "the tables of suites, kinds and groups have outgrown their facts");

    if (!library_has_provider(err))
        return false;
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    if (!context)
        return reason_error(err, "OpenSSL cannot make a TLS context");
    SSL_CTX_set_security_level(context, 0);
    ERR_set_mark(); /* what the library has not is no error */
    facts_read_suites(facts, context);
    facts_read_kinds(facts, context);
    facts_read_groups(facts, context);
    ERR_pop_to_mark();
    SSL_CTX_free(context);
    return true;
}
