/* AES-CBC with HMAC stitched together: TLS 1.2 records, MAC, padding and explicit IV included. The
 * library has these ciphers only where the CPU has the instructions for them. */
#include "common/base/memory.h"
#include "common/base/units.h"
#include "common/primitive/buffer.h"
#include "common/primitive/cipher.h"
#include "common/primitive/families.h"
#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_MAX 16384
#define IV_LENGTH  16
#define HEADER     13 /* sequence number, type, version, length: what the MAC covers */
#define MAC_KEY    32
#define TLS_1_2    0x0303

struct record_state {
    struct cipher_state common; /* the first member, so that cipher_release takes both; `size` is of
                                   the payload, `counter` the sequence number */
    unsigned char mac_key[MAC_KEY], seal_header[HEADER], open_header[HEADER];
    int length; /* of the whole record: explicit IV, payload, MAC, padding */
};

static bool record_available(const struct primitive *row, struct error *err)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, row->fetched, NULL);

    EVP_CIPHER_free(cipher);
    return cipher || error_set(err, "not in this library, which has it only on CPUs with AES "
                                    "instructions");
}

static bool record_check(const struct primitive_case *what, struct error *err)
{
    char size[UNITS_TEXT];

    if (what->size >= 1 && what->size <= RECORD_MAX)
        return true;
    return error_set(err, "size %s: a TLS record holds 1 byte to 16k",
                     units_format_size(size, what->size));
}

static void fill_header(unsigned char header[static HEADER])
{
    header[8] = 23; /* application data */
    header[9] = TLS_1_2 >> 8;
    header[10] = TLS_1_2 & 0xFF;
}

/* Gives the cipher a record's header; what it returns. It writes into the header, so that number
 * and length are set each time. */
static inline int give_header(EVP_CIPHER_CTX *ctx, unsigned char header[static HEADER],
                              uint64_t sequence, int length)
{
    memcpy(header, &sequence, sizeof sequence);
    header[11] = (unsigned char)(length >> 8);
    header[12] = (unsigned char)(length & 0xFF);
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_TLS1_AAD, HEADER, header);
}

static bool start(struct record_state *s, EVP_CIPHER_CTX *ctx, int encrypt)
{
    static const unsigned char no_iv[IV_LENGTH] = {0}; /* the explicit one begins the record */
    return EVP_CipherInit_ex2(ctx, s->common.cipher, s->common.key, no_iv, encrypt, NULL) == 1 &&
           EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_MAC_KEY, MAC_KEY, s->mac_key) == 1;
}

static inline bool seal(struct record_state *s)
{
    int written = 0;
    return give_header(s->common.seal_ctx, s->seal_header, ++s->common.counter,
                       IV_LENGTH + s->common.size) > 0 &&
           EVP_EncryptUpdate(s->common.seal_ctx, s->common.sealed, &written, s->common.text,
                             s->length) == 1;
}

/* The record that was sealed last, again and again; the update checks padding and MAC. */
static inline bool open_record(struct record_state *s)
{
    int written = 0;
    return give_header(s->common.open_ctx, s->open_header, s->common.counter, s->length) > 0 &&
           EVP_DecryptUpdate(s->common.open_ctx, s->common.text, &written, s->common.sealed,
                             s->length) == 1;
}

PRIMITIVE_RUN(seal_run, seal)
PRIMITIVE_RUN(open_run, open_record)

/* The MAC and the padding's length, which the cipher tells when it is given a header. */
static bool find_length(struct record_state *s)
{
    int more = give_header(s->common.seal_ctx, s->seal_header, s->common.counter,
                           IV_LENGTH + s->common.size);

    s->length = IV_LENGTH + s->common.size + more;
    return more > 0;
}

static bool record_set_up(struct primitive_task *task, struct error *err)
{
    struct record_state *s = memory_new(1, sizeof *s);
    const char *name = task->what.primitive->fetched;

    task->state = s;
    s->common.size = (int)task->what.size;
    s->common.cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    s->common.seal_ctx = EVP_CIPHER_CTX_new();
    s->common.open_ctx = EVP_CIPHER_CTX_new();
    s->common.text = buffer_new(task->what.size + IV_LENGTH);
    s->common.sealed = buffer_new(task->what.size + IV_LENGTH);
    if (!s->common.cipher || !s->common.seal_ctx || !s->common.open_ctx || !s->common.text ||
        !s->common.sealed)
        return reason_error(err, "%s", name);
    buffer_fill(s->common.text + IV_LENGTH, task->what.size);
    fill_header(s->seal_header);
    fill_header(s->open_header);
    if (RAND_bytes(s->common.key, sizeof s->common.key) != 1 ||
        RAND_bytes(s->mac_key, MAC_KEY) != 1 || !start(s, s->common.seal_ctx, 1) ||
        !start(s, s->common.open_ctx, 0) || !find_length(s))
        return reason_error(err, "%s", name);
    task->run = task->what.operation == OPERATION_ENCRYPT ? seal_run : open_run;
    return true;
}

