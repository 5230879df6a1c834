#include "common/primitive/buffer.h"
#include "common/primitive/exchange.h"
#include "common/primitive/vector_key.h"
#include "common/tls/reason.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#define VECTOR_MAX 160

/* A scalar, the peer's value as it is sent, and what is derived of them: the function vectors of
 * RFC 7748 section 5.2, the exchanges of RFC 5903 section 8 and of RFC 7027 appendix A. */
/* clang-format off */
static const struct exchange_vector {
    const char *row, *source, *scalar, *value, *secret;
} vectors[] = {
    {"x25519", "RFC 7748",
     "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
     "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
     "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"},
    {"x448", "RFC 7748",
     "3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121700a779c984c24f8cdd78fbff44943eba368f54b"
     "29259a4f1c600ad3",
     "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9814dc031ddbdc38c19c6da2583fa5429db94ada1"
     "8aa7a7fb4ef8a086",
     "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239fe14fbaadeb445fc66a01b0779d98223961111e21"
     "766282f73dd96b6f"},
    {"p-256", "RFC 5903",
     "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
     "04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf6356fbf3ca366cc23e8157854c13c58d"
     "6aac23f046ada30f8353e74f33039872ab",
     "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"},
    {"p-384", "RFC 5903",
     "099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655e35b538041e649ee3faef896783ab194",
     "04e558dbef53eecde3d3fccfc1aea08a89a987475d12fd950d83cfa41732bc509d0d1ac43a0336def96fda41d0774a35"
     "71dcfbec7aacf3196472169e838430367f66eebe3c6e70c416dd5f0c68759dd1fff83fa40142209dff5eaad96db9e638"
     "6c",
     "11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4d603135569b9e9d09cf5d4a270f59746"},
    {"p-521", "RFC 5903",
     "0037ade9319a89f4dabdb3ef411aaccca5123c61acab57b5393dce47608172a095aa85a30fe1c2952c6771d937ba9777"
     "f5957b2639bab072462f68c27a57382d4a52",
     "0400d0b3975ac4b799f5bea16d5e13e9af971d5e9b984c9f39728b5e5739735a219b97c356436adc6e95bb0352f6be64"
     "a6c2912d4ef2d0433ced2b6171640012d9460f015c68226383956e3bd066e797b623c27ce0eac2f551a10c2c724d9852"
     "077b87220b6536c5c408a1d2aebb8e86d678ae49cb57091f4732296579ab44fcd17f0fc56a",
     "01144c7d79ae6956bc8edb8e7c787c4521cb086fa64407f97894e5e6b2d79b04d1427e73ca4baa240a34786859810c06"
     "b3c715a3a8cc3151f2bee417996d19f3ddea"},
    {"brainpoolp256r1", "RFC 7027",
     "81db1ee100150ff2ea338d708271be38300cb54241d79950f77b063039804f1d",
     "048d2d688c6cf93e1160ad04cc4429117dc2c41825e1e9fca0addd34e6f1b39f7b990c57520812be512641e470348321"
     "06bc7d3e8dd0e4c7f1136d7006547cec6a",
     "89afc39d41d3b327814b80940b042590f96556ec91e6ae7939bce31f3a18bf2b"},
    {"brainpoolp384r1", "RFC 7027",
     "1e20f5e048a5886f1f157c74e91bde2b98c8b52d58e5003d57053fc4b0bd65d6f15eb5d1ee1610df870795143627d042",
     "044d44326f269a597a5b58bba565da5556ed7fd9a8a9eb76c25f46db69d19dc8ce6ad18e404b15738b2086df37e71d1e"
     "b462d692136de56cbe93bf5fa3188ef58bc8a3a0ec6c1e151a21038a42e9185329b5b275903d192f8d4e1f32fe9cc78c"
     "48",
     "0bd9d3a7ea0b3d519d09d8e48d0785fb744a6b355e6304bc51c229fbbce239bbadf6403715c35d4fb2a5444f575d4f42"},
    {"brainpoolp512r1", "RFC 7027",
     "16302ff0dbbb5a8d733dab7141c1b45acbc8715939677f6a56850a38bd87bd59b09e80279609ff333eb9d4c061231fb2"
     "6f92eeb04982a5f1d1764cad57665422",
     "049d45f66de5d67e2e6db6e93a59ce0bb48106097ff78a081de781cdb31fce8ccbaaea8dd4320c4119f1e9cd437a2eab"
     "3731fa9668ab268d871deda55a5473199f2fdc313095bcdd5fb3a91636f07a959c8e86b5636a1e930e8396049cb48196"
     "1d365cc11453a06c719835475b12cb52fc3c383bce35e27ef194512b71876285fa",
     "a7927098655f1f9976fa50a9d566865dc530331846381c87256baf3226244b76d36403c024d7bbf0aa0803eaff405d3d"
     "24f11a9b5c0bef679fe1454b21c4cd1f"},
};
/* clang-format on */

static EVP_PKEY *key_of(const struct primitive *row, const struct exchange_vector *vector)
{
    const struct vector_number scalar = {OSSL_PKEY_PARAM_PRIV_KEY, vector->scalar};
    unsigned char raw[VECTOR_MAX];
    size_t length = buffer_from_hex(vector->scalar, raw, sizeof raw);

    if (strcmp(row->fetched, "EC") == 0)
        return vector_key_new("EC", row->detail, &scalar, 1, EVP_PKEY_KEYPAIR);
    return EVP_PKEY_new_raw_private_key_ex(NULL, row->fetched, NULL, raw, length);
}

static bool agrees(const struct primitive *row, const struct exchange_vector *vector,
                   exchange_derivation *derive, void *context)
{
    unsigned char value[VECTOR_MAX], wanted[VECTOR_MAX], got[EXCHANGE_SECRET_MAX];
    size_t value_length = buffer_from_hex(vector->value, value, sizeof value);
    size_t wanted_length = buffer_from_hex(vector->secret, wanted, sizeof wanted), got_length = 0;
    EVP_PKEY *key = key_of(row, vector);
    bool right = key && derive(context, key, value, value_length, got, &got_length) &&
                 got_length == wanted_length && memcmp(got, wanted, wanted_length) == 0;

    EVP_PKEY_free(key);
    return right;
}

bool exchange_vector_check(const struct primitive *row, exchange_derivation *derive, void *context,
                           const char **source, struct error *err)
{
    *source = NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        if (strcmp(vectors[i].row, row->name) != 0)
            continue;
        if (!agrees(row, &vectors[i], derive, context))
            return reason_error(err, "the result is not that of %s", vectors[i].source);
        *source = vectors[i].source;
    }
    return true;
}
