/* AEADs that take a message in pieces: GCM, OCB, ChaCha20-Poly1305. */
#include "common/primitive/cipher.h"

static bool aead_start(struct cipher_state *s, EVP_CIPHER_CTX *ctx, int encrypt)
{
    return EVP_CipherInit_ex2(ctx, s->cipher, NULL, NULL, encrypt, NULL) == 1 &&
           EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, s->iv_length, NULL) == 1 &&
           EVP_CipherInit_ex2(ctx, NULL, s->key, s->iv, -1, NULL) == 1;
}

static inline bool seal_rest(struct cipher_state *s)
{
    EVP_CIPHER_CTX *ctx = s->seal_ctx;
    int part = 0, rest = 0;
    bool ok =
        (s->aad_length == 0 || EVP_EncryptUpdate(ctx, NULL, &part, s->aad, s->aad_length) == 1) &&
        EVP_EncryptUpdate(ctx, s->sealed, &part, s->text, s->size) == 1 &&
        EVP_EncryptFinal_ex(ctx, s->sealed + part, &rest) == 1 &&
        EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, s->tag_length, s->tag) == 1;
    s->sealed_size = part + rest;
    return ok;
}

/* The tag must be set for each message: without one ChaCha20-Poly1305 decrypts anything before
 * OpenSSL 4.0. Final compares it. */
static inline bool open_rest(struct cipher_state *s)
{
    EVP_CIPHER_CTX *ctx = s->open_ctx;
    int part = 0, rest = 0;
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, s->tag_length, s->tag) == 1 &&
           (s->aad_length == 0 ||
            EVP_DecryptUpdate(ctx, NULL, &part, s->aad, s->aad_length) == 1) &&
           EVP_DecryptUpdate(ctx, s->text, &part, s->sealed, s->sealed_size) == 1 &&
           EVP_DecryptFinal_ex(ctx, s->text + part, &rest) == 1 && part + rest == s->size;
}

static inline bool seal_message(struct cipher_state *s)
{
    return EVP_EncryptInit_ex2(s->seal_ctx, NULL, NULL, cipher_next_iv(s), NULL) == 1 &&
           seal_rest(s);
}

static inline bool open_message(struct cipher_state *s)
{
    return EVP_DecryptInit_ex2(s->open_ctx, NULL, NULL, s->iv, NULL) == 1 && open_rest(s);
}

PRIMITIVE_RUN(seal_run, seal_message)
PRIMITIVE_RUN(open_run, open_message)

#define AEAD                                                                                       \
    .iv_length = 12, .tag_length = 16, .start = aead_start, .seal_rest = seal_rest,                \
    .open_rest = open_rest, .seal_run = seal_run, .open_run = open_run

const struct cipher_mode cipher_mode_aead[] = {
    {.name = "gcm", AEAD},
    {.name = "ocb", AEAD, .stream_blocks = true},
    {.name = "poly1305", AEAD},
};
const size_t cipher_mode_aead_count = sizeof cipher_mode_aead / sizeof cipher_mode_aead[0];
