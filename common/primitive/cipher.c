#include "common/primitive/cipher.h"

#include "common/base/memory.h"
#include "common/base/units.h"
#include "common/primitive/buffer.h"
#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/rand.h>
#include <stdlib.h>

#define RECORD_MAX    16384
#define RECORD_HEADER 5 /* TLS 1.3's additional data (RFC 8446 section 5.2) */

/* --- modes --- */

static const struct cipher_mode *find_in(const struct cipher_mode *modes, size_t count,
                                         const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    return NULL;
}

const struct cipher_mode *cipher_mode_find(const char *name)
{
    const struct cipher_mode *mode = find_in(cipher_mode_plain, cipher_mode_plain_count, name);

    if (!mode)
        mode = find_in(cipher_mode_aead, cipher_mode_aead_count, name);
    return mode ? mode : find_in(cipher_mode_whole, cipher_mode_whole_count, name);
}

/* --- what can be run --- */

static bool cipher_available(const struct primitive *row, struct error *err)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, row->fetched, NULL);

    EVP_CIPHER_free(cipher);
    return cipher || error_set(err, "not in this library");
}

/* Bytes of a block, for the modes that stream whole blocks. */
static size_t block_of(const struct primitive *row)
{
    return row->block ? row->block : 16;
}

static bool cipher_check(const struct primitive_case *what, struct error *err)
{
    const struct cipher_mode *mode = cipher_mode_find(what->primitive->detail);
    size_t block = block_of(what->primitive);
    char size[UNITS_TEXT];

    units_format_size(size, what->size);
    if (what->size == 0 || what->size > CIPHER_SIZE_MAX)
        return error_set(err, "size %s: 1 byte to 1g can be measured", size);
    if (what->size < mode->size_min || (mode->size_max > 0 && what->size > mode->size_max))
        return error_set(err, "size %s: %s", size, mode->bound);
    if (what->shape == SHAPE_RECORD && what->size > RECORD_MAX)
        return error_set(err,
                         "size %s: a TLS record holds 16k at most; the shape message takes "
                         "more",
                         size);
    if (what->shape == SHAPE_STREAM && mode->stream_blocks && what->size % block != 0)
        return error_set(err, "size %s: a stream of this mode takes whole blocks of %zu bytes",
                         size, block);
    return true;
}

/* --- set-up --- */

static bool start_contexts(struct cipher_state *s)
{
    s->seal_ctx = EVP_CIPHER_CTX_new();
    s->open_ctx = EVP_CIPHER_CTX_new();
    return s->seal_ctx && s->open_ctx && s->mode->start(s, s->seal_ctx, 1) &&
           s->mode->start(s, s->open_ctx, 0);
}

static void set_lengths(struct cipher_state *s, const struct primitive_case *what)
{
    s->iv_length = s->mode->iv_length;
    s->tag_length = s->mode->tag_length;
    if (s->iv_length == 0)
        s->iv_length = EVP_CIPHER_get_iv_length(s->cipher);
    s->aad_length = what->shape == SHAPE_RECORD ? RECORD_HEADER : 0;
    s->padding = what->size % (size_t)EVP_CIPHER_get_block_size(s->cipher) != 0;
    s->size = (int)what->size;
}

static primitive_run *run_of(const struct cipher_state *s, const struct primitive_case *what)
{
    bool seal = what->operation == OPERATION_ENCRYPT;

    switch (what->shape) {
    case SHAPE_STREAM:
        return seal ? cipher_seal_stream : cipher_open_stream;
    case SHAPE_ONESHOT:
        return seal ? cipher_seal_oneshot : cipher_open_oneshot;
    case SHAPE_MESSAGE:
    case SHAPE_RECORD:
        break;
    }
    return seal ? s->mode->seal_run : s->mode->open_run;
}

static bool cipher_set_up(struct primitive_task *task, struct error *err)
{
    struct cipher_state *s = memory_new(1, sizeof *s);
    const struct primitive *row = task->what.primitive;

    task->state = s;
    s->row = row;
    s->mode = cipher_mode_find(row->detail);
    s->cipher = EVP_CIPHER_fetch(NULL, row->fetched, NULL);
    if (!s->cipher)
        return reason_error(err, "%s", row->fetched);
    set_lengths(s, &task->what);
    s->text = buffer_new(task->what.size);
    s->sealed = buffer_new(task->what.size);
    if (!s->text || !s->sealed)
        return error_set(err, "no memory for messages of this size");
    buffer_fill(s->text, task->what.size);
    if (RAND_bytes(s->key, sizeof s->key) != 1 || RAND_bytes(s->iv, sizeof s->iv) != 1 ||
        RAND_bytes(s->aad, sizeof s->aad) != 1 || !start_contexts(s))
        return reason_error(err, "%s", row->fetched);
    task->run = run_of(s, &task->what);
    return true;
}

