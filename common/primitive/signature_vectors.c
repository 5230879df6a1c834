#include "common/primitive/buffer.h"
#include "common/primitive/signature.h"
#include "common/primitive/vector_key.h"
#include "common/tls/reason.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/params.h>
#include <string.h>

#define VECTOR_MAX 256

/* A public key, a message and its signature: of RSA the modulus, of DSA y, r and s, of ECDSA the
 * uncompressed point, r and s. Without a digest the message itself is signed. */
/* clang-format off */
static const struct signature_vector {
    const char *row, *source, *public_key, *message, *signature, *digest;
} vectors[] = {
    /* The web signatures of appendix A.2 and of section 4.2. */
    {"rsa", "RFC 7515",
     "a1f8160ae2e3c9b465ce8d2d656263362b927dbe29e1f02477fc1625cc90a136e38bd93497c5b6ea63dd7711e67c7429"
     "f956b0fb8a8f089adc4b69893cc1333f53edd019b87784252fec914fe4857769594bea4280d32c0f55bf62944f130396"
     "bc6e9bdf6ebdd2bda3678eeca0c668f701b38dbffb38c8342ce2fe6d27fade4a5a4874979dd4b9cf9adec4c75b05852c"
     "2c0f5ef8a5c1750392f944e8ed64c110c6b647609aa4783aeb9c6c9ad755313050638b83665c6f6f7a82a396702a1f64"
     "1b82d3ebf2392219491fb686872c5716f50af8358d9a8b9d17c340728f7f87d89a18d8fcab67ad84590c2ecf75933936"
     "3c07034d6f606f9e21e05456cae5e9a1",
     "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9"
     "pc19yb290Ijp0cnVlfQ",
     "702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d83656d420afd3c96eedd73a2663e5166687b"
     "000b87226e0187ed1073f945e582adfcef16d85a798ee8c66ddb3db8975b17d09402beedd5d9d97007108db28160d5f8"
     "040ca7445762b81fbe7ff9d92e0ae76f24f25b33bbe6f44ae61eb1040acb20044d3ef9128ed40130795bd4bd3b41eeca"
     "d066ab651981fde48df77f372dc38b9fafdd3befb18b5da3cc3c2eb02f9e3a41d612caad15911273a05f23b9e838faaf"
     "849d698429ef5a1e88798236c3d40e604522a544c8f27a7a2db80663d16cf7caea56de405cb2215a45b2c25566b55ac1"
     "a748a070dfc8a32a469543d019eefb47", "SHA2-256"},
    {"rsa-pss", "RFC 7520",
     "9f810fb4038273d02591e4073f31d2b6001b82cedb4d92f050165d47cfcab8a3c41cb778ac7553793f8ef975768d1a23"
     "74d8712564c3bcd77b9ea434544899407cff0099920a931a24c4414852ab29bdb0a95c0653f36c60e60bf90b6258dda5"
     "6f37047ba5c2d1d029af9c9d40bac7aa41c78a0dd1068add699e808fea011ea1441d8a4f7bb4e97be39f55f1ddd44e9c"
     "4ba335159703d4d34b603e65147a4f23d6d3c0996c75edee846a82d190ae10783c961cf0387aed2106d2d0555b6fd937"
     "fad5535387e0ff72ffbe78941402b0b822ea2a74b6058c1dabf9b34a76cb63b87faa2c6847b8e2837fff91186e6b1c14"
     "911cf989a89092a81ce601ddacd3f9cf",
     "eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9.SXTigJlzIGEgZGFuZ2Vyb3V"
     "zIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9hZCwgYW5kIGlmIHl"
     "vdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0IG9"
     "mZiB0by4",
     "72edb6781aa46032a02254e9cc35c6bda15fcfa586a33edf50371f4f49243b2e369a2021daac81ce4d7112c9e4d88a4d"
     "ebeb4f89de95ae494792ab06a83a8709d3fa3bc4d30797430c8b65955a3aff538b3e971b52b8625123316db5d4bddbd6"
     "5f383e503f1b8a245e40595fcf6f3319656c76234051ff199f23c4815167e38d9974daa254946606aad84577bc3ff8a3"
     "43ba7c55dcf44d3af151e4f7966f1df6c867af695f253f089948ef000d977b3d8c969f1c044e5ac03cd3d2a2349faba2"
     "3f568237fdbf8cb01e41396a447b5f6bae1041252614002354a3db0728bbc61a34b9339c6c7e75d1ae8662625401f996"
     "8f067aa03e227caa3c0d833e5fbd846b", "SHA2-384"},
    {"dsa-2048", "RFC 6979",
     "667098c654426c78d7f8201eac6c203ef030d43605032c2f1fa937e5237dbd949f34a0a2564fe126dc8b715c5141802c"
     "e0979c8246463c40e6b6bdaa2513fa611728716c2e4fd53bc95b89e69949d96512e873b9c8f8dfd499cc312882561ade"
     "cb31f658e934c0c197f2c4d96b05cbad67381e7b768891e4da3843d24d94cdfb5126e9b8bf21e8358ee0e0a30ef13fd6"
     "a664c0dce3731f7fb49a4845a4fd8254687972a2d382599c9bac4e0ed7998193078913032558134976410b89d2c171d1"
     "23ac35fd977219597aa7d15c1a9a428e59194f75c721ebcbcfae44696a499afa74e04299f132026601638cb87ab79190"
     "d4a0986315da8eec6561c938996beadf",
     "sample",
     "eace8bdbbe353c432a795d9ec556c6d021f7a03f42c36e9bc87e4ac7932cc8097081e175455f9247b812b74583e9e94f"
     "9ea79bd640dc962533b0680793a38d53", "SHA2-256"},
    {"ecdsa-p192", "RFC 6979",
     "04ac2c77f529f91689fea0ea5efec7f210d8eea0b9e047ed563bc723e57670bd4887ebc732c523063d0a7c957bc97c1c"
     "43",
     "sample",
     "4b0b8ce98a92866a2820e20aa6b75b56382e0f9bfd5ecb55ccdb006926ea9565cbadc840829d8c384e06de1f1e381b85", "SHA2-256"},
    {"ecdsa-p224", "RFC 6979",
     "0400cf08da5ad719e42707fa431292dea11244d64fc51610d94b130d6ceeab6f3debe455e3dbf85416f7030cbd94f34f"
     "2d6f232c69f3c1385a",
     "sample",
     "61aa3da010e8e8406c656bc477a7a7189895e7e840cdfe8ff42307babc814050dab5d23770879494f9e0a680dc1af716"
     "1991bde692b10101", "SHA2-256"},
    {"ecdsa-p256", "RFC 6979", "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
     "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299", "sample",
     "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
     "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8", "SHA2-256"},
    {"ecdsa-p384", "RFC 6979",
     "04ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64def8f0ea9055866064a254515480bc13"
     "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd2533264720", "sample",
     "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c81a648152e44acf96e36dd1e80fabe46"
     "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94fa329c145786e679e7b82c71a38628ac8", "SHA2-384"},
    {"ecdsa-p521", "RFC 6979",
     "0401894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd371123d46e45db6b5d5370a7f20fb633155d38ff"
     "a16d2bd761dcac474b9a2f5023a400493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d6630f746a28a0db25741b5b"
     "34a828008b22acc23f924faafbd4d33f81ea66956dfeaa2bfdfcf5", "sample",
     "00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f174e25a1ee9017b5d450606add152b534931d7d4e8"
     "455cc91f9b15bf05ec36e377fa00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af282623eaa63e5b5c"
     "0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a", "SHA2-512"},
    {"ed25519", "RFC 8032", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0"
     "595bbe24655141438e7a100b", NULL},
    {"ed448", "RFC 8032",
     "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abe"
     "afe8256180", "",
     "533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d7828c59bd0"
     "a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4dbb61149f05a736326"
     "8c71d95808ff2e652600", NULL},
};

