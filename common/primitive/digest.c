#include "common/base/memory.h"
#include "common/base/units.h"
#include "common/primitive/buffer.h"
#include "common/primitive/families.h"
#include "common/tls/reason.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_DIGEST ((size_t)1 << 30)

struct digest_state {
    const struct primitive *row;
    EVP_MD *digest;
    EVP_MD_CTX *ctx;
    unsigned char *text; /* owned */
    size_t size;
    unsigned char out[EVP_MAX_MD_SIZE];
    unsigned length;
};

/* The digest of "abc", which every standard gives. */
struct digest_vector {
    const char *row, *source, *abc;
};

/* clang-format off */
static const struct digest_vector vectors[] = {
    {"md5", "RFC 1321", "900150983cd24fb0d6963f7d28e17f72"},
    {"sha1", "FIPS 180-4", "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"sha224", "FIPS 180-4", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
    {"sha256", "FIPS 180-4", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"sha384", "FIPS 180-4", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                             "8086072ba1e7cc2358baeca134c825a7"},
    {"sha512", "FIPS 180-4", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                             "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
    {"sha512-256", "FIPS 180-4", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"},
    {"sha3-224", "FIPS 202", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"},
    {"sha3-256", "FIPS 202", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
    {"sha3-384", "FIPS 202", "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2"
                             "98d88cea927ac7f539f1edf228376d25"},
    {"sha3-512", "FIPS 202", "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
                             "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"},
    {"blake2s256", "RFC 7693", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"},
    {"blake2b512", "RFC 7693", "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                               "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"},
};
/* clang-format on */

static bool digest_available(const struct primitive *row, struct error *err)
{
    EVP_MD *digest = EVP_MD_fetch(NULL, row->fetched, NULL);

    EVP_MD_free(digest);
    return digest || error_set(err, "not in this library");
}

static bool digest_check(const struct primitive_case *what, struct error *err)
{
    char size[UNITS_TEXT];

    return (what->size >= 1 && what->size <= SIZE_MAX_DIGEST) ||
           error_set(err, "size %s: 1 byte to 1g can be measured",
                     units_format_size(size, what->size));
}

static inline bool rest_of_message(struct digest_state *s, EVP_MD_CTX *ctx)
{
    return EVP_DigestUpdate(ctx, s->text, s->size) == 1 &&
           EVP_DigestFinal_ex(ctx, s->out, &s->length) == 1;
}

static inline bool message(struct digest_state *s)
{
    return EVP_DigestInit_ex2(s->ctx, s->digest, NULL) == 1 && rest_of_message(s, s->ctx);
}

static inline bool oneshot(struct digest_state *s)
{
    EVP_MD *digest = EVP_MD_fetch(NULL, s->row->fetched, NULL);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool ok =
        digest && ctx && EVP_DigestInit_ex2(ctx, digest, NULL) == 1 && rest_of_message(s, ctx);
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(digest);
    return ok;
}

static inline bool more(struct digest_state *s)
{
    return EVP_DigestUpdate(s->ctx, s->text, s->size) == 1;
}

PRIMITIVE_RUN(message_run, message)
PRIMITIVE_RUN(oneshot_run, oneshot)
PRIMITIVE_RUN(more_run, more)

static uint64_t stream_run(void *state, uint64_t count)
{
    struct digest_state *s = state;

    return EVP_DigestInit_ex2(s->ctx, s->digest, NULL) == 1 ? more_run(s, count) : 0;
}

static bool digest_set_up(struct primitive_task *task, struct error *err)
{
    static primitive_run *const runs[SHAPE_COUNT] = {
        [SHAPE_STREAM] = stream_run, [SHAPE_MESSAGE] = message_run, [SHAPE_ONESHOT] = oneshot_run};
    struct digest_state *s = memory_new(1, sizeof *s);

    task->state = s;
    s->row = task->what.primitive;
    s->size = task->what.size;
    s->digest = EVP_MD_fetch(NULL, s->row->fetched, NULL);
    s->ctx = EVP_MD_CTX_new();
    s->text = buffer_new(s->size);
    if (!s->digest || !s->ctx || !s->text)
        return reason_error(err, "%s", s->row->fetched);
    buffer_fill(s->text, s->size);
    task->run = runs[task->what.shape];
    return true;
}

static void digest_release(void *state)
{
    struct digest_state *s = state;

    if (!s)
        return;
    EVP_MD_CTX_free(s->ctx);
    EVP_MD_free(s->digest);
    free(s->text);
    free(s);
}

static bool vector_agrees(struct primitive_task *task, struct error *err)
{
    struct digest_state *s = task->state;

    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        unsigned char wanted[EVP_MAX_MD_SIZE];
        char note[64];
        if (strcmp(vectors[i].row, s->row->name) != 0)
            continue;
        size_t length = buffer_from_hex(vectors[i].abc, wanted, sizeof wanted);
        if (EVP_Digest("abc", 3, s->out, &s->length, s->digest, NULL) != 1 || s->length != length ||
            memcmp(s->out, wanted, length) != 0)
            return reason_error(err, "the result is not that of %s", vectors[i].source);
        (void)snprintf(note, sizeof note, "%s vector", vectors[i].source);
        primitive_note(task, note);
    }
    return true;
}

/* The same message gives the same digest, in every shape; another message another one. */
static bool digest_verify(struct primitive_task *task, struct error *err)
{
    struct digest_state *s = task->state;
    unsigned char first[EVP_MAX_MD_SIZE];
    bool streams = task->what.shape == SHAPE_STREAM;
    primitive_run *run = streams ? message_run : task->run;

    if (run(s, 1) != 1)
        return reason_error(err, "the digest fails");
    memcpy(first, s->out, s->length);
    memset(s->out, 0, sizeof s->out);
    if (streams && (stream_run(s, 1) != 1 || EVP_DigestFinal_ex(s->ctx, s->out, &s->length) != 1))
        return reason_error(err, "the digest of a stream fails");
    if (!streams && oneshot_run(s, 1) != 1)
        return reason_error(err, "the digest fails");
    if (memcmp(first, s->out, s->length) != 0)
        return error_set(err, "the same message gives two digests");
    s->text[s->size / 2] ^= 0x10;
    bool changed = run(s, 1) == 1 && memcmp(first, s->out, s->length) != 0;
    s->text[s->size / 2] ^= 0x10;
    if (!changed)
        return error_set(err, "a changed message gives the same digest");
    primitive_note(task, "changed message seen");
    return vector_agrees(task, err);
}

static const struct primitive_class digest_class = {
    .family = FAMILY_DIGEST,
    .operations = PRIMITIVE_BIT(OPERATION_DIGEST),
    .shapes =
        PRIMITIVE_BIT(SHAPE_STREAM) | PRIMITIVE_BIT(SHAPE_MESSAGE) | PRIMITIVE_BIT(SHAPE_ONESHOT),
    .usual = SHAPE_MESSAGE,
    .sized = true,
    .backend = "evp",
    .available = digest_available,
    .check = digest_check,
    .set_up = digest_set_up,
    .verify = digest_verify,
    .release = digest_release,
};

#define ROW(row_name, openssl) .name = (row_name), .class = &digest_class, .fetched = (openssl)

static const struct primitive rows[] = {
    {ROW("md5", "MD5"), .in_default = true},
    {ROW("sha1", "SHA1"), .in_default = true},
    {ROW("sha224", "SHA2-224")},
    {ROW("sha256", "SHA2-256"), .in_default = true},
    {ROW("sha384", "SHA2-384"), .in_default = true},
    {ROW("sha512", "SHA2-512"), .in_default = true},
    {ROW("sha512-256", "SHA2-512/256")},
    {ROW("sha3-224", "SHA3-224")},
    {ROW("sha3-256", "SHA3-256"), .in_default = true},
    {ROW("sha3-384", "SHA3-384")},
    {ROW("sha3-512", "SHA3-512"), .in_default = true},
    {ROW("blake2s256", "BLAKE2S-256"), .in_default = true},
    {ROW("blake2b512", "BLAKE2B-512"), .in_default = true},
};

const struct primitive_table digest_primitives = {rows, sizeof rows / sizeof rows[0]};
