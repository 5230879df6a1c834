#include "common/primitive/cipher.h"

#include "common/primitive/buffer.h"
#include "common/tls/reason.h"

#define VECTOR_MAX 128

/* One message of a standard, in hexadecimal. Where a standard gives single blocks only, CBC with an
 * IV of zeros encrypts its first block the same, and CTR turns zeros into what its counter is
 * encrypted to. */
struct cipher_vector {
    const char *row, *source, *key, *iv, *aad, *text, *sealed, *tag;
};

#define NIST_TEXT   "6bc1bee22e409f96e93d7e117393172a"
#define NIST_KEY128 "2b7e151628aed2a6abf7158809cf4f3c"
#define NIST_KEY192 "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"
#define NIST_KEY256 "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
#define NIST_IV     "000102030405060708090a0b0c0d0e0f"
#define NIST_CTR    "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
#define COUNT16     "000102030405060708090a0b0c0d0e0f"
#define COUNT24     COUNT16 "1011121314151617"
#define COUNT32     COUNT24 "18191a1b1c1d1e1f"
#define STEPS16     "00112233445566778899aabbccddeeff"
#define ZERO8       "0000000000000000"
#define ZERO16      ZERO8 ZERO8
#define ZERO24      ZERO16 ZERO8
#define ZERO32      ZERO16 ZERO16
#define ZERO_IV     "000000000000000000000000"
#define CAMELLIA128 "0123456789abcdeffedcba9876543210"
#define CAMELLIA192 CAMELLIA128 "0011223344556677"
#define CAMELLIA256 CAMELLIA192 "8899aabbccddeeff"
#define TDES_KEY    "0123456789abcdef23456789abcdef01456789abcdef0123"
#define SCHNEIER    "0123456789abcdeff0e1d2c3b4a59687"
#define DES_TEXT    "4e6f77206973207468652074696d6520666f7220616c6c20"

