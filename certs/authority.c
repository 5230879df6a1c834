#include "certs/authority.h"

#include "certs/certificate.h"
#include "certs/key.h"

#include <stdio.h>
#include <string.h>

#define LEAF_DAYS      90
#define AUTHORITY_DAYS 3650

#define DOMAIN "suitemark.test"

/* The root signs for test names and loopback addresses only, so that who trusts it, or finds a
 * stored issuer's key, can vouch for nothing else. */
static const char root_constraints[] =
    "critical,permitted;DNS:" DOMAIN ",permitted;DNS:localhost,permitted;IP:127.0.0.0/255.0.0.0,"
    "permitted;IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";

static EVP_PKEY *key_of(const char *kind_name, struct error *err)
{
    const struct certificate_kind *kind = kind_find(kind_name);
    if (kind == NULL) {
        (void)error_set(err, "no certificate kind %s", kind_name);
        return NULL;
    }
    return key_new(kind, err);
}

static bool make_root(struct authority *authority, struct error *err)
{
    authority->root_key = key_of("ecdsa-p256", err);
    if (authority->root_key == NULL)
        return false;
    const struct certificate_request request = {
        .common_name = "suitemark test root",
        .key = authority->root_key,
        .issuer_key = authority->root_key,
        .days = AUTHORITY_DAYS,
        .basic_constraints = "critical,CA:TRUE",
        .key_usage = "critical,keyCertSign,cRLSign",
        .name_constraints = root_constraints,
    };
    authority->root = certificate_new(&request, err);
    return authority->root != NULL;
}

static bool make_issuer(const struct authority *authority, const char *name, const char *kind,
                        X509 **certificate, EVP_PKEY **key, struct error *err)
{
    *key = key_of(kind, err);
    if (*key == NULL)
        return false;
    const struct certificate_request request = {
        .common_name = name,
        .key = *key,
        .issuer = authority->root,
        .issuer_key = authority->root_key,
        .days = AUTHORITY_DAYS,
        .basic_constraints = "critical,CA:TRUE,pathlen:0",
        .key_usage = "critical,keyCertSign,cRLSign",
    };
    *certificate = certificate_new(&request, err);
    return *certificate != NULL;
}

bool authority_init(struct authority *authority, struct error *err)
{
    memset(authority, 0, sizeof(*authority));
    if (make_root(authority, err) &&
        make_issuer(authority, "suitemark test RSA issuer", "rsa-2048", &authority->rsa_issuer,
                    &authority->rsa_issuer_key, err) &&
        make_issuer(authority, "suitemark test EC issuer", "ecdsa-p256", &authority->ec_issuer,
                    &authority->ec_issuer_key, err))
        return true;
    authority_cleanup(authority);
    return false;
}

void authority_cleanup(struct authority *authority)
{
    if (authority == NULL)
        return;
    X509_free(authority->root);
    X509_free(authority->rsa_issuer);
    X509_free(authority->ec_issuer);
    EVP_PKEY_free(authority->root_key);
    EVP_PKEY_free(authority->rsa_issuer_key);
    EVP_PKEY_free(authority->ec_issuer_key);
    memset(authority, 0, sizeof(*authority));
}

static bool is_rsa(const struct certificate_kind *kind)
{
    return strncmp(kind->key_type, "RSA", 3) == 0;
}

X509 *authority_issuer_of(const struct authority *authority, const struct certificate_kind *kind)
{
    return is_rsa(kind) ? authority->rsa_issuer : authority->ec_issuer;
}

EVP_PKEY *authority_issuer_key_of(const struct authority *authority,
                                  const struct certificate_kind *kind)
{
    return is_rsa(kind) ? authority->rsa_issuer_key : authority->ec_issuer_key;
}

static X509 *make_leaf(const struct authority *authority, const struct certificate_kind *kind,
                       EVP_PKEY *key, struct error *err)
{
    char common_name[96], names[192];
    (void)snprintf(common_name, sizeof(common_name), "%s." DOMAIN, kind->name);
    (void)snprintf(names, sizeof(names), "DNS:%s,DNS:localhost,IP:127.0.0.1,IP:::1", common_name);
    const struct certificate_request request = {
        .common_name = common_name,
        .key = key,
        .issuer = authority_issuer_of(authority, kind),
        .issuer_key = authority_issuer_key_of(authority, kind),
        .days = LEAF_DAYS,
        .basic_constraints = "critical,CA:FALSE",
        /* Static RSA encrypts the premaster secret to the key; all others only sign. */
        .key_usage = kind->static_rsa ? "critical,digitalSignature,keyEncipherment"
                                      : "critical,digitalSignature",
        .extended_key_usage = "serverAuth,clientAuth",
        .alternative_names = names,
    };
    return certificate_new(&request, err);
}

bool authority_certify(const struct authority *authority, const struct certificate_kind *kind,
                       EVP_PKEY *key, struct identity *identity, struct error *err)
{
    *identity = (struct identity){.kind = kind, .key = key};
    (void)snprintf(identity->name, sizeof(identity->name), "%s", kind->name);
    identity->leaf = make_leaf(authority, kind, key, err);
    if (identity->leaf == NULL)
        goto fail;
    identity->chain = sk_X509_new_null();
    if (identity->chain != NULL &&
        X509_add_cert(identity->chain, authority_issuer_of(authority, kind),
                      X509_ADD_FLAG_UP_REF) == 1)
        return true;
    (void)error_set(err, "no memory for the chain of %s", kind->name);
fail:
    identity_cleanup(identity);
    return false;
}

bool authority_issue(const struct authority *authority, const struct certificate_kind *kind,
                     struct identity *identity, struct error *err)
{
    EVP_PKEY *key = key_new(kind, err);
    if (key != NULL)
        return authority_certify(authority, kind, key, identity, err);
    *identity = (struct identity){0};
    return false;
}
