#include "common/primitive/primitive_alias.h"

#include "common/base/text.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <string.h>

#define CURVES_MAX 128

/* --- ciphers and digests: asked of the providers, and by the names of before there were any, which
 * also know what a provider that is not loaded has --- */

static bool is_cipher(const struct primitive *row, const char *name)
{
    EVP_CIPHER *fetched = EVP_CIPHER_fetch(NULL, name, NULL);
    const EVP_CIPHER *named = EVP_get_cipherbyname(name);
    const EVP_CIPHER *wanted = EVP_get_cipherbyname(row->fetched);
    bool same = (fetched && EVP_CIPHER_is_a(fetched, row->fetched)) ||
                (named && wanted && EVP_CIPHER_get_nid(named) == EVP_CIPHER_get_nid(wanted));

    EVP_CIPHER_free(fetched);
    return same;
}

static bool is_digest(const struct primitive *row, const char *name)
{
    EVP_MD *fetched = EVP_MD_fetch(NULL, name, NULL);
    const EVP_MD *named = EVP_get_digestbyname(name), *wanted = EVP_get_digestbyname(row->fetched);
    bool same = (fetched && EVP_MD_is_a(fetched, row->fetched)) ||
                (named && wanted && EVP_MD_get_type(named) == EVP_MD_get_type(wanted));

    EVP_MD_free(fetched);
    return same;
}

/* --- curves --- */

/* SECG's names of the curves that OpenSSL calls by those of X9.62. */
static const struct {
    const char *secg;
    int nid;
} secg_curves[] = {{"secp192r1", NID_X9_62_prime192v1}, {"secp256r1", NID_X9_62_prime256v1}};

static bool is_named(int nid, const char *name)
{
    const char *object = OBJ_nid2sn(nid), *nist = EC_curve_nid2nist(nid);

    return (object && text_equal_nocase(object, name)) || (nist && text_equal_nocase(nist, name));
}

static int curve_of(const char *name)
{
    EC_builtin_curve curves[CURVES_MAX];
    size_t count = EC_get_builtin_curves(curves, CURVES_MAX);

    for (size_t i = 0; i < sizeof secg_curves / sizeof secg_curves[0]; i++)
        if (text_equal_nocase(secg_curves[i].secg, name))
            return secg_curves[i].nid;
    for (size_t i = 0; i < count && i < CURVES_MAX; i++)
        if (is_named(curves[i].nid, name))
            return curves[i].nid;
    return NID_undef;
}

/* A curve alone is a key exchange; a signature says so. */
static bool is_curve(const struct primitive *row, const char *name)
{
    static const char signature[] = "ecdsa-";

    if (row->class->family == FAMILY_SIGNATURE) {
        if (!text_starts_nocase(name, signature))
            return false;
        name += strlen(signature);
    }
    int curve = curve_of(name);
    return curve != NID_undef && curve == curve_of(row->detail);
}

/* --- other keys: "id-alg-ml-kem-768" --- */

static bool is_key(const char *type, const char *name)
{
    EVP_KEYMGMT *manager = EVP_KEYMGMT_fetch(NULL, name, NULL);
    bool same = manager && EVP_KEYMGMT_is_a(manager, type);

    EVP_KEYMGMT_free(manager);
    return same;
}

static bool is_alias(const struct primitive *row, const char *name)
{
    switch (row->class->family) {
    case FAMILY_CIPHER:
        return is_cipher(row, name);
    case FAMILY_DIGEST:
        return is_digest(row, name);
    case FAMILY_SIGNATURE:
    case FAMILY_EXCHANGE:
    case FAMILY_KEM:
        if (strcmp(row->fetched, "EC") == 0)
            return is_curve(row, name);
        /* A type alone says neither the size of a key nor a group. */
        return !row->bits_open && row->key_bits == 0 && !row->detail && is_key(row->fetched, name);
    case FAMILY_MAC:
    case FAMILY_YARDSTICK:
        break;
    }
    return false;
}

bool primitive_alias_is(const struct primitive *row, const char *name)
{
    ERR_set_mark(); /* what OpenSSL does not know is no error of ours */
    bool alias = name[0] != '\0' && is_alias(row, name);
    ERR_pop_to_mark();
    return alias;
}

bool primitive_alias_is_key(const char *type, const char *name)
{
    ERR_set_mark();
    bool same = name[0] != '\0' && is_key(type, name);
    ERR_pop_to_mark();
    return same;
}
