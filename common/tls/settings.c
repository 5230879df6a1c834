#include "common/tls/settings.h"

#include "common/tls/reason.h"
#include "common/tls/settings_alpn.h"
#include "common/tls/settings_conf.h"
#include "common/tls/settings_lists.h"
#include "common/tls/version.h"

#include <openssl/err.h>

static const unsigned char session_id_context[] = "suitemark";

static bool apply_versions(SSL_CTX *ctx, const struct tls_settings *settings, struct error *err)
{
    int min = settings->min_version != 0 ? settings->min_version : TLS1_VERSION;
    int max = settings->max_version != 0 ? settings->max_version : TLS1_3_VERSION;
    if (min > max)
        return error_set(err, "TLS %s is above TLS %s", tls_version_name(min),
                         tls_version_name(max));
    if (SSL_CTX_set_min_proto_version(ctx, min) != 1 ||
        SSL_CTX_set_max_proto_version(ctx, max) != 1)
        return error_set(err, "this OpenSSL has nothing between TLS %s and TLS %s",
                         tls_version_name(min), tls_version_name(max));
    return true;
}

/* Options and modes start from nothing, since a system-wide openssl.cnf may have set any. */
static void apply_options(SSL_CTX *ctx, const struct tls_settings *settings)
{
    uint64_t options =
        SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_ENABLE_MIDDLEBOX_COMPAT;
    if (settings->prefer_server)
        options |= SSL_OP_CIPHER_SERVER_PREFERENCE;
    if (settings->tickets == 0)
        options |= SSL_OP_NO_TICKET;
    (void)SSL_CTX_clear_options(ctx, SSL_CTX_get_options(ctx));
    (void)SSL_CTX_set_options(ctx, options);

    /* NO_AUTO_CHAIN: a chain is what the identity says, never searched for in each handshake. */
    (void)SSL_CTX_clear_mode(ctx, SSL_CTX_get_mode(ctx));
    (void)SSL_CTX_set_mode(ctx, SSL_MODE_AUTO_RETRY | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                    SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN);

    (void)SSL_CTX_set_read_ahead(ctx, settings->read_ahead);
    if (settings->read_buffer > 0)
        SSL_CTX_set_default_read_buffer_len(ctx, settings->read_buffer);
}

static bool apply_sessions(SSL_CTX *ctx, const struct tls_settings *settings, struct error *err)
{
    bool cache = settings->role == TLS_SERVER && settings->session_cache;
    (void)SSL_CTX_set_session_cache_mode(ctx, cache ? SSL_SESS_CACHE_SERVER : SSL_SESS_CACHE_OFF);
    if (SSL_CTX_set_session_id_context(ctx, session_id_context, sizeof(session_id_context) - 1) !=
        1)
        return reason_error(err, "session id context");
    if (SSL_CTX_set_num_tickets(ctx, settings->tickets) != 1)
        return reason_error(err, "%u tickets", settings->tickets);
    if (settings->ticket_keys != NULL &&
        SSL_CTX_set_tlsext_ticket_keys(ctx, (void *)(uintptr_t)settings->ticket_keys,
                                       (long)settings->ticket_keys_length) != 1)
        return reason_error(err, "%zu bytes of ticket keys", settings->ticket_keys_length);
    return true;
}

/* OpenSSL 3 needs one of the two for any DHE; OpenSSL 4 prefers the groups of RFC 7919 that the
 * client offers and takes these for clients that offer none. */
static bool apply_dh(SSL_CTX *ctx, const struct tls_settings *settings, struct error *err)
{
    (void)SSL_CTX_set_dh_auto(ctx, settings->dh_params == NULL && !settings->no_dh);
    if (settings->dh_params == NULL)
        return true;
    if (EVP_PKEY_up_ref(settings->dh_params) != 1)
        return reason_error(err, "Diffie-Hellman parameters");
    if (SSL_CTX_set0_tmp_dh_pkey(ctx, settings->dh_params) == 1)
        return true;
    EVP_PKEY_free(settings->dh_params);
    return reason_error(err, "Diffie-Hellman parameters");
}

/* Tells clients which authorities their certificate may come from. */
static bool apply_client_ca(SSL_CTX *ctx, X509_STORE *client_ca, struct error *err)
{
    STACK_OF(X509) *authorities = X509_STORE_get1_all_certs(client_ca);
    bool ok = authorities != NULL;
    for (int i = 0; ok && i < sk_X509_num(authorities); i++)
        ok = SSL_CTX_add_client_CA(ctx, sk_X509_value(authorities, i)) == 1;
    sk_X509_pop_free(authorities, X509_free);
    return ok ? true : reason_error(err, "client authorities");
}

/* With SSL_VERIFY_NONE alone libssl still looks for the chain's end and ignores the outcome. */
static int accept_any(X509_STORE_CTX *store, void *argument)
{
    (void)store;
    (void)argument;
    return 1;
}

static bool apply_verification(SSL_CTX *ctx, const struct tls_settings *settings, struct error *err)
{
    bool is_server = settings->role == TLS_SERVER;
    X509_STORE *store = is_server ? settings->client_ca : settings->trust;
    if (store == NULL) {
        SSL_CTX_set_verify(ctx, SSL_VERIFY_NONE, NULL);
        SSL_CTX_set_cert_verify_callback(ctx, accept_any, NULL);
        return true;
    }
    if (SSL_CTX_set1_verify_cert_store(ctx, store) != 1)
        return reason_error(err, "trusted certificates");
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER | (is_server ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                       NULL);
    return !is_server || apply_client_ca(ctx, store, err);
}

static bool apply_identities(SSL_CTX *ctx, const struct identity *const *identities, size_t count,
                             struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        const struct identity *one = identities[i];
        if (SSL_CTX_use_cert_and_key(ctx, one->leaf, one->key, one->chain, 1) != 1)
            return reason_error(err, "certificate %s", one->name);
    }
    return true;
}

/* The security level comes before everything that it judges. */
static bool apply(SSL_CTX *ctx, const struct tls_settings *settings,
                  const struct identity *const *identities, size_t count, struct error *err)
{
    SSL_CTX_set_security_level(ctx, settings->security_level);
    apply_options(ctx, settings);
    return apply_versions(ctx, settings, err) && settings_lists_apply(ctx, settings, err) &&
           apply_sessions(ctx, settings, err) && apply_dh(ctx, settings, err) &&
           apply_verification(ctx, settings, err) && settings_alpn_apply(ctx, settings, err) &&
           apply_identities(ctx, identities, count, err) && settings_conf_apply(ctx, settings, err);
}

SSL_CTX *tls_context_new(const struct tls_settings *settings,
                         const struct identity *const *identities, size_t count, struct error *err)
{
    ERR_clear_error();
    SSL_CTX *ctx =
        SSL_CTX_new_ex(settings->library, NULL,
                       settings->role == TLS_SERVER ? TLS_server_method() : TLS_client_method());
    if (ctx == NULL) {
        (void)reason_error(err, "TLS context");
        return NULL;
    }
    if (!apply(ctx, settings, identities, count, err)) {
        SSL_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

size_t tls_ticket_keys_length(void)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
    long length = ctx != NULL ? SSL_CTX_get_tlsext_ticket_keys(ctx, NULL, 0) : 0;
    SSL_CTX_free(ctx);
    return length > 0 ? (size_t)length : 0;
}
