#include "common/primitive/vector_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <stdbool.h>

static bool push_all(OSSL_PARAM_BLD *builder, const char *group,
                     const struct vector_number *numbers, size_t count, BIGNUM **values)
{
    bool ok = !group ||
              OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1;

    for (size_t i = 0; i < count && ok; i++)
        ok = BN_hex2bn(&values[i], numbers[i].hex) > 0 &&
             OSSL_PARAM_BLD_push_BN(builder, numbers[i].name, values[i]) == 1;
    return ok;
}

static EVP_PKEY *make(const char *type, OSSL_PARAM *parameters, int selection)
{
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;

    if (maker && EVP_PKEY_fromdata_init(maker) == 1)
        (void)EVP_PKEY_fromdata(maker, &key, selection, parameters);
    EVP_PKEY_CTX_free(maker);
    return key;
}

EVP_PKEY *vector_key_new(const char *type, const char *group, const struct vector_number *numbers,
                         size_t count, int selection)
{
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *values[VECTOR_NUMBERS_MAX] = {NULL}; /* the builder only points at them */
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY *key = NULL;

    if (builder && count <= VECTOR_NUMBERS_MAX && push_all(builder, group, numbers, count, values))
        parameters = OSSL_PARAM_BLD_to_param(builder);
    if (parameters)
        key = make(type, parameters, selection);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    for (size_t i = 0; i < VECTOR_NUMBERS_MAX; i++)
        BN_free(values[i]);
    return key;
}
