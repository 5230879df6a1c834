/* AEADs that take a message in one piece, each with an order of calls of its own: CCM wants the
 * length first, SIV its key for each message, GCM-SIV an empty piece of additional data. */
#include "common/primitive/cipher.h"

#define CTRL EVP_CIPHER_CTX_ctrl

static inline bool add_aad(const struct cipher_state *s, EVP_CIPHER_CTX *ctx)
{
    int ignored;
    return s->aad_length == 0 || EVP_CipherUpdate(ctx, NULL, &ignored, s->aad, s->aad_length) == 1;
}

static inline bool seal_piece(struct cipher_state *s)
{
    int rest = 0;
    return EVP_EncryptUpdate(s->seal_ctx, s->sealed, &s->sealed_size, s->text, s->size) == 1 &&
           EVP_EncryptFinal_ex(s->seal_ctx, s->sealed + s->sealed_size, &rest) == 1 &&
           CTRL(s->seal_ctx, EVP_CTRL_AEAD_GET_TAG, s->tag_length, s->tag) == 1;
}

/* The one update compares the tag in CCM and SIV, Final in GCM-SIV. */
static inline bool open_piece(struct cipher_state *s)
{
    int part = 0, rest = 0;
    return EVP_DecryptUpdate(s->open_ctx, s->text, &part, s->sealed, s->sealed_size) == 1 &&
           EVP_DecryptFinal_ex(s->open_ctx, s->text + part, &rest) == 1 && part + rest == s->size;
}

static inline bool set_tag(struct cipher_state *s)
{
    return CTRL(s->open_ctx, EVP_CTRL_AEAD_SET_TAG, s->tag_length, s->tag) == 1;
}

/* --- CCM --- */

/* The tag's length must be known before the key: behind it, it is silently wrong. */
static bool ccm_start(struct cipher_state *s, EVP_CIPHER_CTX *ctx, int encrypt)
{
    return EVP_CipherInit_ex2(ctx, s->cipher, NULL, NULL, encrypt, NULL) == 1 &&
           CTRL(ctx, EVP_CTRL_AEAD_SET_IVLEN, s->iv_length, NULL) == 1 &&
           CTRL(ctx, EVP_CTRL_AEAD_SET_TAG, s->tag_length, NULL) == 1 &&
           EVP_CipherInit_ex2(ctx, NULL, s->key, s->iv, -1, NULL) == 1;
}

static inline bool ccm_seal_rest(struct cipher_state *s)
{
    int ignored;
    return EVP_EncryptUpdate(s->seal_ctx, NULL, &ignored, NULL, s->size) == 1 &&
           add_aad(s, s->seal_ctx) && seal_piece(s);
}

static inline bool ccm_open_rest(struct cipher_state *s)
{
    int ignored;
    return set_tag(s) &&
           EVP_DecryptUpdate(s->open_ctx, NULL, &ignored, NULL, s->sealed_size) == 1 &&
           add_aad(s, s->open_ctx) && open_piece(s);
}

static inline bool ccm_seal(struct cipher_state *s)
{
    return EVP_EncryptInit_ex2(s->seal_ctx, NULL, NULL, cipher_next_iv(s), NULL) == 1 &&
           ccm_seal_rest(s);
}

static inline bool ccm_open(struct cipher_state *s)
{
    return EVP_DecryptInit_ex2(s->open_ctx, NULL, NULL, s->iv, NULL) == 1 && ccm_open_rest(s);
}

PRIMITIVE_RUN(ccm_seal_run, ccm_seal)
PRIMITIVE_RUN(ccm_open_run, ccm_open)

/* --- SIV (RFC 5297): no IV; the tag is made of the message --- */

static bool siv_start(struct cipher_state *s, EVP_CIPHER_CTX *ctx, int encrypt)
{
    return EVP_CipherInit_ex2(ctx, s->cipher, s->key, NULL, encrypt, NULL) == 1;
}

static inline bool siv_seal_rest(struct cipher_state *s)
{
    return add_aad(s, s->seal_ctx) && seal_piece(s);
}

static inline bool siv_open_rest(struct cipher_state *s)
{
    return set_tag(s) && add_aad(s, s->open_ctx) && open_piece(s);
}

static inline bool siv_seal(struct cipher_state *s)
{
    return EVP_EncryptInit_ex2(s->seal_ctx, NULL, s->key, NULL, NULL) == 1 && siv_seal_rest(s);
}

static inline bool siv_open(struct cipher_state *s)
{
    return EVP_DecryptInit_ex2(s->open_ctx, NULL, s->key, NULL, NULL) == 1 && siv_open_rest(s);
}

PRIMITIVE_RUN(siv_seal_run, siv_seal)
PRIMITIVE_RUN(siv_open_run, siv_open)

/* --- GCM-SIV (RFC 8452) --- */

static bool gcm_siv_start(struct cipher_state *s, EVP_CIPHER_CTX *ctx, int encrypt)
{
    return EVP_CipherInit_ex2(ctx, s->cipher, s->key, s->iv, encrypt, NULL) == 1;
}

/* A context that is used again still holds the additional data of all messages before; an empty
 * piece throws it away. */
static inline bool forget_aad(const struct cipher_state *s, EVP_CIPHER_CTX *ctx)
{
    int ignored;
    return EVP_CipherUpdate(ctx, NULL, &ignored, s->aad, 0) == 1;
}

static inline bool gcm_siv_seal_rest(struct cipher_state *s)
{
    return forget_aad(s, s->seal_ctx) && add_aad(s, s->seal_ctx) && seal_piece(s);
}

static inline bool gcm_siv_open_rest(struct cipher_state *s)
{
    return set_tag(s) && forget_aad(s, s->open_ctx) && add_aad(s, s->open_ctx) && open_piece(s);
}

static inline bool gcm_siv_seal(struct cipher_state *s)
{
    return EVP_EncryptInit_ex2(s->seal_ctx, NULL, NULL, cipher_next_iv(s), NULL) == 1 &&
           gcm_siv_seal_rest(s);
}

static inline bool gcm_siv_open(struct cipher_state *s)
{
    return EVP_DecryptInit_ex2(s->open_ctx, NULL, NULL, s->iv, NULL) == 1 && gcm_siv_open_rest(s);
}

PRIMITIVE_RUN(gcm_siv_seal_run, gcm_siv_seal)
PRIMITIVE_RUN(gcm_siv_open_run, gcm_siv_open)

const struct cipher_mode cipher_mode_whole[] = {
    {.name = "ccm",
     .iv_length = 12,
     .tag_length = 16,
     .size_max = ((size_t)1 << 24) - 1,
     .bound = "CCM with a nonce of 12 bytes takes 16 MiB less one byte at most",
     .start = ccm_start,
     .seal_rest = ccm_seal_rest,
     .open_rest = ccm_open_rest,
     .seal_run = ccm_seal_run,
     .open_run = ccm_open_run},
    {.name = "siv",
     .tag_length = 16,
     .start = siv_start,
     .seal_rest = siv_seal_rest,
     .open_rest = siv_open_rest,
     .seal_run = siv_seal_run,
     .open_run = siv_open_run},
    {.name = "gcm-siv",
     .iv_length = 12,
     .tag_length = 16,
     .start = gcm_siv_start,
     .seal_rest = gcm_siv_seal_rest,
     .open_rest = gcm_siv_open_rest,
     .seal_run = gcm_siv_seal_run,
     .open_run = gcm_siv_open_run},
};
const size_t cipher_mode_whole_count = sizeof cipher_mode_whole / sizeof cipher_mode_whole[0];
