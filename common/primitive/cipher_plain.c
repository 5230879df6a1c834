/* Ciphers without a tag: ECB, CBC, CTR, stream ciphers, and XTS, whose message is one data unit. */
#include "common/primitive/cipher.h"

static bool plain_start(struct cipher_state *s, EVP_CIPHER_CTX *ctx, int encrypt)
{
    /* Without padding a decryption holds no block back; the choice survives later calls. */
    return EVP_CipherInit_ex2(ctx, s->cipher, s->key, cipher_iv(s), encrypt, NULL) == 1 &&
           EVP_CIPHER_CTX_set_padding(ctx, s->padding) == 1;
}

static inline bool seal_rest(struct cipher_state *s)
{
    int part = 0, rest = 0;
    bool ok = EVP_EncryptUpdate(s->seal_ctx, s->sealed, &part, s->text, s->size) == 1 &&
              EVP_EncryptFinal_ex(s->seal_ctx, s->sealed + part, &rest) == 1;
    s->sealed_size = part + rest;
    return ok;
}

static inline bool open_rest(struct cipher_state *s)
{
    int part = 0, rest = 0;
    return EVP_DecryptUpdate(s->open_ctx, s->text, &part, s->sealed, s->sealed_size) == 1 &&
           EVP_DecryptFinal_ex(s->open_ctx, s->text + part, &rest) == 1 && part + rest == s->size;
}

static inline bool seal_message(struct cipher_state *s)
{
    return EVP_EncryptInit_ex2(s->seal_ctx, NULL, NULL, cipher_next_iv(s), NULL) == 1 &&
           seal_rest(s);
}

static inline bool open_message(struct cipher_state *s)
{
    return EVP_DecryptInit_ex2(s->open_ctx, NULL, NULL, cipher_iv(s), NULL) == 1 && open_rest(s);
}

PRIMITIVE_RUN(seal_run, seal_message)
PRIMITIVE_RUN(open_run, open_message)

#define PLAIN                                                                                      \
    .start = plain_start, .seal_rest = seal_rest, .open_rest = open_rest, .seal_run = seal_run,    \
    .open_run = open_run

const struct cipher_mode cipher_mode_plain[] = {
    {.name = "ecb", PLAIN, .stream_blocks = true},
    {.name = "cbc", PLAIN, .stream_blocks = true},
    {.name = "ctr", PLAIN},
    {.name = "stream", PLAIN},
    {.name = "xts",
     PLAIN,
     .size_min = 16,
     .size_max = (size_t)1 << 24,
     .bound = "XTS needs 16 bytes or more and takes 16 MiB at most"},
};
const size_t cipher_mode_plain_count = sizeof cipher_mode_plain / sizeof cipher_mode_plain[0];
