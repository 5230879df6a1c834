/* The same ciphers by libmcrypt, which older PHP used: always by hand in place, never padded, and
 * with its own modules. Its results are compared with EVP's byte for byte. */
#include "common/primitive/families.h"

#if SUITEMARK_MCRYPT

#include "common/base/memory.h"
#include "common/base/units.h"
#include "common/primitive/buffer.h"
#include "common/tls/reason.h"

#include <mcrypt.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MAX      32
#define IV_MAX       16
#define ALGORITHM    24
#define MCRYPT_LIMIT ((size_t)1 << 30)

struct mcrypt_state {
    const struct primitive *row;
    MCRYPT module; /* owned; keyed */
    char algorithm[ALGORITHM];
    const char *mode;
    unsigned char key[KEY_MAX], iv[IV_MAX];
    int key_length, iv_length;
    unsigned char *text, *sealed, *work; /* owned */
    int size, padded;
};

/* A row's detail is "algorithm mode". */
static void split_detail(struct mcrypt_state *s)
{
    const char *blank = strchr(s->row->detail, ' ');

    (void)snprintf(s->algorithm, sizeof s->algorithm, "%.*s", (int)(blank - s->row->detail),
                   s->row->detail);
    s->mode = blank + 1;
}

/* mcrypt takes names that it could write to. */
static MCRYPT open_module(const struct mcrypt_state *s)
{
    MCRYPT module =
        mcrypt_module_open((char *)(uintptr_t)s->algorithm, NULL, (char *)(uintptr_t)s->mode, NULL);

    return module == MCRYPT_FAILED ? NULL : module;
}

static bool start(struct mcrypt_state *s, MCRYPT module)
{
    return module &&
           mcrypt_generic_init(module, s->key, s->key_length, s->iv_length > 0 ? s->iv : NULL) >= 0;
}

static void end_module(MCRYPT module)
{
    if (!module)
        return;
    (void)mcrypt_generic_deinit(module);
    (void)mcrypt_module_close(module);
}

/* A new message without a new key schedule: only the IV is set, where the mode has one. */
static inline bool begin_again(struct mcrypt_state *s)
{
    return s->iv_length == 0 || mcrypt_enc_set_state(s->module, s->iv, s->iv_length) == 0;
}

static inline bool seal_with(struct mcrypt_state *s, MCRYPT module)
{
    memcpy(s->sealed, s->text, (size_t)s->padded);
    return mcrypt_generic(module, s->sealed, s->padded) == 0;
}

static inline bool open_with(struct mcrypt_state *s, MCRYPT module)
{
    memcpy(s->work, s->sealed, (size_t)s->padded);
    return mdecrypt_generic(module, s->work, s->padded) == 0;
}

static inline bool seal_message(struct mcrypt_state *s)
{
    return begin_again(s) && seal_with(s, s->module);
}

static inline bool open_message(struct mcrypt_state *s)
{
    return begin_again(s) && open_with(s, s->module);
}

static inline bool seal_oneshot(struct mcrypt_state *s)
{
    MCRYPT module = open_module(s);
    bool ok = start(s, module) && seal_with(s, module);
    end_module(module);
    return ok;
}

static inline bool open_oneshot(struct mcrypt_state *s)
{
    MCRYPT module = open_module(s);
    bool ok = start(s, module) && open_with(s, module);
    end_module(module);
    return ok;
}

static inline bool seal_more(struct mcrypt_state *s)
{
    return mcrypt_generic(s->module, s->work, s->padded) == 0;
}

static inline bool open_more(struct mcrypt_state *s)
{
    return mdecrypt_generic(s->module, s->work, s->padded) == 0;
}

PRIMITIVE_RUN(seal_message_run, seal_message)
PRIMITIVE_RUN(open_message_run, open_message)
PRIMITIVE_RUN(seal_oneshot_run, seal_oneshot)
PRIMITIVE_RUN(open_oneshot_run, open_oneshot)
PRIMITIVE_RUN(seal_stream_run, seal_more)
PRIMITIVE_RUN(open_stream_run, open_more)

/* --- a task --- */