void cipher_release(void *state)
{
    struct cipher_state *s = state;

    if (!s)
        return;
    EVP_CIPHER_CTX_free(s->seal_ctx);
    EVP_CIPHER_CTX_free(s->open_ctx);
    EVP_CIPHER_free(s->cipher);
    free(s->text);
    free(s->sealed);
    OPENSSL_cleanse(s->key, sizeof s->key);
    free(s);
}

/* --- proofs --- */

/* The runs that are timed, so that their own calls are what is proved; streams change their text in
 * place, so that there the message is proved with the mode's own. */
static primitive_run *proved_run(const struct primitive_task *task, bool seal)
{
    const struct cipher_state *s = task->state;
    struct primitive_case what = task->what;

    if (what.shape == SHAPE_STREAM)
        what.shape = SHAPE_MESSAGE;
    what.operation = seal ? OPERATION_ENCRYPT : OPERATION_DECRYPT;
    return run_of(s, &what);
}

static bool round_trip(struct primitive_task *task, struct error *err)
{
    struct cipher_state *s = task->state;
    size_t size = (size_t)s->size;

    /* Twice: a context that was used before must be right too. */
    for (int i = 0; i < 2; i++) {
        if (proved_run(task, true)(s, 1) != 1)
            return reason_error(err, "encryption fails");
        if (size >= 8 && memcmp(s->sealed, s->text, size) == 0)
            return error_set(err, "encryption leaves the text as it is");
        memset(s->text, 0, size);
        if (proved_run(task, false)(s, 1) != 1)
            return reason_error(err, "decryption fails");
        if (!buffer_is_filled(s->text, size))
            return error_set(err, "decryption does not give the text back");
    }
    primitive_note(task, "round trip");
    return true;
}

/* One bit of the byte flipped: the message must be refused. */
static bool is_refused(struct primitive_task *task, unsigned char *byte)
{
    *byte ^= 0x10;
    bool refused = proved_run(task, false)(task->state, 1) == 0;
    *byte ^= 0x10;
    ERR_clear_error();
    return refused;
}

static bool forgery_refused(struct primitive_task *task, struct error *err)
{
    struct cipher_state *s = task->state;

    if (!cipher_is_aead(s))
        return true;
    if (!is_refused(task, &s->sealed[s->size / 2]) || !is_refused(task, &s->tag[0]) ||
        (s->aad_length > 0 && !is_refused(task, &s->aad[0])))
        return error_set(err, "a message with one bit flipped is accepted");
    if (proved_run(task, false)(s, 1) != 1 || !buffer_is_filled(s->text, (size_t)s->size))
        return reason_error(err, "decryption fails after a forgery");
    primitive_note(task, "flipped bit refused");
    return true;
}

/* A stream of two pieces in place, and back. */
static bool stream_agrees(struct primitive_task *task, struct error *err)
{
    struct cipher_state *s = task->state;
    size_t size = (size_t)s->size;

    if (task->what.shape != SHAPE_STREAM)
        return true;
    if (cipher_seal_stream(s, 1) != 1 ||
        buffer_is_filled(s->text, size > 8 ? size : 0) != (size <= 8))
        return reason_error(err, "encryption of a stream fails");
    if (cipher_open_stream(s, 1) != 1 || !buffer_is_filled(s->text, size))
        return reason_error(err, "decryption of a stream does not give the text back");
    return true;
}

static bool cipher_verify(struct primitive_task *task, struct error *err)
{
    struct cipher_state *s = task->state;
    const char *source = NULL;
    char note[64];

    if (!round_trip(task, err) || !forgery_refused(task, err) || !stream_agrees(task, err) ||
        !cipher_vector_check(s->row, s->cipher, &source, err))
        return false;
    if (source) {
        (void)snprintf(note, sizeof note, "%s vector", source);
        primitive_note(task, note);
    }
    return true;
}

/* --- classes --- */

#define CIPHER                                                                                     \
    .family = FAMILY_CIPHER, .backend = "evp", .sized = true,                                      \
    .operations = PRIMITIVE_BIT(OPERATION_ENCRYPT) | PRIMITIVE_BIT(OPERATION_DECRYPT),             \
    .available = cipher_available, .check = cipher_check, .set_up = cipher_set_up,                 \
    .verify = cipher_verify, .release = cipher_release
#define MESSAGES (PRIMITIVE_BIT(SHAPE_MESSAGE) | PRIMITIVE_BIT(SHAPE_ONESHOT))

const struct primitive_class cipher_plain_class = {
    CIPHER, .shapes = MESSAGES | PRIMITIVE_BIT(SHAPE_STREAM), .usual = SHAPE_MESSAGE};
const struct primitive_class cipher_aead_class = {
    CIPHER, .shapes = MESSAGES | PRIMITIVE_BIT(SHAPE_STREAM) | PRIMITIVE_BIT(SHAPE_RECORD),
    .usual = SHAPE_RECORD};
const struct primitive_class cipher_whole_class = {
    CIPHER, .shapes = MESSAGES | PRIMITIVE_BIT(SHAPE_RECORD), .usual = SHAPE_RECORD};