/* What RFC 6979 appendix A.2.2 signs with. */
static const struct vector_number dsa_parameters[] = {
    {OSSL_PKEY_PARAM_FFC_P, "9db6fb5951b66bb6fe1e140f1d2ce5502374161fd6538df1648218642f0b5c48c8f7a41aadfa187324b87674fa1822b0"
                            "0f1ecf8136943d7c55757264e5a1a44ffe012e9936e00c1d3e9310b01c7d179805d3058b2a9f4bb6f9716bfe6117c6b5"
                            "b3cc4d9be341104ad4a80ad6c94e005f4b993e14f091eb51743bf33050c38de235567e1b34c3d6a5c0ceaa1a0f368213"
                            "c3d19843d0b4b09dcb9fc72d39c8de41f1bf14d4bb4563ca28371621cad3324b6a2d392145bebfac748805236f5ca2fe"
                            "92b871cd8f9c36d3292b5509ca8caa77a2adfc7bfd77dda6f71125a7456fea153e433256a2261c6a06ed3693797e7995"
                            "fad5aabbcfbe3eda2741e375404ae25b"},
    {OSSL_PKEY_PARAM_FFC_Q, "f2c3119374ce76c9356990b465374a17f23f9ed35089bd969f61c6dde9998c1f"},
    {OSSL_PKEY_PARAM_FFC_G, "5c7ff6b06f8f143fe8288433493e4769c4d988ace5be25a0e24809670716c613d7b0cee6932f8faa7c44d2cb24523da5"
                            "3fbe4f6ec3595892d1aa58c4328a06c46a15662e7eaa703a1decf8bbb2d05dbe2eb956c142a338661d10461c0d135472"
                            "085057f3494309ffa73c611f78b32adbb5740c361c9f35be90997db2014e2ef5aa61782f52abeb8bd6432c4dd097bc54"
                            "23b285dafb60dc364e8161f4a2a35aca3a10b1c4d203cc76a470a33afdcbdd92959859abd8b56e1725252d78eac66e71"
                            "ba9ae3f1dd2487199874393cd4d832186800654760e1e34c09e4d155179f9ec0dc4473f996bdce6eed1cabed8b6f116f"
                            "7ad9cf505df0f998e34ab27514b0ffe7"},
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

/* r and s of ECDSA or DSA as the DER that EVP takes; how many bytes, 0 after a failure. */
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

static EVP_PKEY *dsa_public_key(const char *y)
{
    const struct vector_number numbers[] = {
        dsa_parameters[0], dsa_parameters[1], dsa_parameters[2], {OSSL_PKEY_PARAM_PUB_KEY, y}};

    return vector_key_new("DSA", NULL, numbers, 4, EVP_PKEY_PUBLIC_KEY);
}

static EVP_PKEY *rsa_public_key(const char *modulus)
{
    const struct vector_number numbers[] = {{OSSL_PKEY_PARAM_RSA_N, modulus},
                                            {OSSL_PKEY_PARAM_RSA_E, "010001"}};

    return vector_key_new("RSA", NULL, numbers, 2, EVP_PKEY_PUBLIC_KEY);
}

static EVP_PKEY *public_key_of(const struct primitive *row, const struct signature_vector *vector)
{
    unsigned char raw[VECTOR_MAX];

    if (strcmp(row->fetched, "RSA") == 0)
        return rsa_public_key(vector->public_key);
    if (strcmp(row->fetched, "DSA") == 0)
        return dsa_public_key(vector->public_key);
    size_t length = buffer_from_hex(vector->public_key, raw, sizeof raw);
    if (strcmp(row->fetched, "EC") == 0)
        return ec_public_key(row->detail, raw, length);
    return EVP_PKEY_new_raw_public_key_ex(NULL, row->fetched, NULL, raw, length);
}

static bool verifies(const struct primitive *row, EVP_PKEY *key, const unsigned char *signature,
                     size_t length, const struct signature_vector *vector)
{
    const char *message = vector->message;
    bool pss = row->detail && strcmp(row->detail, "pss") == 0;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *parameters;
    bool right =
        ctx &&
        EVP_DigestVerifyInit_ex(ctx, &parameters, vector->digest, NULL, NULL, key, NULL) == 1 &&
        (!pss || signature_set_pss(parameters)) &&
        EVP_DigestVerify(ctx, signature, length, (const unsigned char *)message, strlen(message)) ==
            1;

    EVP_MD_CTX_free(ctx);
    return right;
}

static bool vector_verifies(const struct primitive *row, const struct signature_vector *vector)
{
    unsigned char raw[VECTOR_MAX], der[VECTOR_MAX];
    size_t length = buffer_from_hex(vector->signature, raw, sizeof raw);
    bool pair = strcmp(row->fetched, "EC") == 0 || strcmp(row->fetched, "DSA") == 0;
    size_t der_length = pair ? to_der(raw, length, der) : 0;
    EVP_PKEY *key = public_key_of(row, vector);
    bool right = key && (pair ? verifies(row, key, der, der_length, vector)
                              : verifies(row, key, raw, length, vector));

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
