#include "common/tls/negotiated.h"

#include "common/tls/compat.h"
#include "common/tls/signature.h"
#include "common/tls/version.h"

#include <openssl/objects.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

static uint16_t suite_of(const SSL *ssl)
{
    const SSL_CIPHER *cipher = SSL_get_current_cipher(ssl);
    return cipher != NULL ? SSL_CIPHER_get_protocol_id(cipher) : 0;
}

/* Borrowed; NULL for a suite without certificates. */
static const EVP_PKEY *peer_key(const SSL *ssl)
{
    X509 *certificate = SSL_get0_peer_certificate(ssl);
    return certificate != NULL ? X509_get0_pubkey(certificate) : NULL;
}

/* Bits of the finite-field key of a DHE suite in TLS <= 1.2, which has no group number; else 0. */
static int dh_bits(SSL *ssl)
{
    EVP_PKEY *key = NULL;
    if (SSL_version(ssl) >= TLS1_3_VERSION || SSL_get_peer_tmp_key(ssl, &key) != 1)
        return 0;
    int bits = EVP_PKEY_is_a(key, "DH") == 1 || EVP_PKEY_is_a(key, "DHX") == 1
                   ? EVP_PKEY_get_bits(key)
                   : 0;
    EVP_PKEY_free(key);
    return bits;
}

/* OpenSSL's number of the group, or where there is none the size of the DHE key. */
static int group_id(SSL *ssl)
{
    long id = SSL_get_negotiated_group(ssl);
    return id != NID_undef ? (int)id : -dh_bits(ssl);
}

static void group_name(int id, char *name, size_t size)
{
    const struct tls_group *group = id > 0 ? group_by_nid(id) : NULL;
    if (group != NULL)
        (void)snprintf(name, size, "%s", group->name);
    else if (id > 0)
        (void)snprintf(name, size, "0x%04x", (unsigned)id & 0xffffU);
    else if (id < 0)
        (void)snprintf(name, size, "dh-%d", -id);
    else
        name[0] = '\0';
}

static struct negotiated_ids ids_of(SSL *ssl)
{
    struct negotiated_ids ids = {.group = group_id(ssl)};
    /* Each is 0 where nothing was signed, and the digest for EdDSA too. */
    (void)SSL_get_peer_signature_nid(ssl, &ids.digest);
    (void)SSL_get_peer_signature_type_nid(ssl, &ids.signature);
    return ids;
}

/* OpenSSL's own word where it gives one: it also tells schemes of which the numbers know nothing
 * (ML-DSA). */
static const char *scheme_of(SSL *ssl, const struct negotiated_ids *ids, const EVP_PKEY *key)
{
    const char *name = compat_peer_signature_name(ssl);
    if (name != NULL)
        return name;
    bool pss_key = key != NULL && EVP_PKEY_is_a(key, "RSA-PSS") == 1;
    return signature_name(ids->signature, ids->digest, pss_key);
}

static void read_curve(const EVP_PKEY *key, char *curve, size_t size)
{
    char name[64];
    if (EVP_PKEY_is_a(key, "EC") != 1 ||
        EVP_PKEY_get_group_name(key, name, sizeof(name), NULL) != 1)
        return;
    const struct tls_group *group = group_by_nid(OBJ_sn2nid(name));
    (void)snprintf(curve, size, "%s", group != NULL ? group->name : name);
}

static void read_key(const EVP_PKEY *key, struct negotiated *facts)
{
    if (key == NULL)
        return;
    const char *type = EVP_PKEY_get0_type_name(key);
    (void)snprintf(facts->certificate_type, sizeof(facts->certificate_type), "%s",
                   type != NULL ? type : "?");
    facts->certificate_bits = EVP_PKEY_get_bits(key);
    read_curve(key, facts->certificate_curve, sizeof(facts->certificate_curve));
}

