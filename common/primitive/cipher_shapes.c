/* The shapes that do not depend on a mode's order of calls. */
#include "common/primitive/cipher.h"

/* --- stream: in place, as openssl speed does it; every batch begins a message, since modes limit
 * how long one may be --- */

static inline bool seal_more(struct cipher_state *s)
{
    int part;
    return EVP_EncryptUpdate(s->seal_ctx, s->text, &part, s->text, s->size) == 1;
}

static inline bool open_more(struct cipher_state *s)
{
    int part;
    return EVP_DecryptUpdate(s->open_ctx, s->text, &part, s->text, s->size) == 1;
}

PRIMITIVE_RUN(seal_stream, seal_more)
PRIMITIVE_RUN(open_stream, open_more)

uint64_t cipher_seal_stream(void *state, uint64_t count)
{
    struct cipher_state *s = state;

    if (EVP_EncryptInit_ex2(s->seal_ctx, NULL, NULL, cipher_next_iv(s), NULL) != 1)
        return 0;
    return seal_stream(s, count);
}

uint64_t cipher_open_stream(void *state, uint64_t count)
{
    struct cipher_state *s = state;

    if (EVP_DecryptInit_ex2(s->open_ctx, NULL, NULL, cipher_iv(s), NULL) != 1)
        return 0;
    if (cipher_is_aead(s) &&
        EVP_CIPHER_CTX_ctrl(s->open_ctx, EVP_CTRL_AEAD_SET_TAG, s->tag_length, s->tag) != 1)
        return 0;
    return open_stream(s, count);
}

/* --- oneshot --- */

/* A context of its own for one message, and what was there before put back. */
static inline bool seal_oneshot(struct cipher_state *s)
{
    EVP_CIPHER_CTX *kept = s->seal_ctx;
    EVP_CIPHER *kept_cipher = s->cipher;

    s->cipher = EVP_CIPHER_fetch(NULL, s->row->fetched, NULL);
    s->seal_ctx = EVP_CIPHER_CTX_new();
    (void)cipher_next_iv(s);
    bool ok =
        s->cipher && s->seal_ctx && s->mode->start(s, s->seal_ctx, 1) && s->mode->seal_rest(s);
    EVP_CIPHER_CTX_free(s->seal_ctx);
    EVP_CIPHER_free(s->cipher);
    s->seal_ctx = kept;
    s->cipher = kept_cipher;
    return ok;
}

static inline bool open_oneshot(struct cipher_state *s)
{
    EVP_CIPHER_CTX *kept = s->open_ctx;
    EVP_CIPHER *kept_cipher = s->cipher;

    s->cipher = EVP_CIPHER_fetch(NULL, s->row->fetched, NULL);
    s->open_ctx = EVP_CIPHER_CTX_new();
    bool ok =
        s->cipher && s->open_ctx && s->mode->start(s, s->open_ctx, 0) && s->mode->open_rest(s);
    EVP_CIPHER_CTX_free(s->open_ctx);
    EVP_CIPHER_free(s->cipher);
    s->open_ctx = kept;
    s->cipher = kept_cipher;
    return ok;
}

PRIMITIVE_RUN(seal_oneshots, seal_oneshot)
PRIMITIVE_RUN(open_oneshots, open_oneshot)

uint64_t cipher_seal_oneshot(void *state, uint64_t count)
{
    return seal_oneshots(state, count);
}

uint64_t cipher_open_oneshot(void *state, uint64_t count)
{
    return open_oneshots(state, count);
}
