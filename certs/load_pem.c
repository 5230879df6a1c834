#include "certs/load_pem.h"

#include "certs/load.h"
#include "common/base/file.h"
#include "common/tls/reason.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>

#define PEM_LIMIT  (1U << 20)
#define PASS_LIMIT (1U << 16)

/* A file's text, and a BIO over it. */
struct pem_file {
    char *text;
    size_t length;
    BIO *bio;
};

static void pem_close(struct pem_file *file)
{
    BIO_free(file->bio);
    OPENSSL_cleanse(file->text, file->length);
    free(file->text);
}

static bool pem_open(const char *path, struct pem_file *file, struct error *err)
{
    if (!file_read(path, PEM_LIMIT, &file->text, &file->length, err))
        return false;
    file->bio = BIO_new_mem_buf(file->text, (int)file->length);
    if (file->bio == NULL) {
        pem_close(file);
        return reason_error(err, "%s", path);
    }
    ERR_clear_error();
    return true;
}

/* What OpenSSL's callback needs, and whether it was asked. */
struct pass_phrase {
    const char *text; /* NULL: none */
    size_t length;
    bool asked;
};

static int give_pass_phrase(char *buffer, int size, int writing, void *context)
{
    (void)writing;
    struct pass_phrase *pass = context;
    pass->asked = true;
    if (pass->text == NULL || size < 0 || pass->length > (size_t)size)
        return -1;
    memcpy(buffer, pass->text, pass->length);
    return (int)pass->length;
}

/* The next line that is not empty, without its end; false: there is none. */
static bool next_pass_phrase(const char **rest, struct pass_phrase *pass)
{
    while (**rest != '\0') {
        const char *line = *rest;
        size_t length = strcspn(line, "\n");
        *rest += length + (line[length] == '\n');
        length -= length > 0 && line[length - 1] == '\r';
        if (length == 0)
            continue;
        pass->text = line;
        pass->length = length;
        return true;
    }
    return false;
}

/* With "BEGIN TRUSTED CERTIFICATE" too, as SSL_CTX_use_certificate_chain_file(3) has it. */
static bool read_certificates(BIO *bio, X509 **first, STACK_OF(X509) * others)
{
    struct pass_phrase none = {0};
    X509 *one;
    while ((one = PEM_read_bio_X509_AUX(bio, NULL, give_pass_phrase, &none)) != NULL) {
        if (*first == NULL)
            *first = one;
        else if (X509_add_cert(others, one, X509_ADD_FLAG_DEFAULT) != 1) {
            X509_free(one);
            return false;
        }
    }
    /* The end of the file is the one good reason to stop. */
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
        return false;
    ERR_clear_error();
    return true;
}

bool load_pem_certificates(const char *path, X509 **first, STACK_OF(X509) * *others,
                           struct error *err)
{
    struct pem_file file;
    if (!pem_open(path, &file, err))
        return false;
    *others = sk_X509_new_null();
    bool ok = *others != NULL && read_certificates(file.bio, first, *others);
    if (!ok)
        (void)reason_error(err, "%s: certificate %d cannot be read", path,
                           *first == NULL ? 1 : sk_X509_num(*others) + 2);
    else if (*first == NULL)
        ok = error_set(err, "%s holds no certificate in PEM", path);
    pem_close(&file);
    return ok;
}

static bool explain_key(const char *path, const char *pass_file, const struct pass_phrase *pass,
                        struct error *err)
{
    if (pass->asked && pass_file == NULL)
        return error_set(err, "%s: the key is encrypted and there is no file with its pass phrase",
                         path);
    if (pass->asked && pass->text == NULL)
        return error_set(err, "%s: the key is encrypted and %s holds no pass phrase", path,
                         pass_file);
    if (pass->asked)
        return reason_error(err, "%s: no pass phrase in %s opens the key", path, pass_file);
    return error_set(err, "%s holds no private key in PEM that OpenSSL can read", path);
}

bool load_key_is_locked(const char *key_file)
{
    struct pass_phrase none = {0};
    struct pem_file file;
    if (!pem_open(key_file, &file, NULL))
        return false;
    EVP_PKEY_free(PEM_read_bio_PrivateKey(file.bio, NULL, give_pass_phrase, &none));
    ERR_clear_error();
    pem_close(&file);
    return none.asked;
}

/* Each pass phrase in turn until one opens the key, which may need none. */
static EVP_PKEY *read_key(BIO *bio, const char *phrases, struct pass_phrase *pass)
{
    EVP_PKEY *key = NULL;
    bool more = true;
    while (key == NULL && more) {
        more = next_pass_phrase(&phrases, pass);
        if (pass->asked && !more)
            break;
        ERR_clear_error();
        (void)BIO_reset(bio);
        key = PEM_read_bio_PrivateKey(bio, NULL, give_pass_phrase, pass);
        more &= pass->asked;
    }
    return key;
}

bool load_pem_key(const char *path, const char *pass_file, EVP_PKEY **key, struct error *err)
{
    char *phrases = NULL;
    size_t length = 0;
    struct pem_file file;
    struct pass_phrase pass = {0};
    if (pass_file != NULL && !file_read(pass_file, PASS_LIMIT, &phrases, &length, err))
        return false;
    bool ok = pem_open(path, &file, err);
    if (ok) {
        *key = read_key(file.bio, phrases != NULL ? phrases : "", &pass);
        if (*key == NULL)
            ok = explain_key(path, pass_file, &pass, err);
        ERR_clear_error();
        pem_close(&file);
    }
    if (phrases != NULL)
        OPENSSL_cleanse(phrases, length);
    free(phrases);
    return ok;
}
