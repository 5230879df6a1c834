#include "common/tls/signature.h"

#include <openssl/evp.h>
#include <openssl/objects.h>

static const struct {
    int type, digest;
    const char *name;
    const char *pss_name; /* by a key that is bound to PSS; NULL: no difference */
} schemes[] = {
    {EVP_PKEY_RSA, NID_md5_sha1, "rsa_pkcs1_md5_sha1", NULL},
    {EVP_PKEY_RSA, NID_sha1, "rsa_pkcs1_sha1", NULL},
    {EVP_PKEY_RSA, NID_sha224, "rsa_pkcs1_sha224", NULL},
    {EVP_PKEY_RSA, NID_sha256, "rsa_pkcs1_sha256", NULL},
    {EVP_PKEY_RSA, NID_sha384, "rsa_pkcs1_sha384", NULL},
    {EVP_PKEY_RSA, NID_sha512, "rsa_pkcs1_sha512", NULL},
    {EVP_PKEY_RSA_PSS, NID_sha256, "rsa_pss_rsae_sha256", "rsa_pss_pss_sha256"},
    {EVP_PKEY_RSA_PSS, NID_sha384, "rsa_pss_rsae_sha384", "rsa_pss_pss_sha384"},
    {EVP_PKEY_RSA_PSS, NID_sha512, "rsa_pss_rsae_sha512", "rsa_pss_pss_sha512"},
    {EVP_PKEY_EC, NID_sha1, "ecdsa_sha1", NULL},
    {EVP_PKEY_EC, NID_sha224, "ecdsa_sha224", NULL},
    {EVP_PKEY_EC, NID_sha256, "ecdsa_secp256r1_sha256", NULL},
    {EVP_PKEY_EC, NID_sha384, "ecdsa_secp384r1_sha384", NULL},
    {EVP_PKEY_EC, NID_sha512, "ecdsa_secp521r1_sha512", NULL},
    {EVP_PKEY_ED25519, NID_undef, "ed25519", NULL},
    {EVP_PKEY_ED448, NID_undef, "ed448", NULL},
    {EVP_PKEY_DSA, NID_sha1, "dsa_sha1", NULL},
    {EVP_PKEY_DSA, NID_sha224, "dsa_sha224", NULL},
    {EVP_PKEY_DSA, NID_sha256, "dsa_sha256", NULL},
    {EVP_PKEY_DSA, NID_sha384, "dsa_sha384", NULL},
    {EVP_PKEY_DSA, NID_sha512, "dsa_sha512", NULL},
};

const char *signature_name(int type, int digest, bool pss_key)
{
    if (type == NID_undef)
        return "";
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
        if (schemes[i].type == type && schemes[i].digest == digest)
            return pss_key && schemes[i].pss_name != NULL ? schemes[i].pss_name : schemes[i].name;
    return "unknown";
}
