#include "client/check/suite_b.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <string.h>

static const struct row {
    int flags;
    const char *word, *groups;
} rows[] = {
    {SSL_CERT_FLAG_SUITEB_128_LOS_ONLY, "SUITEB128ONLY", "P-256"},
    {SSL_CERT_FLAG_SUITEB_192_LOS, "SUITEB192", "P-384"},
    {SSL_CERT_FLAG_SUITEB_128_LOS, "SUITEB128", "P-256:P-384"},
};

static const struct row *find(int flags)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].flags == flags)
            return &rows[i];
    return NULL;
}

bool suite_b_starts(const char *string)
{
    return strncmp(string, "SUITEB128", strlen("SUITEB128")) == 0 ||
           strncmp(string, "SUITEB192", strlen("SUITEB192")) == 0;
}

const char *suite_b_word(int flags, size_t suites)
{
    const struct row *row = find(flags);

    if (flags == SSL_CERT_FLAG_SUITEB_128_LOS && suites == 1)
        return "SUITEB128C2"; /* AES-256 alone */
    return row ? row->word : "";
}

const char *suite_b_groups(int flags)
{
    const struct row *row = find(flags);

    return row ? row->groups : "";
}

bool suite_b_takes(int flags, const struct certificate_kind *kind)
{
    return kind->curve && strstr(suite_b_groups(flags), kind->curve) != NULL;
}

const struct tls_group *suite_b_group_of(const char *iana)
{
    return group_find(strstr(iana, "_AES_256_") ? "P-384" : "P-256");
}

/* The flags of X509_VERIFY_PARAM have the same values (x509_vfy.h). */
bool suite_b_chain(int flags, X509 *leaf, STACK_OF(X509) * chain)
{
    return X509_chain_check_suiteb(NULL, leaf, chain, (unsigned long)flags) == X509_V_OK;
}
