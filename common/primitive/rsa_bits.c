#include "common/primitive/rsa_bits.h"

#include <string.h>

/* Digest and salt of SHA-256 and two bytes more (RFC 8017 section 9.1.1), in a number of one bit
 * less than the key. */
#define PSS_BITS_MIN (8 * (32 + 32 + 1) + 2)

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
    if (what->bits < PSS_BITS_MIN && what->primitive->detail &&
        strcmp(what->primitive->detail, "pss") == 0)
        return error_set(err,
                         "%u bits: PSS with SHA-256 and a salt as long takes keys of %d bits or "
                         "more",
                         what->bits, PSS_BITS_MIN);
    if (what->bits > RSA_BITS_MAX)
        return error_set(err,
                         "%u bits: keys over %d bits are not made here, that would take "
                         "minutes",
                         what->bits, RSA_BITS_MAX);
    return true;
}
