#include "client/check/attempt.h"

#include "client/link.h"
#include "common/tls/settings.h"

/* The server's request for a certificate comes behind all that was negotiated; up to TLS 1.2 the
 * suite is still pending then. */
static int note_request(SSL *ssl, void *attempt)
{
    struct attempt *own = attempt;

    own->asked = true;
    const SSL_CIPHER *pending = SSL_get_pending_cipher(ssl);
    negotiated_read(ssl, &own->negotiated);
    if (pending)
        own->negotiated.suite = SSL_CIPHER_get_protocol_id(pending);
    return 1;
}

bool attempt_run(const struct attempt_offer *offer, const struct load_settings *load,
                 struct attempt *attempt, struct error *err)
{
    const struct tls_settings settings = {
        .role = TLS_CLIENT,
        .min_version = offer->min_version,
        .max_version = offer->max_version,
        .ciphers = offer->ciphers,
        .ciphersuites = offer->ciphersuites,
        .groups = offer->groups,
        .sigalgs = offer->sigalgs,
        .read_ahead = true,
    };
    struct link link;

    *attempt = (struct attempt){.done = false};
    SSL_CTX *context = tls_context_new(&settings, NULL, 0, err);
    if (!context)
        return false;
    SSL_CTX_set_cert_cb(context, note_request, attempt);
    const struct link_settings where = {
        .address = (const struct sockaddr *)&load->address,
        .address_length = load->address_length,
        .context = context,
        .server_name = load->server_name,
        .connect_timeout_ns = load->connect_timeout_ns,
        .handshake_timeout_ns = load->handshake_timeout_ns,
    };
    attempt->done = link_open(&link, &where, &attempt->failure);
    if (attempt->done) {
        negotiated_read(link.ssl, &attempt->negotiated);
        link_send_close(&link);
    }
    link_close(&link);
    SSL_CTX_free(context);
    return true;
}
