#include "common/base/memory.h"
#include "common/base/units.h"
#include "common/primitive/buffer.h"
#include "common/primitive/families.h"
#include "common/tls/reason.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

#define MAC_SIZE_MAX ((size_t)1 << 30)
#define KEY_MAX      32
#define IV_LENGTH    12

struct mac_state {
    const struct primitive *row;
    EVP_MAC *mac;
    EVP_MAC_CTX *ctx;
    unsigned char key[KEY_MAX], iv[IV_LENGTH], out[EVP_MAX_MD_SIZE];
    size_t key_length, length;
    unsigned char *text; /* owned */
    size_t size;
    bool new_key, new_iv; /* what the MAC wants anew for each message */
    OSSL_PARAM what[2];   /* its digest or cipher */
    OSSL_PARAM nonce[2];  /* points at iv */
    uint64_t counter;
};

/* clang-format off */
static const struct mac_vector {
    const char *row, *source, *key, *iv, *text, *mac;
} vectors[] = {
    {"hmac-md5", "RFC 2202", "4a656665", "", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
     "750c783e6ab0b503eaa86e310a5db738"},
    {"hmac-sha1", "RFC 2202", "4a656665", "", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
     "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
    {"hmac-sha256", "RFC 4231", "4a656665", "", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
    {"hmac-sha384", "RFC 4231", "4a656665", "", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
     "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"},
    {"hmac-sha512", "RFC 4231", "4a656665", "", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
     "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd"
     "caeab1a34d4a6b4b636e070a38bce737"},
    /* The tags of empty messages: the GCM specification's test cases 1 and 13. */
    {"gmac-aes-128", "GCM", "00000000000000000000000000000000", "000000000000000000000000", "",
     "58e2fccefa7e3061367f1d57a4e7455a"},
    {"gmac-aes-256", "GCM", "0000000000000000000000000000000000000000000000000000000000000000",
     "000000000000000000000000", "", "530f8afbc74536b9a963b4f1c4cb738b"},
    {"cmac-aes-128", "RFC 4493", "2b7e151628aed2a6abf7158809cf4f3c", "", "6bc1bee22e409f96e93d7e117393172a",
     "070a16b46b4d4144f79bdd9dd04a287c"},
    {"cmac-aes-256", "SP 800-38B", "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "",
     "6bc1bee22e409f96e93d7e117393172a", "28a7023f452e8f82bd4bf28d8c37c35c"},
    {"poly1305", "RFC 8439", "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b", "",
     "43727970746f6772617068696320466f72756d2052657365617263682047726f7570",
     "a8061dc1305136c6c22b8baf0c0127a9"},
};
/* clang-format on */

static EVP_MAC *fetch(const struct primitive *row)
{
    return EVP_MAC_fetch(NULL, row->fetched, NULL);
}

static bool mac_available(const struct primitive *row, struct error *err)
{
    EVP_MAC *mac = fetch(row);

    EVP_MAC_free(mac);
    return mac || error_set(err, "not in this library");
}

static bool mac_check(const struct primitive_case *what, struct error *err)
{
    char size[UNITS_TEXT];

    return (what->size >= 1 && what->size <= MAC_SIZE_MAX) ||
           error_set(err, "size %s: 1 byte to 1g can be measured",
                     units_format_size(size, what->size));
}

/* --- a message --- */

static bool start(struct mac_state *s, EVP_MAC_CTX *ctx)
{
    if (s->row->detail && EVP_MAC_CTX_set_params(ctx, s->what) != 1)
        return false;
    return EVP_MAC_init(ctx, s->key, s->key_length, s->new_iv ? s->nonce : NULL) == 1;
}

static inline bool rest_of_message(struct mac_state *s, EVP_MAC_CTX *ctx)
{
    return EVP_MAC_update(ctx, s->text, s->size) == 1 &&
           EVP_MAC_final(ctx, s->out, &s->length, sizeof s->out) == 1;
}

/* GMAC wants a new IV for each message, Poly1305 a new key; others keep theirs. */
static inline bool begin_again(struct mac_state *s)
{
    if (s->new_key)
        return EVP_MAC_init(s->ctx, s->key, s->key_length, NULL) == 1;
    return EVP_MAC_init(s->ctx, NULL, 0, s->new_iv ? s->nonce : NULL) == 1;
}

static inline void count_message(struct mac_state *s)
{
    s->counter++;
    if (s->new_key)
        memcpy(s->key, &s->counter, sizeof s->counter);
    else if (s->new_iv)
        memcpy(s->iv, &s->counter, sizeof s->counter);
}

static inline bool message(struct mac_state *s)
{
    count_message(s);
    return begin_again(s) && rest_of_message(s, s->ctx);
}

static inline bool oneshot(struct mac_state *s)
{
    count_message(s);
    EVP_MAC *mac = fetch(s->row);
    EVP_MAC_CTX *ctx = mac ? EVP_MAC_CTX_new(mac) : NULL;
    bool ok = ctx && start(s, ctx) && rest_of_message(s, ctx);
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
    return ok;
}

static inline bool more(struct mac_state *s)
{
    return EVP_MAC_update(s->ctx, s->text, s->size) == 1;
}

PRIMITIVE_RUN(message_run, message)
PRIMITIVE_RUN(oneshot_run, oneshot)
PRIMITIVE_RUN(more_run, more)

static uint64_t stream_run(void *state, uint64_t count)
{
    struct mac_state *s = state;

    return begin_again(s) ? more_run(s, count) : 0;
}

/* --- a task --- */

static void describe(struct mac_state *s)
{
    const char *mac = s->row->fetched, *detail = s->row->detail;
    bool hmac = strcmp(mac, "HMAC") == 0;

    s->new_key = strcmp(mac, "POLY1305") == 0;
    s->new_iv = strcmp(mac, "GMAC") == 0;
    s->key_length = detail && strstr(detail, "128") && !hmac ? 16 : KEY_MAX;
    s->what[0] = s->what[1] = s->nonce[1] = OSSL_PARAM_construct_end();
    if (detail) /* OpenSSL reads the name only, but takes no const */
        s->what[0] = OSSL_PARAM_construct_utf8_string(
            hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER, (char *)(uintptr_t)detail, 0);
    s->nonce[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, s->iv, sizeof s->iv);
}

static bool mac_set_up(struct primitive_task *task, struct error *err)
{
    static primitive_run *const runs[SHAPE_COUNT] = {
        [SHAPE_STREAM] = stream_run, [SHAPE_MESSAGE] = message_run, [SHAPE_ONESHOT] = oneshot_run};
    struct mac_state *s = memory_new(1, sizeof *s);

    task->state = s;
    s->row = task->what.primitive;
    s->size = task->what.size;
    describe(s);
    s->mac = fetch(s->row);
    s->ctx = s->mac ? EVP_MAC_CTX_new(s->mac) : NULL;
    s->text = buffer_new(s->size);
    if (!s->ctx || !s->text || RAND_bytes(s->key, sizeof s->key) != 1 || !start(s, s->ctx))
        return reason_error(err, "%s", s->row->name);
    buffer_fill(s->text, s->size);
    task->run = runs[task->what.shape];
    return true;
}

static void mac_release(void *state)
{
    struct mac_state *s = state;

    if (!s)
        return;
    EVP_MAC_CTX_free(s->ctx);
    EVP_MAC_free(s->mac);
    free(s->text);
    free(s);
}

/* --- proofs --- */

static bool computes_vector(const struct mac_state *like, const struct mac_vector *vector)
{
    unsigned char text[64], wanted[EVP_MAX_MD_SIZE];
    size_t length = buffer_from_hex(vector->mac, wanted, sizeof wanted);
    struct mac_state s = {.row = like->row, .mac = like->mac, .text = text};

    describe(&s);
    s.key_length = buffer_from_hex(vector->key, s.key, sizeof s.key);
    buffer_from_hex(vector->iv, s.iv, sizeof s.iv);
    s.size = buffer_from_hex(vector->text, text, sizeof text);
    s.ctx = EVP_MAC_CTX_new(s.mac);
    bool right = s.ctx && start(&s, s.ctx) && rest_of_message(&s, s.ctx) && s.length == length &&
                 memcmp(s.out, wanted, length) == 0;
    EVP_MAC_CTX_free(s.ctx);
    return right;
}

static bool vector_agrees(struct primitive_task *task, struct error *err)
{
    const struct mac_state *s = task->state;

    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        char note[64];
        if (strcmp(vectors[i].row, s->row->name) != 0)
            continue;
        if (!computes_vector(s, &vectors[i]))
            return reason_error(err, "the result is not that of %s", vectors[i].source);
        (void)snprintf(note, sizeof note, "%s vector", vectors[i].source);
        primitive_note(task, note);
    }
    return true;
}

/* With the key and IV of the message before: what a receiver computes. */
static bool compute_again(struct mac_state *s)
{
    s->counter--;
    return message_run(s, 1) == 1;
}

static bool mac_verify(struct primitive_task *task, struct error *err)
{
    struct mac_state *s = task->state;
    primitive_run *run = task->what.shape == SHAPE_STREAM ? message_run : task->run;
    unsigned char first[EVP_MAX_MD_SIZE];

    if (run(s, 1) != 1 || task->run(s, 1) != 1 || run(s, 1) != 1)
        return reason_error(err, "the MAC fails");
    memcpy(first, s->out, s->length);
    if (!compute_again(s) || memcmp(first, s->out, s->length) != 0)
        return error_set(err, "the same message gives two MACs");
    s->text[s->size / 2] ^= 0x10;
    bool changed = compute_again(s) && memcmp(first, s->out, s->length) != 0;
    s->text[s->size / 2] ^= 0x10;
    if (!changed)
        return error_set(err, "a changed message gives the same MAC");
    primitive_note(task, "changed message refused");
    return vector_agrees(task, err);
}

static const struct primitive_class mac_class = {
    .family = FAMILY_MAC,
    .operations = PRIMITIVE_BIT(OPERATION_MAC),
    .shapes =
        PRIMITIVE_BIT(SHAPE_STREAM) | PRIMITIVE_BIT(SHAPE_MESSAGE) | PRIMITIVE_BIT(SHAPE_ONESHOT),
    .usual = SHAPE_MESSAGE,
    .sized = true,
    .backend = "evp",
    .available = mac_available,
    .check = mac_check,
    .set_up = mac_set_up,
    .verify = mac_verify,
    .release = mac_release,
};

#define ROW(row_name, openssl, digest_or_cipher)                                                   \
    .name = (row_name), .class = &mac_class, .fetched = (openssl), .detail = (digest_or_cipher)

static const struct primitive rows[] = {
    {ROW("hmac-md5", "HMAC", "MD5")},
    {ROW("hmac-sha1", "HMAC", "SHA1")},
    {ROW("hmac-sha256", "HMAC", "SHA2-256"), .in_default = true},
    {ROW("hmac-sha384", "HMAC", "SHA2-384")},
    {ROW("hmac-sha512", "HMAC", "SHA2-512")},
    {ROW("gmac-aes-128", "GMAC", "AES-128-GCM"), .in_default = true},
    {ROW("gmac-aes-256", "GMAC", "AES-256-GCM")},
    {ROW("cmac-aes-128", "CMAC", "AES-128-CBC"), .in_default = true},
    {ROW("cmac-aes-256", "CMAC", "AES-256-CBC")},
    {ROW("poly1305", "POLY1305", NULL), .in_default = true},
};

const struct primitive_table mac_primitives = {rows, sizeof rows / sizeof rows[0]};
