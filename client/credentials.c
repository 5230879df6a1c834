#include "client/credentials.h"

#include "certs/load.h"

#include <openssl/x509v3.h>

bool credentials_init(struct credentials *credentials, const char *ca_file, const char *cert_file,
                      const char *key_file, struct error *err)
{
    *credentials = (struct credentials){.trust = NULL};
    if (ca_file && !(credentials->trust = tls_trust_load(ca_file, err)))
        return error_prefix(err, "--ca");
    if (key_file && !cert_file)
        return error_set(err, "--client-key: there is no --client-cert that it could belong to");
    if (cert_file && !load_identity(cert_file, key_file ? key_file : cert_file, NULL, 0,
                                    &credentials->identity, err))
        return error_prefix(err, "--client-cert");
    credentials->have_identity = cert_file != NULL;
    return true;
}

void credentials_cleanup(struct credentials *credentials)
{
    X509_STORE_free(credentials->trust);
    identity_cleanup(&credentials->identity);
    *credentials = (struct credentials){.trust = NULL};
}

/* X509_VERIFY_PARAM_set1_host(3): every connection inherits the context's parameters. */
static bool set_name(const struct credentials *credentials, SSL_CTX *context)
{
    X509_VERIFY_PARAM *param = SSL_CTX_get0_param(context);
    if (credentials->verify_address)
        return X509_VERIFY_PARAM_set1_ip_asc(param, credentials->verify_name) == 1;
    return X509_VERIFY_PARAM_set1_host(param, credentials->verify_name, 0) == 1;
}

/* A case pins the server's signature algorithms, and without a list of its own a client's signature
 * would have to be one of those. */
static bool set_own_sigalgs(const struct identity *identity, SSL_CTX *context)
{
    const struct certificate_kind *kind = identity->kind;
    /* What signs in TLS 1.3 is in the list of 1.2 too, where the kind has one. */
    const char *list = !kind ? NULL : kind->sigalgs_12 ? kind->sigalgs_12 : kind->sigalgs_13;
    if (!list)
        return true; /* OpenSSL's default is as good as any guess */
    return SSL_CTX_set1_client_sigalgs_list(context, list) == 1;
}

static bool set_up(const struct credentials *credentials, SSL_CTX *context, struct error *err)
{
    if (credentials->trust && !set_name(credentials, context))
        return error_set(err, "cannot verify the name \"%s\"", credentials->verify_name);
    if (credentials->have_identity && !set_own_sigalgs(&credentials->identity, context))
        return error_set(err, "OpenSSL cannot sign with the client certificate's key");
    return true;
}

SSL_CTX *credentials_context_new(const struct credentials *credentials,
                                 const struct tls_settings *settings, struct error *err)
{
    static const struct credentials none = {.trust = NULL};
    const struct credentials *with = credentials ? credentials : &none;
    const struct identity *shown = &with->identity;
    struct tls_settings trusting = *settings;
    trusting.trust = with->trust;
    trusting.library = with->library;
    SSL_CTX *context = tls_context_new(&trusting, &shown, with->have_identity ? 1 : 0, err);
    if (!context || set_up(with, context, err))
        return context;
    SSL_CTX_free(context);
    return NULL;
}
