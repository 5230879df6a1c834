#include "common/primitive/rsa_bits.h"

bool rsa_bits_available(const struct primitive *row, struct error *err)
{
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, row->fetched, NULL);

    EVP_PKEY_CTX_free(maker);
    return maker || error_set(err, "not in this library");
}

bool rsa_bits_check(const struct primitive_case *what, struct error *err)
{
    if (what->bits < RSA_BITS_MIN)
        return error_set(err, "%u bits: OpenSSL makes RSA keys of %d bits or more", what->bits,
                         RSA_BITS_MIN);
    if (what->bits > RSA_BITS_MAX)
        return error_set(err,
                         "%u bits: keys over %d bits are not made here, that would take "
                         "minutes",
                         what->bits, RSA_BITS_MAX);
    return true;
}