void negotiated_read(SSL *ssl, struct negotiated *facts)
{
    const EVP_PKEY *key = peer_key(ssl);
    *facts = (struct negotiated){
        .version = SSL_version(ssl),
        .suite = suite_of(ssl),
        .resumed = SSL_session_reused(ssl) == 1,
        .ids = ids_of(ssl),
    };
    group_name(facts->ids.group, facts->group, sizeof(facts->group));
    (void)snprintf(facts->signature, sizeof(facts->signature), "%s",
                   scheme_of(ssl, &facts->ids, key));
    read_key(key, facts);
}

static const char *suite_text(uint16_t code)
{
    const struct suite *suite = suite_by_code(code);
    return suite != NULL ? suite_name(suite) : "?";
}

static const char *word(const char *text)
{
    return text[0] != '\0' ? text : "none";
}

static void key_text(const struct negotiated *facts, char *text, size_t size)
{
    if (facts->certificate_curve[0] != '\0')
        (void)snprintf(text, size, "%s %s", facts->certificate_type, facts->certificate_curve);
    else
        (void)snprintf(text, size, "%s %d", word(facts->certificate_type), facts->certificate_bits);
}

static void describe_key(const struct negotiated *is, const struct negotiated *expected, char *what,
                         size_t size)
{
    char now[48], before[48];
    key_text(is, now, sizeof(now));
    key_text(expected, before, sizeof(before));
    (void)snprintf(what, size, "certificate key %s instead of %s", now, before);
}

/* The first difference in words; false where there is none. */
static bool describe_difference(const struct negotiated *is, const struct negotiated *expected,
                                char *what, size_t size)
{
    if (is->version != expected->version)
        (void)snprintf(what, size, "version %s instead of %s", tls_version_name(is->version),
                       tls_version_name(expected->version));
    else if (is->suite != expected->suite)
        (void)snprintf(what, size, "suite %s instead of %s", suite_text(is->suite),
                       suite_text(expected->suite));
    else if (is->resumed != expected->resumed)
        (void)snprintf(what, size, "session %s", is->resumed ? "resumed" : "not resumed");
    else if (strcmp(is->group, expected->group) != 0)
        (void)snprintf(what, size, "group %s instead of %s", word(is->group),
                       word(expected->group));
    else if (strcmp(is->signature, expected->signature) != 0)
        (void)snprintf(what, size, "signature %s instead of %s", word(is->signature),
                       word(expected->signature));
    else if (strcmp(is->certificate_type, expected->certificate_type) != 0 ||
             is->certificate_bits != expected->certificate_bits ||
             strcmp(is->certificate_curve, expected->certificate_curve) != 0)
        describe_key(is, expected, what, size);
    else
        return false;
    return true;
}

static bool same_key(const EVP_PKEY *key, const struct negotiated *expected)
{
    if (key == NULL)
        return expected->certificate_type[0] == '\0';
    const char *type = EVP_PKEY_get0_type_name(key);
    char curve[sizeof(expected->certificate_curve)] = "";
    if (expected->certificate_curve[0] != '\0')
        read_curve(key, curve, sizeof(curve));
    return type != NULL && strcmp(type, expected->certificate_type) == 0 &&
           EVP_PKEY_get_bits(key) == expected->certificate_bits &&
           strcmp(curve, expected->certificate_curve) == 0;
}

bool negotiated_same(SSL *ssl, const struct negotiated *expected, char *what, size_t size)
{
    struct negotiated_ids ids = ids_of(ssl);
    if (SSL_version(ssl) == expected->version && suite_of(ssl) == expected->suite &&
        (SSL_session_reused(ssl) == 1) == expected->resumed && ids.group == expected->ids.group &&
        ids.digest == expected->ids.digest && ids.signature == expected->ids.signature &&
        same_key(peer_key(ssl), expected))
        return true;

    struct negotiated is;
    negotiated_read(ssl, &is);
    return !describe_difference(&is, expected, what, size);
}