static bool mcrypt_available(const struct primitive *row, struct error *err)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, row->fetched, NULL);

    EVP_CIPHER_free(cipher);
    return cipher || error_set(err, "not in OpenSSL, which mcrypt's results are compared with");
}

static bool mcrypt_check(const struct primitive_case *what, struct error *err)
{
    char size[UNITS_TEXT];
    size_t block = what->primitive->block ? what->primitive->block : 16;
    bool streams = strstr(what->primitive->detail, "stream") != NULL;

    units_format_size(size, what->size);
    if (what->size == 0 || what->size > MCRYPT_LIMIT)
        return error_set(err, "size %s: 1 byte to 1g can be measured", size);
    if (what->shape == SHAPE_STREAM && !streams && what->size % block != 0)
        return error_set(err, "size %s: a stream of this mode takes whole blocks of %zu bytes",
                         size, block);
    if (what->shape == SHAPE_MESSAGE && streams)
        return error_set(err, "mcrypt cannot begin a new message of it without a new key: take the "
                              "shape stream or oneshot");
    return true;
}

/* As EVP pads: every byte of the padding says how many there are. */
static void pad(struct mcrypt_state *s, int block)
{
    int more = s->size % block != 0 ? block - s->size % block : 0;

    s->padded = s->size + more;
    memset(s->text + s->size, more, (size_t)more);
}

static primitive_run *run_of(const struct primitive_case *what)
{
    bool seal = what->operation == OPERATION_ENCRYPT;

    if (what->shape == SHAPE_STREAM)
        return seal ? seal_stream_run : open_stream_run;
    if (what->shape == SHAPE_ONESHOT)
        return seal ? seal_oneshot_run : open_oneshot_run;
    return seal ? seal_message_run : open_message_run;
}

static bool mcrypt_set_up(struct primitive_task *task, struct error *err)
{
    struct mcrypt_state *s = memory_new(1, sizeof *s);
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, task->what.primitive->fetched, NULL);

    task->state = s;
    s->row = task->what.primitive;
    split_detail(s);
    s->size = (int)task->what.size;
    s->key_length = EVP_CIPHER_get_key_length(cipher);
    s->iv_length = EVP_CIPHER_get_iv_length(cipher);
    int block = EVP_CIPHER_get_block_size(cipher);
    EVP_CIPHER_free(cipher);
    s->text = buffer_new(task->what.size);
    s->sealed = buffer_new(task->what.size);
    s->work = buffer_new(task->what.size);
    if (!s->text || !s->sealed || !s->work)
        return error_set(err, "no memory for messages of this size");
    buffer_fill(s->text, task->what.size);
    pad(s, block);
    if (RAND_bytes(s->key, sizeof s->key) != 1 || RAND_bytes(s->iv, sizeof s->iv) != 1)
        return reason_error(err, "random bytes");
    s->module = open_module(s);
    if (!start(s, s->module))
        return error_set(err, "mcrypt cannot start %s", s->row->detail);
    task->run = run_of(&task->what);
    return true;
}

static void mcrypt_release(void *state)
{
    struct mcrypt_state *s = state;

    if (!s)
        return;
    end_module(s->module);
    free(s->text);
    free(s->sealed);
    free(s->work);
    free(s);
}

/* --- proof --- */

/* The message as EVP encrypts it, padding included, into `work`. */
static bool seal_by_evp(struct mcrypt_state *s)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, s->row->fetched, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int part = 0, rest = 0;
    bool ok =
        cipher && ctx &&
        EVP_EncryptInit_ex2(ctx, cipher, s->key, s->iv_length > 0 ? s->iv : NULL, NULL) == 1 &&
        EVP_CIPHER_CTX_set_padding(ctx, s->padded != s->size) == 1 &&
        EVP_EncryptUpdate(ctx, s->work, &part, s->text, s->size) == 1 &&
        EVP_EncryptFinal_ex(ctx, s->work + part, &rest) == 1 && part + rest == s->padded;

    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(cipher);
    return ok;
}

/* A stream goes on from where its module is, which at first is the start of a message. Behind the
 * proof of whole messages, whose sealed bytes it has to give. */
