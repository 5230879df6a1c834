#include "certs/key.h"

#include "common/tls/reason.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <string.h>

/* A DSA key has its order's size beside its own (FIPS 186-4 section 4.2). */
#define DSA_ORDER_BITS 256

/* What the key type wants to know before it makes a key or parameters. */
static void fill_params(const struct certificate_kind *kind, size_t *bits, size_t *order_bits,
                        OSSL_PARAM params[static 3])
{
    *bits = (size_t)kind->bits;
    *order_bits = DSA_ORDER_BITS;
    size_t used = 0;
    if (kind->curve != NULL) {
        params[used++] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME,
                                                          (char *)(uintptr_t)kind->curve, 0);
    } else if (strcmp(kind->key_type, "DSA") == 0) {
        params[used++] = OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_FFC_PBITS, bits);
        params[used++] = OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_FFC_QBITS, order_bits);
    } else if (strncmp(kind->key_type, "RSA", 3) == 0) {
        params[used++] = OSSL_PARAM_construct_size_t(OSSL_PKEY_PARAM_RSA_BITS, bits);
    }
    params[used] = OSSL_PARAM_construct_end();
}

static EVP_PKEY *generate(EVP_PKEY_CTX *ctx, int (*init)(EVP_PKEY_CTX *), const OSSL_PARAM *params)
{
    EVP_PKEY *key = NULL;
    if (ctx == NULL || init(ctx) != 1)
        return NULL;
    /* A key type without parameters may refuse even an empty list of them. */
    if (params[0].key != NULL && EVP_PKEY_CTX_set_params(ctx, params) != 1)
        return NULL;
    (void)EVP_PKEY_generate(ctx, &key);
    return key;
}

/* DSA takes two steps: domain parameters of its own, then a key in them. */
static EVP_PKEY *generate_dsa(EVP_PKEY_CTX *ctx, const OSSL_PARAM *params)
{
    static const OSSL_PARAM none[] = {OSSL_PARAM_END};
    EVP_PKEY *domain = generate(ctx, EVP_PKEY_paramgen_init, params);
    if (domain == NULL)
        return NULL;
    EVP_PKEY_CTX *key_ctx = EVP_PKEY_CTX_new_from_pkey(NULL, domain, NULL);
    EVP_PKEY *key = generate(key_ctx, EVP_PKEY_keygen_init, none);
    EVP_PKEY_CTX_free(key_ctx);
    EVP_PKEY_free(domain);
    return key;
}

EVP_PKEY *key_new(const struct certificate_kind *kind, struct error *err)
{
    size_t bits, order_bits;
    OSSL_PARAM params[3];
    fill_params(kind, &bits, &order_bits, params);

    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, kind->key_type, NULL);
    bool is_dsa = strcmp(kind->key_type, "DSA") == 0;
    EVP_PKEY *key =
        is_dsa ? generate_dsa(ctx, params) : generate(ctx, EVP_PKEY_keygen_init, params);
    EVP_PKEY_CTX_free(ctx);
    if (key == NULL)
        (void)reason_error(err, "cannot make the %s key", kind->name);
    return key;
}
