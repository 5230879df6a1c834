#include "common/primitive/buffer.h"
#include "common/primitive/signature.h"
#include "common/tls/reason.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/params.h>
#include <string.h>

#define VECTOR_MAX 160

/* A public key, a message and its signature; of ECDSA the uncompressed point, and r and s. */
/* clang-format off */
static const struct signature_vector {
    const char *row, *source, *public_key, *message, *signature;
} vectors[] = {
    {"ecdsa-p256", "RFC 6979", "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
     "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299", "sample",
     "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
     "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"},
    {"ecdsa-p384", "RFC 6979",
     "04ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13"
     "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720", "sample",
     "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46"
     "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8"},
    {"ecdsa-p521", "RFC 6979",
     "0401894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd371123d46e45db6b5d5370a7f20fb633155d38ff"
     "a16d2bd761dcac474b9a2f5023a400493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d6630f746a28a0db25741b5b"
     "34a828008b22acc23f924faafbd4d33f81ea66956dfeaa2bfdfcf5", "sample",
     "00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f174e25a1ee9017b5d450606add152b534931d7d4e8"
     "455cc91f9b15bf05ec36e377fa00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af282623eaa63e5b5c"
     "0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a"},
    {"ed25519", "RFC 8032", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0"
     "595bbe24655141438e7a100b"},
    {"ed448", "RFC 8032",
     "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abe"
     "afe8256180", "",
     "533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d7828c59bd0"
     "a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4dbb61149f05a736326"
     "8c71d95808ff2e652600"},
};
/* clang-format on */

static EVP_PKEY *ec_public_key(const char *curve, unsigned char *point, size_t length)
{
    OSSL_PARAM parameters[] = {
        /* OpenSSL reads the name only, but takes no const. */
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)(uintptr_t)curve, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, length),
        OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;

    if (maker && EVP_PKEY_fromdata_init(maker) == 1)
        (void)EVP_PKEY_fromdata(maker, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    EVP_PKEY_CTX_free(maker);
    return key;
}

/* r and s as the DER that EVP takes; how many bytes, 0 after a failure. */
static size_t to_der(const unsigned char *raw, size_t length, unsigned char der[static VECTOR_MAX])
{
    int half = (int)(length / 2), der_length = 0;
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, half, NULL), *s = BN_bin2bn(raw + half, half, NULL);

    if (signature && r && s && ECDSA_SIG_set0(signature, r, s) == 1) {
        r = s = NULL; /* the signature's now */
        der_length = i2d_ECDSA_SIG(signature, NULL);
        if (der_length > 0 && der_length <= VECTOR_MAX)
            der_length = i2d_ECDSA_SIG(signature, &der);
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(signature);
    return der_length > 0 ? (size_t)der_length : 0;
}

static bool verifies(const struct primitive *row, EVP_PKEY *key, const unsigned char *signature,
                     size_t length, const char *message)
{
    bool ec = strcmp(row->fetched, "EC") == 0;
    const char *digest = ec ? EVP_MD_get0_name(signature_digest(key)) : NULL;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool right = ctx && EVP_DigestVerifyInit_ex(ctx, NULL, digest, NULL, NULL, key, NULL) == 1 &&
                 EVP_DigestVerify(ctx, signature, length, (const unsigned char *)message,
                                  strlen(message)) == 1;

    EVP_MD_CTX_free(ctx);
    return right;
}

static bool vector_verifies(const struct primitive *row, const struct signature_vector *vector)
{
    unsigned char public_key[VECTOR_MAX], raw[VECTOR_MAX], der[VECTOR_MAX];
    size_t key_length = buffer_from_hex(vector->public_key, public_key, sizeof public_key);
    size_t length = buffer_from_hex(vector->signature, raw, sizeof raw);
    bool ec = strcmp(row->fetched, "EC") == 0;
    EVP_PKEY *key =
        ec ? ec_public_key(row->detail, public_key, key_length)
           : EVP_PKEY_new_raw_public_key_ex(NULL, row->fetched, NULL, public_key, key_length);
    size_t der_length = ec ? to_der(raw, length, der) : 0;
    bool right = key && (ec ? verifies(row, key, der, der_length, vector->message)
                            : verifies(row, key, raw, length, vector->message));

    EVP_PKEY_free(key);
    return right;
}

bool signature_vector_check(const struct primitive *row, const char **source, struct error *err)
{
    *source = NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        if (strcmp(vectors[i].row, row->name) != 0)
            continue;
        if (!vector_verifies(row, &vectors[i]))
            return reason_error(err, "the signature of %s does not verify", vectors[i].source);
        *source = vectors[i].source;
    }
    return true;
}