static bool stream_agrees(struct primitive_task *task)
{
    struct mcrypt_state *s = task->state;
    bool seal = task->what.operation == OPERATION_ENCRYPT;
    const unsigned char *from = seal ? s->text : s->sealed, *wanted = seal ? s->sealed : s->text;

    if (task->what.shape != SHAPE_STREAM)
        return true;
    memcpy(s->work, from, (size_t)s->padded);
    return task->run(s, 1) == 1 && memcmp(s->work, wanted, (size_t)s->padded) == 0;
}

static bool mcrypt_verify(struct primitive_task *task, struct error *err)
{
    struct mcrypt_state *s = task->state;
    bool messages = task->what.shape == SHAPE_MESSAGE;

    /* A message's own run is proved twice in a row, so that it begins each anew. */
    for (int i = 0; i < 2; i++) {
        if ((messages ? seal_message_run : seal_oneshot_run)(s, 1) != 1)
            return error_set(err, "mcrypt fails");
        if (!seal_by_evp(s))
            return reason_error(err, "EVP fails");
        if (memcmp(s->work, s->sealed, (size_t)s->padded) != 0)
            return error_set(err, "mcrypt's result is not EVP's");
        if ((messages ? open_message_run : open_oneshot_run)(s, 1) != 1 ||
            memcmp(s->work, s->text, (size_t)s->padded) != 0)
            return error_set(err, "decryption does not give the text back");
    }
    if (!stream_agrees(task))
        return error_set(err, "mcrypt's stream is not EVP's");
    primitive_note(task, "round trip, same bytes as EVP");
    return true;
}

static const struct primitive_class mcrypt_class = {
    .family = FAMILY_CIPHER,
    .operations = PRIMITIVE_BIT(OPERATION_ENCRYPT) | PRIMITIVE_BIT(OPERATION_DECRYPT),
    .shapes =
        PRIMITIVE_BIT(SHAPE_STREAM) | PRIMITIVE_BIT(SHAPE_MESSAGE) | PRIMITIVE_BIT(SHAPE_ONESHOT),
    .usual = SHAPE_MESSAGE,
    .sized = true,
    .backend = "mcrypt",
    .available = mcrypt_available,
    .check = mcrypt_check,
    .set_up = mcrypt_set_up,
    .verify = mcrypt_verify,
    .release = mcrypt_release,
};

#define ROW(row_name, openssl, algorithm_mode)                                                     \
    .name = (row_name), .class = &mcrypt_class, .fetched = (openssl), .detail = (algorithm_mode)
#define SMALL_BLOCK .block = 8

static const struct primitive rows[] = {
    {ROW("aes-128-ecb", "AES-128-ECB", "rijndael-128 ecb"), .in_default = true},
    {ROW("aes-192-ecb", "AES-192-ECB", "rijndael-128 ecb")},
    {ROW("aes-256-ecb", "AES-256-ECB", "rijndael-128 ecb")},
    {ROW("aes-128-cbc", "AES-128-CBC", "rijndael-128 cbc"), .in_default = true},
    {ROW("aes-192-cbc", "AES-192-CBC", "rijndael-128 cbc")},
    {ROW("aes-256-cbc", "AES-256-CBC", "rijndael-128 cbc"), .in_default = true},
    {ROW("3des-ecb", "DES-EDE3-ECB", "tripledes ecb"), SMALL_BLOCK},
    {ROW("3des-cbc", "DES-EDE3-CBC", "tripledes cbc"), SMALL_BLOCK, .in_default = true},
    {ROW("des-ecb", "DES-ECB", "des ecb"), SMALL_BLOCK, .legacy = true},
    {ROW("des-cbc", "DES-CBC", "des cbc"), SMALL_BLOCK, .legacy = true},
    {ROW("blowfish-cbc", "BF-CBC", "blowfish cbc"), SMALL_BLOCK, .legacy = true},
    {ROW("cast5-cbc", "CAST5-CBC", "cast-128 cbc"), SMALL_BLOCK, .legacy = true},
    {ROW("rc4", "RC4", "arcfour stream"), .legacy = true},
};

const struct primitive_table mcrypt_primitives = {rows, sizeof rows / sizeof rows[0]};

#else

const struct primitive_table mcrypt_primitives = {NULL, 0};

#endif