/* clang-format off */
static const struct cipher_vector vectors[] = {
    {"aes-128-ecb", "FIPS 197", COUNT16, "", "", STEPS16, "69c4e0d86a7b0430d8cdb78070b4c55a", ""},
    {"aes-192-ecb", "FIPS 197", COUNT24, "", "", STEPS16, "dda97ca4864cdfe06eaf70a0ec0d7191", ""},
    {"aes-256-ecb", "FIPS 197", COUNT32, "", "", STEPS16, "8ea2b7ca516745bfeafc49904b496089", ""},
    {"aes-128-cbc", "SP 800-38A", NIST_KEY128, NIST_IV, "", NIST_TEXT, "7649abac8119b246cee98e9b12e9197d", ""},
    {"aes-192-cbc", "SP 800-38A", NIST_KEY192, NIST_IV, "", NIST_TEXT, "4f021db243bc633d7178183a9fa071e8", ""},
    {"aes-256-cbc", "SP 800-38A", NIST_KEY256, NIST_IV, "", NIST_TEXT, "f58c4c04d6e5f1ba779eabfb5f7bfbd6", ""},
    {"aes-128-ctr", "SP 800-38A", NIST_KEY128, NIST_CTR, "", NIST_TEXT, "874d6191b620e3261bef6864990db6ce", ""},
    {"aes-192-ctr", "SP 800-38A", NIST_KEY192, NIST_CTR, "", NIST_TEXT, "1abc932417521ca24f2b0459fe7e6e0b", ""},
    {"aes-256-ctr", "SP 800-38A", NIST_KEY256, NIST_CTR, "", NIST_TEXT, "601ec313775789a5b7a7f504bbf3d228", ""},
    /* The GCM specification's test cases 2, 8 and 14. */
    {"aes-128-gcm", "GCM", ZERO16, ZERO_IV, "", ZERO16, "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf"},
    {"aes-192-gcm", "GCM", ZERO24, ZERO_IV, "", ZERO16, "98e7247c07f0fe411c267e4384b0f600", "2ff58d80033927ab8ef4d4587514f0fb"},
    {"aes-256-gcm", "GCM", ZERO32, ZERO_IV, "", ZERO16, "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"},
    {"aes-128-ccm", "RFC 3610", "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", "00000003020100a0a1a2a3a4a5", "0001020304050607",
     "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
     "588c979a61c663d2f066d0c2c0f989806d5f6b61dac384", "17e8d12cfdf926e0"},
    {"aes-128-ocb", "RFC 7253", COUNT16, "bbaa99887766554433221101", "0001020304050607", "0001020304050607",
     "6820b3657b6f615a", "5725bda0d3b4eb3a257c9af1f8f03009"},
    {"aes-128-xts", "IEEE 1619", "1111111111111111111111111111111122222222222222222222222222222222",
     "33333333330000000000000000000000", "", "4444444444444444444444444444444444444444444444444444444444444444",
     "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0", ""},
    /* The first two blocks of vector 10. */
    {"aes-256-xts", "IEEE 1619", "27182818284590452353602874713526624977572470936999595749669676273141592653589793"
     "238462643383279502884197169399375105820974944592",
     "ff000000000000000000000000000000", "", COUNT32,
     "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b", ""},
    {"aes-128-siv", "RFC 5297", "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", "",
     "101112131415161718191a1b1c1d1e1f2021222324252627", "112233445566778899aabbccddee",
     "40c02b9690c4dc04daef7f6afe5c", "85632d07c6e8f37f950acd320a2ecc93"},
    {"aes-128-gcm-siv", "RFC 8452", "01000000000000000000000000000000", "030000000000000000000000", "",
     "0100000000000000", "b5d839330ac7b786", "578782fff6013b815b287c22493a364c"},
    {"aes-256-gcm-siv", "RFC 8452", "01000000000000000000000000000000" ZERO16, "030000000000000000000000", "",
     "0100000000000000", "c2ef328e5c71c83b", "843122130f7364b761e0b97427e3df28"},
    {"chacha20", "RFC 8439", COUNT32, "01000000000000000000004a00000000", "", "4c616469657320616e642047656e746c",
     "6e2e359a2568f98041ba0728dd0d6981", ""},
    {"chacha20-poly1305", "RFC 8439", "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
     "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
     "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
     "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
     "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
     "637265656e20776f756c642062652069742e",
     "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
     "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
     "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
     "3ff4def08e4b7a9de576d26586cec64b6116", "1ae10b594f09e26a7e902ecbd0600691"},
    {"camellia-128-ecb", "RFC 3713", CAMELLIA128, "", "", CAMELLIA128, "67673138549669730857065648eabe43", ""},
    {"camellia-192-ecb", "RFC 3713", CAMELLIA192, "", "", CAMELLIA128, "b4993401b3e996f84ee5cee7d79b09b9", ""},
    {"camellia-256-ecb", "RFC 3713", CAMELLIA256, "", "", CAMELLIA128, "9acc237dff16d76c20ef7c919e3a7509", ""},
    {"camellia-128-cbc", "RFC 3713", CAMELLIA128, ZERO16, "", CAMELLIA128, "67673138549669730857065648eabe43", ""},
    {"camellia-192-cbc", "RFC 3713", CAMELLIA192, ZERO16, "", CAMELLIA128, "b4993401b3e996f84ee5cee7d79b09b9", ""},
    {"camellia-256-cbc", "RFC 3713", CAMELLIA256, ZERO16, "", CAMELLIA128, "9acc237dff16d76c20ef7c919e3a7509", ""},
    /* "Single block msg", with the first block of each key's key stream. */
    {"camellia-128-ctr", "RFC 5528", "ae6852f8121067cc4bf7a5765577f39e", "00000030000000000000000000000001", "",
     "53696e676c6520626c6f636b206d7367", "d09dc29a8214619a20877c76db1f0b3f", ""},
    {"camellia-192-ctr", "RFC 5528", "16af5b145fc9f579c175f93e3bfb0eed863d06ccfdb78515",
     "0000004836733c147d6d93cb00000001", "", "53696e676c6520626c6f636b206d7367", "2379399e8a8d2b2b16702fc78b9e9696", ""},
    {"camellia-256-ctr", "RFC 5528", "776beff2851db06f4c8a0542c8696f6c6a81af1eec96b4d37fc1d689e6c1c104",
     "00000060db5672c97aa8f0b200000001", "", "53696e676c6520626c6f636b206d7367", "3401f9c8247effcebd6994714c1bbb11", ""},
    {"aria-128-cbc", "RFC 5794", COUNT16, ZERO16, "", STEPS16, "d718fbd6ab644c739da95f3be6451778", ""},
    {"aria-192-cbc", "RFC 5794", COUNT24, ZERO16, "", STEPS16, "26449c1805dbe7aa25a468ce263a9e79", ""},
    {"aria-256-cbc", "RFC 5794", COUNT32, ZERO16, "", STEPS16, "f92bd7c79fb72e2f2b8f80c1972d24fc", ""},
    {"aria-128-ctr", "RFC 5794", COUNT16, STEPS16, "", ZERO16, "d718fbd6ab644c739da95f3be6451778", ""},
    {"aria-192-ctr", "RFC 5794", COUNT24, STEPS16, "", ZERO16, "26449c1805dbe7aa25a468ce263a9e79", ""},
    {"aria-256-ctr", "RFC 5794", COUNT32, STEPS16, "", ZERO16, "f92bd7c79fb72e2f2b8f80c1972d24fc", ""},
    {"3des-ecb", "SP 800-67", TDES_KEY, "", "", NIST_TEXT, "714772f339841d34267fcc4bd2949cc3", ""},
    {"3des-cbc", "SP 800-67", TDES_KEY, "f69f2445df4f9b17", "", NIST_TEXT, "2079c3d53aa763e193b79e2569ab5262", ""},
    {"rc4", "RFC 6229", "0102030405060708090a0b0c0d0e0f10", "", "", ZERO16, "9ac7cc9a609d1ef7b2932899cde41b97", ""},
    {"des-ecb", "FIPS 81", "0123456789abcdef", "", "", DES_TEXT, "3fa40e8a984d48156a271787ab8883f9893d51ec4b563b53", ""},
    {"des-cbc", "FIPS 81", "0123456789abcdef", "1234567890abcdef", "", DES_TEXT,
     "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6", ""},
    /* Schneier's own for Blowfish; a key of 8 zeros is the same as one of 16. */
    {"blowfish-ecb", "Schneier's", ZERO16, "", "", ZERO8, "4ef997456198dd78", ""},
    {"blowfish-cbc", "Schneier's", SCHNEIER, "fedcba9876543210", "", "37363534333231204e6f77206973207468652074696d6520",
     "6b77b4d63006dee605b156e27403979358deb9e7154616d9", ""},
    {"cast5-ecb", "RFC 2144", "0123456712345678234567893456789a", "", "", "0123456789abcdef", "238b4fe5847e44b2", ""},
    {"cast5-cbc", "RFC 2144", "0123456712345678234567893456789a", ZERO8, "", "0123456789abcdef", "238b4fe5847e44b2", ""},
    {"seed-ecb", "RFC 4269", ZERO16, "", "", COUNT16, "5ebac6e0054e166819aff1cc6d346cdb", ""},
    {"seed-cbc", "RFC 4269", ZERO16, ZERO16, "", COUNT16, "5ebac6e0054e166819aff1cc6d346cdb", ""},
};
/* clang-format on */

