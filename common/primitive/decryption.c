/* The key exchange of the static RSA suites: the client encrypts a premaster secret, the server
 * decrypts it (RFC 5246 section 7.4.7.1). */
#include "common/base/memory.h"
#include "common/primitive/families.h"
#include "common/primitive/rsa_bits.h"
#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#define SECRET_LENGTH 48

struct decryption_state {
    EVP_PKEY_CTX *encrypter, *decrypter; /* owned */
    unsigned char sent[SECRET_LENGTH];
    unsigned char *sealed, *got; /* owned; of the key's size */
    size_t room, sealed_length, got_length;
};

static inline bool encrypt(struct decryption_state *s)
{
    s->sealed_length = s->room;
    return EVP_PKEY_encrypt(s->encrypter, s->sealed, &s->sealed_length, s->sent, SECRET_LENGTH) ==
           1;
}

static inline bool decrypt(struct decryption_state *s)
{
    s->got_length = s->room;
    return EVP_PKEY_decrypt(s->decrypter, s->got, &s->got_length, s->sealed, s->sealed_length) == 1;
}

PRIMITIVE_RUN(encrypt_run, encrypt)
PRIMITIVE_RUN(decrypt_run, decrypt)

static bool decryption_set_up(struct primitive_task *task, struct error *err)
{
    struct decryption_state *s = memory_new(1, sizeof *s);
    const struct key_kind kind = {.type = "RSA", .bits = task->what.bits};
    EVP_PKEY *key = key_ring_get(task->keys, &kind, err);

    task->state = s;
    if (!key)
        return false;
    s->room = (size_t)EVP_PKEY_get_size(key);
    s->sealed = memory_new(s->room, 1);
    s->got = memory_new(s->room, 1);
    s->encrypter = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    s->decrypter = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (!s->encrypter || !s->decrypter || EVP_PKEY_encrypt_init(s->encrypter) != 1 ||
        EVP_PKEY_decrypt_init(s->decrypter) != 1 ||
        EVP_PKEY_CTX_set_rsa_padding(s->encrypter, RSA_PKCS1_PADDING) != 1 ||
        EVP_PKEY_CTX_set_rsa_padding(s->decrypter, RSA_PKCS1_PADDING) != 1 ||
        RAND_bytes(s->sent, SECRET_LENGTH) != 1)
        return reason_error(err, "RSA");
    task->run = task->what.operation == OPERATION_ENCRYPT ? encrypt_run : decrypt_run;
    return true;
}

static void decryption_release(void *state)
{
    struct decryption_state *s = state;

    if (!s)
        return;
    EVP_PKEY_CTX_free(s->encrypter);
    EVP_PKEY_CTX_free(s->decrypter);
    free(s->sealed);
    free(s->got);
    free(s);
}

static bool gives_secret_back(struct decryption_state *s)
{
    return decrypt_run(s, 1) == 1 && s->got_length == SECRET_LENGTH &&
           memcmp(s->got, s->sent, SECRET_LENGTH) == 0;
}

static bool decryption_verify(struct primitive_task *task, struct error *err)
{
    struct decryption_state *s = task->state;

    if (encrypt_run(s, 1) != 1 || !gives_secret_back(s))
        return reason_error(err, "decryption does not give the secret back");
    s->sealed[s->room / 2] ^= 0x10;
    bool accepted = gives_secret_back(s); /* from 3.2 a wrong one gives random bytes, no error */
    s->sealed[s->room / 2] ^= 0x10;
    ERR_clear_error();
    if (accepted)
        return error_set(err, "a secret with one bit flipped is accepted");
    primitive_note(task, "round trip, flipped bit refused");
    return true;
}

static const struct primitive_class decryption_class = {
    .family = FAMILY_EXCHANGE,
    .operations = PRIMITIVE_BIT(OPERATION_ENCRYPT) | PRIMITIVE_BIT(OPERATION_DECRYPT),
    .shapes = PRIMITIVE_BIT(SHAPE_MESSAGE),
    .usual = SHAPE_MESSAGE,
    .backend = "evp",
    .available = rsa_bits_available,
    .check = rsa_bits_check,
    .set_up = decryption_set_up,
    .verify = decryption_verify,
    .release = decryption_release,
};

static const struct primitive rows[] = {
    {.name = "rsa-kex",
     .class = &decryption_class,
     .fetched = "RSA",
     .bits_open = true,
     .in_default = true},
};

const struct primitive_table decryption_primitives = {rows, sizeof rows / sizeof rows[0]};
