#ifndef COMMON_PRIMITIVE_CIPHER_H
#define COMMON_PRIMITIVE_CIPHER_H

#include "common/primitive/primitive.h"

#include <openssl/evp.h>
#include <string.h>

/* Inside the cipher family: what the modes share. */

#define CIPHER_KEY_MAX  64
#define CIPHER_IV_MAX   16
#define CIPHER_TAG_MAX  16
#define CIPHER_AAD_MAX  32
#define CIPHER_SIZE_MAX ((size_t)1 << 30) /* EVP counts bytes in an int */

/* A message, its protected form, and a context for each direction. */
struct cipher_state {
    const struct primitive *row;
    const struct cipher_mode *mode;
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *seal_ctx, *open_ctx;
    unsigned char key[CIPHER_KEY_MAX], iv[CIPHER_IV_MAX], tag[CIPHER_TAG_MAX], aad[CIPHER_AAD_MAX];
    int iv_length, tag_length, aad_length;
    bool padding;
    unsigned char *text, *sealed; /* owned */
    int size, sealed_size;
    uint64_t counter; /* of messages: part of the IV */
};

/* A mode's protocol with EVP. "rest" is what follows an initialisation that has set the IV. */
struct cipher_mode {
    const char *name;
    int iv_length; /* 0: the cipher's own */
    int tag_length;
    size_t size_min, size_max; /* 0: no bound but CIPHER_SIZE_MAX */
    const char *bound;         /* why: "XTS needs 16 bytes or more and …" */
    bool stream_blocks;        /* a stream of it takes whole blocks only */
    /* Cipher, lengths, key and IV into an empty context. */
    bool (*start)(struct cipher_state *state, EVP_CIPHER_CTX *ctx, int encrypt);
    bool (*seal_rest)(struct cipher_state *state); /* text into sealed and tag */
    bool (*open_rest)(struct cipher_state *state); /* sealed and tag into text */
    primitive_run *seal_run, *open_run;            /* whole messages; sealing takes a new IV each */
};

extern const struct cipher_mode cipher_mode_plain[], cipher_mode_aead[], cipher_mode_whole[];
extern const size_t cipher_mode_plain_count, cipher_mode_aead_count, cipher_mode_whole_count;
const struct cipher_mode *cipher_mode_find(const char *name);

/* Rows of block ciphers and stream ciphers without a tag, of AEADs, and of AEADs that take a
 * message in one piece only. */
extern const struct primitive_class cipher_plain_class, cipher_aead_class, cipher_whole_class;

/* The runs of the shapes that all modes share. */
primitive_run cipher_seal_stream, cipher_open_stream, cipher_seal_oneshot, cipher_open_oneshot;

/* Of a state, or of one that begins with it; takes NULL. */
void cipher_release(void *state);

/* Compares with a vector of a standard; *source is the standard's name, NULL where none is known
 * for the row. */
bool cipher_vector_check(const struct primitive *row, EVP_CIPHER *cipher, const char **source,
                         struct error *err) MUST_CHECK;

static inline bool cipher_is_aead(const struct cipher_state *state)
{
    return state->tag_length > 0;
}

/* The IV as EVP wants it: NULL for ciphers without one. */
static inline const unsigned char *cipher_iv(const struct cipher_state *state)
{
    return state->iv_length > 0 ? state->iv : NULL;
}

/* The next message's IV, unique: its last 8 bytes count. */
static inline const unsigned char *cipher_next_iv(struct cipher_state *state)
{
    if (state->iv_length == 0)
        return NULL;
    state->counter++;
    memcpy(state->iv + state->iv_length - sizeof state->counter, &state->counter,
           sizeof state->counter);
    return state->iv;
}

#endif
