/* Ephemeral Diffie-Hellman. The shape oneshot does what a handshake does: contexts of its own, and
 * the peer's public value decoded and checked; message keeps a context whose peer is set, so that
 * the derivation is left alone. */
#include "common/primitive/exchange.h"

#include "common/base/memory.h"
#include "common/primitive/families.h"
#include "common/primitive/key_generation.h"
#include "common/tls/reason.h"

#include <openssl/dh.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exchange_state {
    struct key_generation generation; /* first: its runs take this state */
    const struct primitive *row;
    EVP_PKEY *own, *peer;        /* owned */
    EVP_PKEY_CTX *kept;          /* owned: `own` with `peer` set */
    unsigned char *public_value; /* owned, OpenSSL's: the peer's, as it is sent */
    size_t public_length;
    bool is_dh;
    unsigned char secret[EXCHANGE_SECRET_MAX];
    size_t length;
};

/* --- what is timed --- */

static inline bool derive(struct exchange_state *s, EVP_PKEY_CTX *ctx)
{
    s->length = sizeof s->secret;
    return EVP_PKEY_derive(ctx, s->secret, &s->length) == 1;
}

/* A context for `own` that knows its peer; TLS 1.3 keeps a secret's leading zeros. */
static EVP_PKEY_CTX *derivation_new(const struct exchange_state *s, EVP_PKEY *own, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);

    if (ctx && EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, peer) == 1 &&
        (!s->is_dh || EVP_PKEY_CTX_set_dh_pad(ctx, 1) == 1))
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

/* One side's derivation from the public value that came over the wire. */
static bool derive_from_wire(struct exchange_state *s, EVP_PKEY *own, const unsigned char *value,
                             size_t length)
{
    EVP_PKEY *peer = EVP_PKEY_new();
    EVP_PKEY_CTX *ctx = NULL;

    if (peer && EVP_PKEY_copy_parameters(peer, own) == 1 &&
        EVP_PKEY_set1_encoded_public_key(peer, value, length) == 1)
        ctx = derivation_new(s, own, peer);
    bool ok = ctx && derive(s, ctx);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(peer);
    return ok;
}

static inline bool derive_message(struct exchange_state *s)
{
    return derive(s, s->kept);
}

static inline bool derive_oneshot(struct exchange_state *s)
{
    return derive_from_wire(s, s->own, s->public_value, s->public_length);
}

/* All that one side of a handshake computes: a key, its public value, the derivation. */
static inline bool exchange(struct exchange_state *s)
{
    unsigned char *value = NULL;
    EVP_PKEY *key = key_make(&s->generation.kind, NULL);
    bool ok = key && EVP_PKEY_get1_encoded_public_key(key, &value) > 0 &&
              derive_from_wire(s, key, s->public_value, s->public_length);
    OPENSSL_free(value);
    EVP_PKEY_free(key);
    return ok;
}

PRIMITIVE_RUN(derive_message_run, derive_message)
PRIMITIVE_RUN(derive_oneshot_run, derive_oneshot)
PRIMITIVE_RUN(exchange_run, exchange)

/* --- a task --- */

static primitive_run *run_of(const struct primitive_case *what)
{
    bool kept = what->shape == SHAPE_MESSAGE;

    if (what->operation == OPERATION_KEYGEN)
        return kept ? key_generation_message : key_generation_oneshot;
    if (what->operation == OPERATION_DERIVE)
        return kept ? derive_message_run : derive_oneshot_run;
    return exchange_run;
}

static bool exchange_check(const struct primitive_case *what, struct error *err)
{
    return what->operation != OPERATION_EXCHANGE || what->shape == SHAPE_ONESHOT ||
           error_set(err, "a whole exchange has the shape oneshot only");
}

static bool exchange_set_up(struct primitive_task *task, struct error *err)
{
    struct exchange_state *s = memory_new(1, sizeof *s);

    task->state = s;
    s->row = task->what.primitive;
    s->is_dh = strcmp(s->row->fetched, "DH") == 0;
    if (!key_generation_set_up(&s->generation, s->row, err))
        return false;
    s->own = key_make(&s->generation.kind, err);
    s->peer = s->own ? key_make(&s->generation.kind, err) : NULL;
    if (!s->peer)
        return false;
    s->public_length = EVP_PKEY_get1_encoded_public_key(s->peer, &s->public_value);
    s->kept = derivation_new(s, s->own, s->peer);
    if (s->public_length == 0 || !s->kept)
        return reason_error(err, "%s", s->row->name);
    task->run = run_of(&task->what);
    return true;
}

