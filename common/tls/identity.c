#include "common/tls/identity.h"

#include <openssl/ec.h>
#include <openssl/objects.h>
#include <string.h>

void identity_cleanup(struct identity *identity)
{
    if (identity == NULL)
        return;
    X509_free(identity->leaf);
    sk_X509_pop_free(identity->chain, X509_free);
    EVP_PKEY_free(identity->key);
    memset(identity, 0, sizeof(*identity));
}

/* The same curve under OpenSSL's name ("prime256v1") and the table's ("P-256"). */
static bool has_curve(const EVP_PKEY *key, const char *curve)
{
    char name[64];
    if (EVP_PKEY_get_group_name(key, name, sizeof(name), NULL) != 1)
        return false;
    int nid = EC_curve_nist2nid(curve);
    if (nid == NID_undef)
        nid = OBJ_txt2nid(curve);
    return nid != NID_undef && nid == OBJ_txt2nid(name);
}

static bool is_of_kind(const EVP_PKEY *key, const struct certificate_kind *kind)
{
    if (EVP_PKEY_is_a(key, kind->key_type) != 1)
        return false;
    if (kind->curve != NULL)
        return has_curve(key, kind->curve);
    return kind->bits == 0 || kind->bits == EVP_PKEY_get_bits(key);
}

const struct certificate_kind *identity_kind_of(const EVP_PKEY *key)
{
    for (size_t i = 0; i < kind_count; i++)
        if (is_of_kind(key, &kind_table[i]))
            return &kind_table[i];
    return NULL;
}
