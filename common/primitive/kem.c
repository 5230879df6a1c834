/* Key encapsulation: the client makes a key and decapsulates, the server encapsulates. */
#include "common/base/memory.h"
#include "common/primitive/families.h"
#include "common/primitive/key_generation.h"
#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#define SECRET_MAX  128
#define WRAPPED_MAX 4096

struct kem_state {
    struct key_generation generation; /* first: its runs take this state */
    const struct primitive *row;
    EVP_PKEY *key;                  /* owned */
    EVP_PKEY_CTX *wrapper, *opener; /* owned */
    unsigned char wrapped[WRAPPED_MAX], sent[SECRET_MAX], got[SECRET_MAX];
    size_t wrapped_length, sent_length, got_length;
};

static inline bool encapsulate(struct kem_state *s)
{
    s->wrapped_length = sizeof s->wrapped;
    s->sent_length = sizeof s->sent;
    return EVP_PKEY_encapsulate(s->wrapper, s->wrapped, &s->wrapped_length, s->sent,
                                &s->sent_length) == 1;
}

static inline bool decapsulate(struct kem_state *s)
{
    s->got_length = sizeof s->got;
    return EVP_PKEY_decapsulate(s->opener, s->got, &s->got_length, s->wrapped, s->wrapped_length) ==
           1;
}

PRIMITIVE_RUN(encapsulate_run, encapsulate)
PRIMITIVE_RUN(decapsulate_run, decapsulate)

static primitive_run *run_of(const struct primitive_case *what)
{
    if (what->operation == OPERATION_KEYGEN)
        return what->shape == SHAPE_MESSAGE ? key_generation_message : key_generation_oneshot;
    return what->operation == OPERATION_ENCAPSULATE ? encapsulate_run : decapsulate_run;
}

static bool kem_check(const struct primitive_case *what, struct error *err)
{
    return what->operation == OPERATION_KEYGEN || what->shape == SHAPE_MESSAGE ||
           error_set(err, "only the making of a key has the shape oneshot");
}

static bool kem_set_up(struct primitive_task *task, struct error *err)
{
    struct kem_state *s = memory_new(1, sizeof *s);

    task->state = s;
    s->row = task->what.primitive;
    if (!key_generation_set_up(&s->generation, s->row, err))
        return false;
    s->key = key_make(&s->generation.kind, err);
    if (!s->key)
        return false;
    s->wrapper = EVP_PKEY_CTX_new_from_pkey(NULL, s->key, NULL);
    s->opener = EVP_PKEY_CTX_new_from_pkey(NULL, s->key, NULL);
    if (!s->wrapper || !s->opener || EVP_PKEY_encapsulate_init(s->wrapper, NULL) != 1 ||
        EVP_PKEY_decapsulate_init(s->opener, NULL) != 1)
        return reason_error(err, "%s", s->row->name);
    task->run = run_of(&task->what);
    return true;
}

static void kem_release(void *state)
{
    struct kem_state *s = state;

    if (!s)
        return;
    key_generation_cleanup(&s->generation);
    EVP_PKEY_CTX_free(s->wrapper);
    EVP_PKEY_CTX_free(s->opener);
    EVP_PKEY_free(s->key);
    free(s);
}

static bool secrets_agree(const struct kem_state *s)
{
    return s->got_length == s->sent_length && memcmp(s->got, s->sent, s->got_length) == 0;
}

/* A changed encapsulation is no error in ML-KEM: it gives another secret. */
static bool kem_verify(struct primitive_task *task, struct error *err)
{
    struct kem_state *s = task->state;

    if (encapsulate_run(s, 1) != 1 || decapsulate_run(s, 1) != 1)
        return reason_error(err, "the encapsulation fails");
    if (!secrets_agree(s))
        return error_set(err, "the two sides do not have the same secret");
    s->wrapped[0] ^= 0x10;
    bool differs = decapsulate_run(s, 1) != 1 || !secrets_agree(s);
    s->wrapped[0] ^= 0x10;
    ERR_clear_error();
    if (!differs)
        return error_set(err, "a changed encapsulation gives the same secret");
    if (task->run(s, 1) != 1)
        return reason_error(err, "%s fails", primitive_operation_name(task->what.operation));
    primitive_note(task, "both sides agree, flipped bit gives another secret");
    return true;
}

static const struct primitive_class kem_class = {
    .family = FAMILY_KEM,
    .operations = PRIMITIVE_BIT(OPERATION_KEYGEN) | PRIMITIVE_BIT(OPERATION_ENCAPSULATE) |
                  PRIMITIVE_BIT(OPERATION_DECAPSULATE),
    .shapes = PRIMITIVE_BIT(SHAPE_MESSAGE) | PRIMITIVE_BIT(SHAPE_ONESHOT),
    .usual = SHAPE_MESSAGE,
    .backend = "evp",
    .available = key_generation_available,
    .check = kem_check,
    .set_up = kem_set_up,
    .verify = kem_verify,
    .release = kem_release,
};

#define ROW(row_name, type)                                                                        \
    {                                                                                              \
        .name = (row_name), .class = &kem_class, .fetched = (type), .in_default = true,            \
        .since = "3.5"                                                                             \
    }

static const struct primitive rows[] = {
    ROW("ml-kem-512", "ML-KEM-512"),
    ROW("ml-kem-768", "ML-KEM-768"),
    ROW("ml-kem-1024", "ML-KEM-1024"),
    ROW("x25519mlkem768", "X25519MLKEM768"),
    ROW("secp256r1mlkem768", "SecP256r1MLKEM768"),
    ROW("secp384r1mlkem1024", "SecP384r1MLKEM1024"),
};

const struct primitive_table kem_primitives = {rows, sizeof rows / sizeof rows[0]};