static void exchange_release(void *state)
{
    struct exchange_state *s = state;

    if (!s)
        return;
    key_generation_cleanup(&s->generation);
    EVP_PKEY_CTX_free(s->kept);
    EVP_PKEY_free(s->own);
    EVP_PKEY_free(s->peer);
    OPENSSL_free(s->public_value);
    OPENSSL_cleanse(s->secret, sizeof s->secret);
    free(s);
}

/* --- proofs --- */

static bool derive_vector(void *context, EVP_PKEY *own, const unsigned char *value,
                          size_t value_length, unsigned char secret[static EXCHANGE_SECRET_MAX],
                          size_t *length)
{
    struct exchange_state *s = context;
    bool ok = derive_from_wire(s, own, value, value_length);

    memcpy(secret, s->secret, sizeof s->secret);
    *length = s->length;
    return ok;
}

static bool vector_agrees(struct primitive_task *task, struct error *err)
{
    struct exchange_state *s = task->state;
    const char *source = NULL;
    char note[64];

    if (!exchange_vector_check(s->row, derive_vector, s, &source, err))
        return false;
    if (source) {
        (void)snprintf(note, sizeof note, "%s vector", source);
        primitive_note(task, note);
    }
    return true;
}

/* The peer's derivation with our public value gives our secret. */
static bool both_sides_agree(struct exchange_state *s)
{
    unsigned char *value = NULL, theirs[EXCHANGE_SECRET_MAX];
    size_t length = EVP_PKEY_get1_encoded_public_key(s->own, &value);
    bool ok = length > 0 && derive_from_wire(s, s->peer, value, length);

    OPENSSL_free(value);
    size_t their_length = s->length;
    memcpy(theirs, s->secret, sizeof theirs);
    ok = ok && derive_oneshot_run(s, 1) == 1 && s->length == their_length &&
         memcmp(s->secret, theirs, their_length) == 0;
    memset(s->secret, 0, sizeof s->secret);
    return ok && derive_message_run(s, 1) == 1 && s->length == their_length &&
           memcmp(s->secret, theirs, their_length) == 0;
}

static bool exchange_verify(struct primitive_task *task, struct error *err)
{
    struct exchange_state *s = task->state;

    if (!both_sides_agree(s))
        return reason_error(err, "the two sides do not derive the same secret");
    primitive_note(task, "both sides agree");
    if (task->run(s, 1) != 1)
        return reason_error(err, "%s fails", primitive_operation_name(task->what.operation));
    return vector_agrees(task, err);
}

static const struct primitive_class exchange_class = {
    .family = FAMILY_EXCHANGE,
    .operations = PRIMITIVE_BIT(OPERATION_KEYGEN) | PRIMITIVE_BIT(OPERATION_DERIVE) |
                  PRIMITIVE_BIT(OPERATION_EXCHANGE),
    .shapes = PRIMITIVE_BIT(SHAPE_MESSAGE) | PRIMITIVE_BIT(SHAPE_ONESHOT),
    .usual = SHAPE_ONESHOT,
    .backend = "evp",
    .available = key_generation_available,
    .check = exchange_check,
    .set_up = exchange_set_up,
    .verify = exchange_verify,
    .release = exchange_release,
};

#define ROW(row_name, type, group)                                                                 \
    .name = (row_name), .class = &exchange_class, .fetched = (type), .detail = (group)

static const struct primitive rows[] = {
    {ROW("x25519", "X25519", NULL), .in_default = true},
    {ROW("x448", "X448", NULL), .in_default = true},
    {ROW("p-256", "EC", "P-256"), .in_default = true},
    {ROW("p-384", "EC", "P-384"), .in_default = true},
    {ROW("p-521", "EC", "P-521"), .in_default = true},
    {ROW("ffdhe2048", "DH", "ffdhe2048"), .in_default = true},
    {ROW("ffdhe3072", "DH", "ffdhe3072"), .in_default = true},
    {ROW("ffdhe4096", "DH", "ffdhe4096"), .in_default = true},
    {ROW("ffdhe6144", "DH", "ffdhe6144")},
    {ROW("ffdhe8192", "DH", "ffdhe8192")},
    {ROW("brainpoolp256r1", "EC", "brainpoolP256r1")},
    {ROW("brainpoolp384r1", "EC", "brainpoolP384r1")},
    {ROW("brainpoolp512r1", "EC", "brainpoolP512r1")},
    {ROW("secp256k1", "EC", "secp256k1")},
    {ROW("p-224", "EC", "P-224")},
};

const struct primitive_table exchange_primitives = {rows, sizeof rows / sizeof rows[0]};
