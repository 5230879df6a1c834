/* Signatures of a digest with a context that is kept; EdDSA and ML-DSA sign messages, and their
 * context must be initialised for each (OpenSSL 3.5 refuses it otherwise). */
#include "common/primitive/signature.h"

#include "common/base/memory.h"
#include "common/primitive/families.h"
#include "common/primitive/rsa_bits.h"
#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX 64

struct signature_state {
    EVP_PKEY *key; /* the ring's */
    EVP_PKEY_CTX *signer, *verifier;
    EVP_MD_CTX *message_signer, *message_verifier;
    unsigned char text[MESSAGE_MAX]; /* a digest, or a message as long */
    size_t text_length;
    unsigned char *signature; /* owned */
    size_t room, length;
};

static inline bool sign_digest(struct signature_state *s)
{
    s->length = s->room;
    return EVP_PKEY_sign(s->signer, s->signature, &s->length, s->text, s->text_length) == 1;
}

static inline bool verify_digest(struct signature_state *s)
{
    return EVP_PKEY_verify(s->verifier, s->signature, s->length, s->text, s->text_length) == 1;
}

static inline bool sign_message(struct signature_state *s)
{
    s->length = s->room;
    return EVP_DigestSignInit_ex(s->message_signer, NULL, NULL, NULL, NULL, s->key, NULL) == 1 &&
           EVP_DigestSign(s->message_signer, s->signature, &s->length, s->text, s->text_length) ==
               1;
}

static inline bool verify_message(struct signature_state *s)
{
    return EVP_DigestVerifyInit_ex(s->message_verifier, NULL, NULL, NULL, NULL, s->key, NULL) ==
               1 &&
           EVP_DigestVerify(s->message_verifier, s->signature, s->length, s->text,
                            s->text_length) == 1;
}

PRIMITIVE_RUN(sign_digest_run, sign_digest)
PRIMITIVE_RUN(verify_digest_run, verify_digest)
PRIMITIVE_RUN(sign_message_run, sign_message)
PRIMITIVE_RUN(verify_message_run, verify_message)

/* --- a task --- */

static bool signs_messages(const struct primitive *row)
{
    return strncmp(row->fetched, "ED", 2) == 0 || strncmp(row->fetched, "ML-DSA", 6) == 0;
}

static struct key_kind kind_of(const struct primitive_case *what)
{
    const struct primitive *row = what->primitive;
    bool curve = strcmp(row->fetched, "EC") == 0;

    return (struct key_kind){.type = row->fetched,
                             .group = curve ? row->detail : NULL,
                             .bits = what->bits ? what->bits : row->key_bits};
}

/* The digest that TLS signs with such a key: SHA-256, with large curves SHA-384 or SHA-512. */
static const EVP_MD *digest_for(EVP_PKEY *key)
{
    int bits = EVP_PKEY_is_a(key, "EC") ? EVP_PKEY_get_bits(key) : 256;

    return bits <= 256 ? EVP_sha256() : bits <= 384 ? EVP_sha384() : EVP_sha512();
}

bool signature_set_pss(EVP_PKEY_CTX *ctx)
{
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
}

static bool configure(EVP_PKEY_CTX *ctx, const EVP_MD *digest, bool pss)
{
    return EVP_PKEY_CTX_set_signature_md(ctx, digest) == 1 && (!pss || signature_set_pss(ctx));
}

static bool open_contexts(struct signature_state *s, bool pss)
{
    const EVP_MD *digest = digest_for(s->key);

    s->text_length = (size_t)EVP_MD_get_size(digest);
    s->signer = EVP_PKEY_CTX_new_from_pkey(NULL, s->key, NULL);
    s->verifier = EVP_PKEY_CTX_new_from_pkey(NULL, s->key, NULL);
    return s->signer && s->verifier && EVP_PKEY_sign_init(s->signer) == 1 &&
           EVP_PKEY_verify_init(s->verifier) == 1 && configure(s->signer, digest, pss) &&
           configure(s->verifier, digest, pss);
}

static bool open_message_contexts(struct signature_state *s)
{
    s->text_length = MESSAGE_MAX;
    s->message_signer = EVP_MD_CTX_new();
    s->message_verifier = EVP_MD_CTX_new();
    return s->message_signer && s->message_verifier;
}

static bool signature_set_up(struct primitive_task *task, struct error *err)
{
    struct signature_state *s = memory_new(1, sizeof *s);
    const struct primitive *row = task->what.primitive;
    const struct key_kind kind = kind_of(&task->what);
    bool messages = signs_messages(row), sign = task->what.operation == OPERATION_SIGN;
    bool pss = row->detail && strcmp(row->detail, "pss") == 0;

    task->state = s;
    s->key = key_ring_get(task->keys, &kind, err);
    if (!s->key)
        return false;
    s->room = (size_t)EVP_PKEY_get_size(s->key);
    s->signature = memory_new(s->room, 1);
    if (RAND_bytes(s->text, sizeof s->text) != 1 ||
        !(messages ? open_message_contexts(s) : open_contexts(s, pss)))
        return reason_error(err, "%s", row->name);
    if (messages)
        task->run = sign ? sign_message_run : verify_message_run;
    else
        task->run = sign ? sign_digest_run : verify_digest_run;
    return true;
}

