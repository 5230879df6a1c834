#include "tests/fuzz/seal.h"

#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

#define HANDSHAKE  22
#define KEY_UPDATE 24

static void must(int result)
{
    if (result != 1)
        abort();
}

/* HKDF-Expand-Label without context, for outputs of one block (RFC 8446, 7.1; RFC 5869, 2.3). */
static void expand(const uint8_t secret[static SEAL_SECRET], const char *label, uint8_t *out,
                   size_t length)
{
    uint8_t info[64], block[EVP_MAX_MD_SIZE];
    const size_t label_length = strlen(label);
    unsigned block_length = 0;
    size_t at = 0;
    info[at++] = 0;
    info[at++] = (uint8_t)length;
    info[at++] = (uint8_t)(6 + label_length);
    memcpy(info + at, "tls13 ", 6);
    memcpy(info + at + 6, label, label_length);
    at += 6 + label_length;
    info[at++] = 0; /* no context */
    info[at++] = 1; /* the first block */
    must(HMAC(EVP_sha256(), secret, SEAL_SECRET, info, at, block, &block_length) != NULL);
    memcpy(out, block, length);
}

void seal_start(struct seal *seal, const uint8_t secret[static SEAL_SECRET])
{
    uint8_t key[16];
    memmove(seal->secret, secret, SEAL_SECRET);
    expand(seal->secret, "key", key, sizeof key);
    expand(seal->secret, "iv", seal->iv, sizeof seal->iv);
    seal->sequence = 0;
    if (seal->cipher == NULL)
        seal->cipher = EVP_CIPHER_CTX_new();
    must(EVP_EncryptInit_ex(seal->cipher, EVP_aes_128_gcm(), NULL, key, NULL));
}

void seal_cleanup(struct seal *seal)
{
    EVP_CIPHER_CTX_free(seal->cipher);
    seal->cipher = NULL;
}

static void set_nonce(struct seal *seal)
{
    uint8_t nonce[12];
    memcpy(nonce, seal->iv, sizeof nonce);
    for (int i = 0; i < 8; i++)
        nonce[11 - i] ^= (uint8_t)(seal->sequence >> (8 * i));
    must(EVP_EncryptInit_ex(seal->cipher, NULL, NULL, NULL, nonce));
    seal->sequence++;
}

size_t seal_record(struct seal *seal, uint8_t *out, uint8_t type, const uint8_t *payload,
                   size_t length, size_t padding)
{
    static const uint8_t zeros[256];
    const size_t body = length + 1 + padding + 16;
    uint8_t *at = out + 5, next[SEAL_SECRET];
    int done;
    const uint8_t header[5] = {23, 3, 3, (uint8_t)(body >> 8), (uint8_t)body};
    memcpy(out, header, sizeof header);
    set_nonce(seal);
    must(EVP_EncryptUpdate(seal->cipher, NULL, &done, header, sizeof header));
    must(length == 0 || EVP_EncryptUpdate(seal->cipher, at, &done, payload, (int)length));
    must(EVP_EncryptUpdate(seal->cipher, at + length, &done, &type, 1));
    must(padding == 0 ||
         (padding <= sizeof zeros &&
          EVP_EncryptUpdate(seal->cipher, at + length + 1, &done, zeros, (int)padding)));
    must(EVP_EncryptFinal_ex(seal->cipher, at + length + 1 + padding, &done));
    must(EVP_CIPHER_CTX_ctrl(seal->cipher, EVP_CTRL_GCM_GET_TAG, 16, at + length + 1 + padding));
    if (type == HANDSHAKE && length == 5 && payload[0] == KEY_UPDATE && payload[1] == 0 &&
        payload[2] == 0 && payload[3] == 1 && payload[4] <= 1) {
        expand(seal->secret, "traffic upd", next, sizeof next);
        seal_start(seal, next);
    }
    return 5 + body;
}
