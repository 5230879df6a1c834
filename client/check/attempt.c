#include "client/check/attempt.h"

#include "certs/load_check.h"
#include "client/link.h"
#include "common/base/clock.h"
#include "common/http/head.h"
#include "common/tls/settings.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>

#define ANSWER_WAIT_NS (2 * NS_PER_S)

const char *attempt_proof_name(enum attempt_proof proof)
{
    static const char *const names[] = {"", "finished", "response", "close"};

    return names[proof];
}

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

/* --- what the server makes of it --- */

static void read_status(struct attempt *attempt, char *answer, size_t length)
{
    struct http_head head;

    if (http_parse_response(answer, length, &head) == HTTP_DONE)
        attempt->http_status = head.status;
}

/* False: there is nothing more to wait for. */
static bool read_answer(struct link *link, struct attempt *attempt)
{
    char answer[HTTP_HEAD_MAX];
    struct failure failure;
    size_t done;

    if (link_read(link, answer, sizeof answer, &done, ANSWER_WAIT_NS, &failure)) {
        attempt->proof = PROOF_RESPONSE;
        read_status(attempt, answer, done);
        return false;
    }
    attempt->rejected = failure.class == FAILURE_ALERT || failure.class == FAILURE_RESET ||
                        failure.class == FAILURE_REJECTED;
    if (attempt->rejected)
        attempt->failure = failure;
    else if (SSL_get_shutdown(link->ssl) & SSL_RECEIVED_SHUTDOWN)
        attempt->proof = PROOF_CLOSE;
    return failure.class == FAILURE_UNCONFIRMED;
}

/* Whom a request says nothing may still answer a close_notify. */
static void confirm(struct link *link, const struct load_settings *load, struct attempt *attempt)
{
    char request[HTTP_HEAD_MAX];
    struct failure failure;
    size_t length = http_write_request(request, sizeof request, "GET", load->path, load->host,
                                       UINT64_MAX, false);

    if (length == 0 || !link_write(link, request, length, ANSWER_WAIT_NS, &failure))
        return;
    bool silent = read_answer(link, attempt);
    if (!attempt->rejected)
        link_send_close(link);
    if (silent)
        (void)read_answer(link, attempt);
    if (attempt->rejected) {
        attempt->done = false;
        failure_reclass(&attempt->failure, FAILURE_REJECTED);
    }
}

/* The chain as it was sent, the server's own certificate first. */
static void inspect(SSL *ssl, struct attempt *attempt)
{
    static const struct load_files files = {"as sent", ""};
    STACK_OF(X509) *sent = SSL_get_peer_cert_chain(ssl);
    STACK_OF(X509) *issuers = sk_X509_num(sent) > 0 ? sk_X509_dup(sent) : NULL;

    if (!issuers)
        return;
    struct identity identity = {.leaf = sk_X509_shift(issuers), .chain = issuers};
    if (load_check_dates(&files, &identity, &attempt->fault))
        (void)!load_check_chain(&files, &identity, &attempt->fault);
    ERR_clear_error();
    sk_X509_free(issuers);
}

static void judge(struct link *link, const struct attempt_offer *offer,
                  const struct load_settings *load, struct attempt *attempt)
{
    negotiated_read(link->ssl, &attempt->negotiated);
    if (offer->inspect)
        inspect(link->ssl, attempt);
    bool finished = attempt->negotiated.version < TLS1_3_VERSION;
    if (finished)
        attempt->proof = PROOF_FINISHED;
    if (offer->confirm && (!finished || attempt->asked))
        confirm(link, load, attempt);
    else
        link_send_close(link);
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
        .interrupt = load->interrupt,
        .address = (const struct sockaddr *)&load->address,
        .address_length = load->address_length,
        .context = context,
        .server_name = load->server_name,
        .connect_timeout_ns = load->connect_timeout_ns,
        .handshake_timeout_ns = load->handshake_timeout_ns,
    };
    attempt->done = link_open(&link, &where, &attempt->failure);
    if (attempt->done)
        judge(&link, offer, load, attempt);
    link_close(&link);
    SSL_CTX_free(context);
    return true;
}