static void signature_release(void *state)
{
    struct signature_state *s = state;

    if (!s)
        return;
    EVP_PKEY_CTX_free(s->signer);
    EVP_PKEY_CTX_free(s->verifier);
    EVP_MD_CTX_free(s->message_signer);
    EVP_MD_CTX_free(s->message_verifier);
    free(s->signature);
    free(s);
}

static bool signature_verify(struct primitive_task *task, struct error *err)
{
    struct signature_state *s = task->state;
    bool messages = s->message_signer != NULL;
    primitive_run *sign = messages ? sign_message_run : sign_digest_run;
    primitive_run *verify = messages ? verify_message_run : verify_digest_run;
    const char *source = NULL;
    char note[64];

    if (sign(s, 2) != 2)
        return reason_error(err, "signing fails");
    if (verify(s, 2) != 2)
        return reason_error(err, "the signature does not verify");
    s->text[0] ^= 0x10;
    bool accepted = verify(s, 1) == 1;
    s->text[0] ^= 0x10;
    ERR_clear_error();
    if (accepted)
        return error_set(err, "the signature verifies for a changed message");
    if (verify(s, 1) != 1)
        return reason_error(err, "the signature does not verify after a forgery");
    primitive_note(task, "signature verifies, changed message refused");
    if (!signature_vector_check(task->what.primitive, &source, err))
        return false;
    if (source) {
        (void)snprintf(note, sizeof note, "%s vector", source);
        primitive_note(task, note);
    }
    return true;
}

static bool signature_available(const struct primitive *row, struct error *err)
{
    const struct key_kind kind = {.type = row->fetched, .group = row->detail};

    return key_is_possible(&kind) || error_set(err, "not in this library");
}

#define SIGNATURE                                                                                  \
    .family = FAMILY_SIGNATURE, .backend = "evp", .shapes = PRIMITIVE_BIT(SHAPE_MESSAGE),          \
    .operations = PRIMITIVE_BIT(OPERATION_SIGN) | PRIMITIVE_BIT(OPERATION_VERIFY),                 \
    .usual = SHAPE_MESSAGE, .set_up = signature_set_up, .verify = signature_verify,                \
    .release = signature_release

static const struct primitive_class signature_class = {SIGNATURE, .available = signature_available};
static const struct primitive_class rsa_class = {SIGNATURE, .available = rsa_bits_available,
                                                 .check = rsa_bits_check};

#define RSA_ROW(row_name, padding)                                                                 \
    .name = (row_name), .class = &rsa_class, .fetched = "RSA", .detail = (padding),                \
    .bits_open = true, .in_default = true
#define ROW(row_name, type)    .name = (row_name), .class = &signature_class, .fetched = (type)
#define ECDSA(row_name, curve) ROW(row_name, "EC"), .detail = (curve)
#define ML_DSA(row_name, type) ROW(row_name, type), .since = "3.5", .in_default = true

static const struct primitive rows[] = {
    {RSA_ROW("rsa", "pkcs1")},
    {RSA_ROW("rsa-pss", "pss")},
    {ROW("dsa-2048", "DSA"), .key_bits = 2048, .in_default = true},
    {ECDSA("ecdsa-p256", "P-256"), .in_default = true},
    {ECDSA("ecdsa-p384", "P-384"), .in_default = true},
    {ECDSA("ecdsa-p521", "P-521"), .in_default = true},
    {ECDSA("ecdsa-p224", "P-224")},
    {ECDSA("ecdsa-p192", "P-192")},
    {ECDSA("ecdsa-secp160k1", "secp160k1")},
    {ECDSA("ecdsa-secp160r1", "secp160r1")},
    {ECDSA("ecdsa-secp160r2", "secp160r2")},
    {ECDSA("ecdsa-secp192k1", "secp192k1")},
    {ECDSA("ecdsa-secp224k1", "secp224k1")},
    {ECDSA("ecdsa-secp256k1", "secp256k1")},
    {ECDSA("ecdsa-brainpoolp256r1", "brainpoolP256r1")},
    {ECDSA("ecdsa-brainpoolp384r1", "brainpoolP384r1")},
    {ECDSA("ecdsa-brainpoolp512r1", "brainpoolP512r1")},
    {ECDSA("ecdsa-sect163k1", "K-163")},
    {ECDSA("ecdsa-sect163r1", "sect163r1")},
    {ECDSA("ecdsa-sect163r2", "B-163")},
    {ECDSA("ecdsa-sect193r1", "sect193r1")},
    {ECDSA("ecdsa-sect193r2", "sect193r2")},
    {ECDSA("ecdsa-sect233r1", "B-233")},
    {ECDSA("ecdsa-sect233k1", "K-233")},
    {ECDSA("ecdsa-sect239k1", "sect239k1")},
    {ECDSA("ecdsa-sect283r1", "B-283")},
    {ECDSA("ecdsa-sect283k1", "K-283")},
    {ECDSA("ecdsa-sect409r1", "B-409")},
    {ECDSA("ecdsa-sect409k1", "K-409")},
    {ECDSA("ecdsa-sect571r1", "B-571")},
    {ECDSA("ecdsa-sect571k1", "K-571")},
    {ROW("ed25519", "ED25519"), .in_default = true},
    {ROW("ed448", "ED448"), .in_default = true},
    {ML_DSA("ml-dsa-44", "ML-DSA-44")},
    {ML_DSA("ml-dsa-65", "ML-DSA-65")},
    {ML_DSA("ml-dsa-87", "ML-DSA-87")},
};

const struct primitive_table signature_primitives = {rows, sizeof rows / sizeof rows[0]};
