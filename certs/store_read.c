#include "certs/store.h"

#include "certs/load_pem.h"
#include "certs/store_path.h"

#include <errno.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DAY_SECONDS (24 * 3600L)

static bool is_valid_for(const X509 *certificate, long seconds)
{
    time_t now = time(NULL);
    return ASN1_TIME_cmp_time_t(X509_get0_notBefore(certificate), now) <= 0 &&
           ASN1_TIME_cmp_time_t(X509_get0_notAfter(certificate), now + seconds) > 0;
}

static bool is_signed_by(X509 *certificate, X509 *issuer)
{
    return X509_check_issued(issuer, certificate) == X509_V_OK &&
           X509_verify(certificate, X509_get0_pubkey(issuer)) == 1;
}

/* The first certificate of NAME.crt. */
static bool read_certificate(const char *dir, const char *name, X509 **certificate,
                             struct error *err)
{
    char path[STORE_PATH];
    STACK_OF(X509) *rest = NULL;
    bool ok = store_path(path, sizeof(path), dir, name, ".crt", err) &&
              load_pem_certificates(path, certificate, &rest, err);
    sk_X509_pop_free(rest, X509_free);
    return ok;
}

/* The first certificate of NAME.crt, and its key in NAME.key. */
static bool read_pair(const char *dir, const char *name, X509 **certificate, EVP_PKEY **key,
                      struct error *err)
{
    char path[STORE_PATH];
    if (!read_certificate(dir, name, certificate, err) ||
        !store_path(path, sizeof(path), dir, name, ".key", err) ||
        !load_pem_key(path, NULL, key, err))
        return false;
    return X509_check_private_key(*certificate, *key) == 1 ||
           error_set(err, "%s is not the key of %s.crt", path, name);
}

static bool check_issuer(const char *name, X509 *certificate, X509 *root, struct error *err)
{
    if (!is_signed_by(certificate, root))
        return error_set(err, "%s.crt is not signed by the key of root.crt", name);
    return is_valid_for(certificate, DAY_SECONDS) ||
           error_set(err, "%s.crt is not valid for another day", name);
}

static bool read_authority(const char *dir, struct authority *authority, struct error *err)
{
    return read_certificate(dir, STORE_ROOT, &authority->root, err) &&
           read_pair(dir, STORE_RSA_ISSUER, &authority->rsa_issuer, &authority->rsa_issuer_key,
                     err) &&
           read_pair(dir, STORE_EC_ISSUER, &authority->ec_issuer, &authority->ec_issuer_key, err) &&
           check_issuer(STORE_RSA_ISSUER, authority->rsa_issuer, authority->root, err) &&
           check_issuer(STORE_EC_ISSUER, authority->ec_issuer, authority->root, err);
}

bool store_read_authority(const char *dir, struct authority *authority, bool *found,
                          struct error *err)
{
    char path[STORE_PATH];
    memset(authority, 0, sizeof(*authority));
    if (!store_path(path, sizeof(path), dir, STORE_ROOT, ".crt", err))
        return false;
    *found = access(path, F_OK) == 0;
    if (!*found)
        return errno == ENOENT || error_set(err, "%s: %s", path, strerror(errno));
    if (read_authority(dir, authority, err))
        return true;
    authority_cleanup(authority);
    return error_prefix(err, "%s cannot be used to issue more certificates", path);
}

bool store_read_identity(const char *dir, const struct authority *authority,
                         const struct certificate_kind *kind, struct identity *identity)
{
    X509 *issuer = authority_issuer_of(authority, kind);
    *identity = (struct identity){.kind = kind, .chain = sk_X509_new_null()};
    (void)snprintf(identity->name, sizeof(identity->name), "%s", kind->name);
    if (identity->chain != NULL &&
        X509_add_cert(identity->chain, issuer, X509_ADD_FLAG_UP_REF) == 1 &&
        read_pair(dir, kind->name, &identity->leaf, &identity->key, NULL) &&
        identity_kind_of(identity->key) == kind && is_signed_by(identity->leaf, issuer) &&
        is_valid_for(identity->leaf, DAY_SECONDS))
        return true;
    identity_cleanup(identity);
    return false;
}
