#include "certs/load_check.h"

#include "common/tls/group.h"
#include "common/tls/settings.h"

#include <openssl/core_names.h>
#include <openssl/objects.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MIN_BITS 1024

/* The chain as the file has it: 0 is the leaf. */
static X509 *certificate_at(const struct identity *identity, int index)
{
    return index == 0 ? identity->leaf : sk_X509_value(identity->chain, index - 1);
}

static int certificate_count(const struct identity *identity)
{
    return 1 + sk_X509_num(identity->chain);
}

#define SUBJECT_TEXT 96

static const char *subject_of(const X509 *certificate, char text[static SUBJECT_TEXT])
{
    const X509_NAME *name = X509_get_subject_name(certificate);
    BIO *bio = BIO_new(BIO_s_mem());
    int length = -1;
    if (bio != NULL && X509_NAME_print_ex(bio, name, 0, XN_FLAG_ONELINE) >= 0)
        length = BIO_read(bio, text, SUBJECT_TEXT - 1);
    BIO_free(bio);
    text[length > 0 ? length : 0] = '\0';
    return length > 0 ? text : "without a subject";
}

static const char *type_of(const EVP_PKEY *key)
{
    const char *type = EVP_PKEY_get0_type_name(key);
    return type != NULL ? type : "unknown";
}

/* The certificate, if any, that the key does belong to: people put the issuer first. */
static int certificate_of_key(const struct identity *identity)
{
    for (int i = 0; i < certificate_count(identity); i++) {
        const EVP_PKEY *public_key = X509_get0_pubkey(certificate_at(identity, i));
        if (public_key != NULL && EVP_PKEY_eq(public_key, identity->key) == 1)
            return i;
    }
    return -1;
}

bool load_check_pair(const struct load_files *files, const struct identity *identity,
                     struct error *err)
{
    const EVP_PKEY *public_key = X509_get0_pubkey(identity->leaf);
    if (public_key == NULL)
        return error_set(err, "%s: the certificate's key is of a kind that OpenSSL does not know",
                         files->cert_file);
    int owner = certificate_of_key(identity);
    if (owner == 0)
        return true;
    if (owner > 0)
        return error_set(err,
                         "%s: the chain is out of order: the key belongs to certificate %d, which "
                         "must be the first",
                         files->cert_file, owner + 1);
    if (strcmp(type_of(public_key), type_of(identity->key)) != 0)
        return error_set(err, "%s is for a key of type %s, %s holds one of type %s",
                         files->cert_file, type_of(public_key), files->key_file,
                         type_of(identity->key));
    return error_set(err, "the key in %s does not belong to the certificate in %s", files->key_file,
                     files->cert_file);
}

static bool check_curve(const struct load_files *files, const EVP_PKEY *key, struct error *err)
{
    char name[64];
    int is_explicit = 0;
    (void)EVP_PKEY_get_int_param(key, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS,
                                 &is_explicit);
    if (is_explicit != 0 || EVP_PKEY_get_group_name(key, name, sizeof(name), NULL) != 1)
        return error_set(err,
                         "%s: the curve is written out as numbers, and TLS takes named curves only",
                         files->cert_file);
    int nid = OBJ_txt2nid(name);
    if (nid == NID_undef || group_by_nid(nid) == NULL)
        return error_set(err, "%s: TLS has no curve %s", files->cert_file, name);
    return true;
}

bool load_check_key(const struct load_files *files, const struct identity *identity,
                    struct error *err)
{
    const EVP_PKEY *key = identity->key;
    if (EVP_PKEY_is_a(key, "EC") == 1)
        return check_curve(files, key, err);
    bool sized = EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1 ||
                 EVP_PKEY_is_a(key, "DSA") == 1;
    if (sized && EVP_PKEY_get_bits(key) < MIN_BITS)
        return error_set(err, "%s: a key of type %s with %d bits is too small, %d is the least",
                         files->cert_file, type_of(key), EVP_PKEY_get_bits(key), MIN_BITS);
    return true;
}

bool load_check_chain(const struct load_files *files, const struct identity *identity,
                      struct error *err)
{
    char subject[SUBJECT_TEXT], next[SUBJECT_TEXT];
    for (int i = 0; i + 1 < certificate_count(identity); i++) {
        X509 *certificate = certificate_at(identity, i), *issuer = certificate_at(identity, i + 1);
        if (X509_NAME_cmp(X509_get_issuer_name(certificate), X509_get_subject_name(issuer)) != 0)
            return error_set(err,
                             "%s: the chain is out of order: certificate %d (%s) is not issued by "
                             "certificate %d (%s)",
                             files->cert_file, i + 1, subject_of(certificate, subject), i + 2,
                             subject_of(issuer, next));
        if (X509_verify(certificate, X509_get0_pubkey(issuer)) != 1)
            return error_set(err,
                             "%s: certificate %d (%s) is not signed by the key of certificate %d, "
                             "which only has its issuer's name",
                             files->cert_file, i + 1, subject_of(certificate, subject), i + 2);
    }
    return true;
}

static const char *time_text(const ASN1_TIME *time, char text[static 24])
{
    struct tm parts;
    if (ASN1_TIME_to_tm(time, &parts) != 1 || strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return "an unreadable time";
    return text;
}

bool load_check_dates(const struct load_files *files, const struct identity *identity,
                      struct error *err)
{
    char subject[SUBJECT_TEXT], when[24];
    const time_t now = time(NULL);
    for (int i = 0; i < certificate_count(identity); i++) {
        const X509 *certificate = certificate_at(identity, i);
        const ASN1_TIME *from = X509_get0_notBefore(certificate);
        const ASN1_TIME *until = X509_get0_notAfter(certificate);
        if (ASN1_TIME_cmp_time_t(until, now) < 0)
            return error_set(err, "%s: certificate %d (%s) expired on %s", files->cert_file, i + 1,
                             subject_of(certificate, subject), time_text(until, when));
        if (ASN1_TIME_cmp_time_t(from, now) > 0)
            return error_set(err, "%s: certificate %d (%s) is not valid before %s",
                             files->cert_file, i + 1, subject_of(certificate, subject),
                             time_text(from, when));
    }
    return true;
}

/* libssl itself is asked, by a server's context of that level. */
bool load_check_level(const struct load_files *files, const struct identity *identity, int level,
                      struct error *err)
{
    const struct tls_settings settings = {.role = TLS_SERVER, .security_level = level};
    SSL_CTX *ctx = tls_context_new(&settings, &identity, 1, err);
    if (ctx == NULL)
        return error_prefix(err, "%s: OpenSSL refuses it at security level %d", files->cert_file,
                            level);
    SSL_CTX_free(ctx);
    return true;
}
