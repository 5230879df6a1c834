#include "common/tls/settings.h"

#include "common/base/file.h"
#include "common/tls/reason.h"

#include <openssl/core_dispatch.h>
#include <openssl/decoder.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdlib.h>

/* A whole bundle of authorities is some 200 KiB. */
#define FILE_LIMIT (4U << 20)

/* The file's text and a BIO over it; both are the caller's, the text last. */
static BIO *open_file(const char *path, char **text, struct error *err)
{
    size_t length;
    if (!file_read(path, FILE_LIMIT, text, &length, err))
        return NULL;
    BIO *bio = BIO_new_mem_buf(*text, (int)length);
    if (bio == NULL) {
        free(*text);
        (void)reason_error(err, "%s", path);
    }
    ERR_clear_error();
    return bio;
}

/* A decoder without a pass phrase fails on an encrypted key, where PEM_read_bio_Parameters would
 * ask the terminal. */
static EVP_PKEY *decode_params(BIO *bio)
{
    EVP_PKEY *params = NULL;
    OSSL_DECODER_CTX *decoder = OSSL_DECODER_CTX_new_for_pkey(
        &params, "PEM", NULL, NULL, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS, NULL, NULL);
    if (decoder != NULL)
        (void)OSSL_DECODER_from_bio(decoder, bio);
    OSSL_DECODER_CTX_free(decoder);
    return params;
}

static int no_pass_phrase(char *buffer, int size, int writing, void *context)
{
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

EVP_PKEY *tls_dh_params_load(const char *path, struct error *err)
{
    char *text;
    BIO *bio = open_file(path, &text, err);
    if (bio == NULL)
        return NULL;
    EVP_PKEY *params = decode_params(bio);
    if (params == NULL)
        (void)reason_error(err, "%s holds no Diffie-Hellman parameters in PEM", path);
    BIO_free(bio);
    free(text);

    if (params != NULL && EVP_PKEY_is_a(params, "DH") != 1 && EVP_PKEY_is_a(params, "DHX") != 1) {
        (void)error_set(err, "%s holds %s parameters, not Diffie-Hellman ones", path,
                        EVP_PKEY_get0_type_name(params));
        EVP_PKEY_free(params);
        return NULL;
    }
    return params;
}

/* A file that holds no certificate, or a broken one, is not to be taken for an empty store. */
static bool add_certificates(X509_STORE *store, BIO *bio, const char *path, struct error *err)
{
    size_t count = 0;
    X509 *certificate;
    while ((certificate = PEM_read_bio_X509(bio, NULL, no_pass_phrase, NULL)) != NULL) {
        int added = X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
        if (added != 1)
            return reason_error(err, "%s: certificate %zu", path, count + 1);
        count++;
    }
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE)
        return reason_error(err, "%s: certificate %zu", path, count + 1);
    ERR_clear_error();
    return count > 0 || error_set(err, "%s holds no certificate in PEM", path);
}

X509_STORE *tls_trust_load(const char *path, struct error *err)
{
    char *text;
    BIO *bio = open_file(path, &text, err);
    if (bio == NULL)
        return NULL;
    X509_STORE *store = X509_STORE_new();
    if (store == NULL)
        (void)reason_error(err, "%s", path);
    else if (!add_certificates(store, bio, path, err)) {
        X509_STORE_free(store);
        store = NULL;
    }
    BIO_free(bio);
    free(text);
    return store;
}