static const struct cipher_vector *find_vector(const char *row)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (strcmp(vectors[i].row, row) == 0)
            return &vectors[i];
    return NULL;
}

static bool seals_and_opens(struct cipher_state *s, const struct cipher_vector *vector)
{
    unsigned char text[VECTOR_MAX], sealed[VECTOR_MAX], tag[CIPHER_TAG_MAX];
    size_t size = (size_t)s->size, tag_length = buffer_from_hex(vector->tag, tag, sizeof tag);

    memcpy(text, s->text, size);
    buffer_from_hex(vector->sealed, sealed, sizeof sealed);
    s->seal_ctx = EVP_CIPHER_CTX_new();
    s->open_ctx = EVP_CIPHER_CTX_new();
    bool right = s->seal_ctx && s->open_ctx && s->mode->start(s, s->seal_ctx, 1) &&
                 s->mode->seal_rest(s) && memcmp(s->sealed, sealed, size) == 0 &&
                 memcmp(s->tag, tag, tag_length) == 0 && s->mode->start(s, s->open_ctx, 0) &&
                 s->mode->open_rest(s) && memcmp(s->text, text, size) == 0;
    EVP_CIPHER_CTX_free(s->seal_ctx);
    EVP_CIPHER_CTX_free(s->open_ctx);
    return right;
}

bool cipher_vector_check(const struct primitive *row, EVP_CIPHER *cipher, const char **source,
                         struct error *err)
{
    const struct cipher_vector *vector = find_vector(row->name);
    /* With room for what a mode writes behind the message. */
    unsigned char text[VECTOR_MAX + CIPHER_TAG_MAX], sealed[VECTOR_MAX + CIPHER_TAG_MAX];

    *source = NULL;
    if (!vector)
        return true;
    struct cipher_state s = {.row = row,
                             .mode = cipher_mode_find(row->detail),
                             .cipher = cipher,
                             .text = text,
                             .sealed = sealed};
    buffer_from_hex(vector->key, s.key, sizeof s.key);
    s.iv_length = (int)buffer_from_hex(vector->iv, s.iv, sizeof s.iv);
    s.aad_length = (int)buffer_from_hex(vector->aad, s.aad, sizeof s.aad);
    s.tag_length = (int)strlen(vector->tag) / 2;
    s.size = (int)buffer_from_hex(vector->text, text, VECTOR_MAX);
    if (!seals_and_opens(&s, vector))
        return reason_error(err, "the result is not that of %s", vector->source);
    *source = vector->source;
    return true;
}
