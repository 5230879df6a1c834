#include "certs/certificate.h"

#include "common/tls/reason.h"

#include <openssl/bn.h>
#include <openssl/x509v3.h>

/* RFC 5280 section 4.1.2.2 allows 20 octets, which a sign bit makes 159 bits. */
#define SERIAL_BITS 159

#define HOUR_SECONDS 3600L
#define DAY_SECONDS  (24 * HOUR_SECONDS)

static bool set_serial(X509 *certificate)
{
    BIGNUM *number = BN_new();
    bool ok = number != NULL &&
              BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
              BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
    BN_free(number);
    return ok;
}

static bool set_names(X509 *certificate, const struct certificate_request *request)
{
    X509_NAME *name = X509_NAME_new();
    bool ok =
        name != NULL &&
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                   (const unsigned char *)request->common_name, -1, -1, 0) == 1 &&
        X509_set_subject_name(certificate, name) == 1 &&
        X509_set_issuer_name(certificate, request->issuer != NULL
                                              ? X509_get_subject_name(request->issuer)
                                              : name) == 1;
    X509_NAME_free(name);
    return ok;
}

static bool set_validity(X509 *certificate, int days)
{
    return X509_gmtime_adj(X509_getm_notBefore(certificate), -HOUR_SECONDS) != NULL &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), days * DAY_SECONDS - HOUR_SECONDS) !=
               NULL;
}

static bool add_extension(X509 *certificate, X509V3_CTX *context, int nid, const char *value)
{
    if (value == NULL)
        return true;
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, context, nid, value);
    bool ok = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return ok;
}

/* The subject's key identifier comes first: a root's authority key identifier is a copy of it. */
static bool add_extensions(X509 *certificate, const struct certificate_request *request)
{
    const struct {
        int nid;
        const char *value;
    } rows[] = {
        {NID_subject_key_identifier, "hash"},
        {NID_authority_key_identifier, "keyid:always"},
        {NID_basic_constraints, request->basic_constraints},
        {NID_key_usage, request->key_usage},
        {NID_ext_key_usage, request->extended_key_usage},
        {NID_subject_alt_name, request->alternative_names},
        {NID_name_constraints, request->name_constraints},
    };
    X509V3_CTX context;
    X509 *issuer = request->issuer != NULL ? (X509 *)(uintptr_t)request->issuer : certificate;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509V3_set_ctx_nodb(&context);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (!add_extension(certificate, &context, rows[i].nid, rows[i].value))
            return false;
    return true;
}

X509 *certificate_new(const struct certificate_request *request, struct error *err)
{
    X509 *certificate = X509_new();
    bool ok = certificate != NULL && X509_set_version(certificate, X509_VERSION_3) == 1 &&
              set_serial(certificate) && set_names(certificate, request) &&
              set_validity(certificate, request->days) &&
              X509_set_pubkey(certificate, request->key) == 1 &&
              add_extensions(certificate, request) &&
              X509_sign(certificate, request->issuer_key, EVP_sha256()) != 0;
    if (ok)
        return certificate;
    X509_free(certificate);
    (void)reason_error(err, "cannot make the certificate of %s", request->common_name);
    return NULL;
}