static bool opens_right(struct record_state *s)
{
    return open_run(s, 1) == 1 &&
           buffer_is_filled(s->common.text + IV_LENGTH, (size_t)s->common.size);
}

/* The sealed record into `plain` by AES-CBC alone. */
static bool decrypt_cbc(const struct record_state *s, const char *name, unsigned char *plain)
{
    static const unsigned char no_iv[IV_LENGTH] = {0};
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int part = 0;
    bool ok = cipher && ctx && EVP_DecryptInit_ex2(ctx, cipher, s->common.key, no_iv, NULL) == 1 &&
              EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 &&
              EVP_DecryptUpdate(ctx, plain, &part, s->common.sealed, s->length) == 1 &&
              part == s->length;

    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(cipher);
    return ok;
}

/* Behind the explicit IV: the payload, its MAC by HMAC alone, and the padding (RFC 5246 section
 * 6.2.3.2). The header that the MAC covers is put in front of the payload. */
static bool has_mac_and_padding(const struct record_state *s, const char *digest,
                                unsigned char *plain)
{
    size_t size = (size_t)s->common.size, mac_length = 0;
    unsigned char *payload = plain + IV_LENGTH, *header = payload - HEADER;
    unsigned char mac[EVP_MAX_MD_SIZE], padding;

    memcpy(header, &s->common.counter, sizeof s->common.counter);
    fill_header(header);
    header[11] = (unsigned char)(size >> 8);
    header[12] = (unsigned char)(size & 0xFF);
    if (!buffer_is_filled(payload, size) ||
        !EVP_Q_mac(NULL, "HMAC", NULL, digest, NULL, s->mac_key, MAC_KEY, header, HEADER + size,
                   mac, sizeof mac, &mac_length) ||
        memcmp(payload + size, mac, mac_length) != 0)
        return false;
    padding = (unsigned char)((size_t)s->length - IV_LENGTH - size - mac_length - 1);
    for (const unsigned char *byte = payload + size + mac_length; byte < plain + s->length; byte++)
        if (*byte != padding)
            return false;
    return true;
}

/* "AES-128-CBC-HMAC-SHA1" gives the record that its two parts give. */
static bool opens_by_parts(const struct record_state *s, const char *name)
{
    char cipher[sizeof "AES-128-CBC"];
    unsigned char *plain = buffer_new((size_t)s->length);

    (void)snprintf(cipher, sizeof cipher, "%s", name);
    bool ok = plain && decrypt_cbc(s, cipher, plain) &&
              has_mac_and_padding(s, strrchr(name, '-') + 1, plain);
    free(plain);
    return ok;
}

static bool record_verify(struct primitive_task *task, struct error *err)
{
    struct record_state *s = task->state;

    for (int i = 0; i < 2; i++) {
        if (seal_run(s, 1) != 1)
            return reason_error(err, "encryption fails");
        if (s->common.size >= 8 &&
            memcmp(s->common.sealed + IV_LENGTH, s->common.text + IV_LENGTH, 8) == 0)
            return error_set(err, "encryption leaves the text as it is");
        memset(s->common.text + IV_LENGTH, 0, (size_t)s->common.size);
        if (!opens_right(s))
            return reason_error(err, "decryption does not give the text back");
    }
    if (!opens_by_parts(s, task->what.primitive->fetched))
        return reason_error(err, "the record is not that of AES-CBC and HMAC apart");
    s->common.sealed[s->length / 2] ^= 0x10;
    bool refused = open_run(s, 1) == 0;
    s->common.sealed[s->length / 2] ^= 0x10;
    ERR_clear_error();
    if (!refused)
        return error_set(err, "a record with one bit flipped is accepted");
    if (!opens_right(s)) /* also puts back what the forgery left */
        return reason_error(err, "decryption fails after a forgery");
    primitive_note(task, "round trip, flipped bit refused, same as AES-CBC and HMAC apart");
    return true;
}

static const struct primitive_class record_class = {
    .family = FAMILY_CIPHER,
    .operations = PRIMITIVE_BIT(OPERATION_ENCRYPT) | PRIMITIVE_BIT(OPERATION_DECRYPT),
    .shapes = PRIMITIVE_BIT(SHAPE_RECORD),
    .usual = SHAPE_RECORD,
    .sized = true,
    .backend = "evp",
    .available = record_available,
    .check = record_check,
    .set_up = record_set_up,
    .verify = record_verify,
    .release = cipher_release,
};

#define ROW(row_name, openssl)                                                                     \
    {                                                                                              \
        .name = (row_name), .class = &record_class, .fetched = (openssl), .in_default = true       \
    }

static const struct primitive rows[] = {
    ROW("aes-128-cbc-hmac-sha1", "AES-128-CBC-HMAC-SHA1"),
    ROW("aes-256-cbc-hmac-sha1", "AES-256-CBC-HMAC-SHA1"),
    ROW("aes-128-cbc-hmac-sha256", "AES-128-CBC-HMAC-SHA256"),
    ROW("aes-256-cbc-hmac-sha256", "AES-256-CBC-HMAC-SHA256"),
};

const struct primitive_table cipher_tls_primitives = {rows, sizeof rows / sizeof rows[0]};
