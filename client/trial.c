#include "client/trial.h"

#include "client/case_context.h"
#include "client/link.h"
#include "client/pins.h"
#include "common/base/clock.h"
#include "common/tls/version.h"

#include <stdio.h>
#include <string.h>

/* TLS 1.3 tickets follow the handshake at once, if at all. */
#define TICKET_WAIT_NS (200 * NS_PER_MS)

struct observer {
    struct trial *trial;
    bool certificate_requested;
    size_t record; /* bytes of the last record, header included; 0: its message has been seen */
};

/* Record headers end in the length of what follows, tag and padding included (RFC 8446, 5.1). */
static size_t record_size(const unsigned char *header, size_t length)
{
    return length == SSL3_RT_HEADER_LENGTH ? length + ((size_t)header[3] << 8 | header[4]) : 0;
}

/* See SSL_CTX_set_msg_callback(3): handshake messages in the clear, record headers as a pseudo type
 * of their own, before the messages of the record. */
static void on_message(int write, int version, int type, const void *bytes, size_t length, SSL *ssl,
                       void *context)
{
    (void)version;
    (void)ssl;
    struct observer *observer = context;
    const unsigned char *message = bytes;
    if (!write && type == SSL3_RT_HEADER)
        observer->record = record_size(message, length);
    if (write || type != SSL3_RT_HANDSHAKE || length == 0)
        return;
    if (message[0] == SSL3_MT_CERTIFICATE_REQUEST)
        observer->certificate_requested = true;
    if (message[0] == SSL3_MT_NEWSESSION_TICKET) {
        observer->trial->tickets++;
        observer->trial->ticket_bytes += observer->record;
    }
    observer->record = 0;
}

/* Refusals by what was offered, as opposed to trouble of another kind. A server that misses our
 * certificate refuses in the same words (TLS <= 1.2: handshake failure), which is no lack of an
 * offer. */
static bool is_refusal(const struct failure *failure, bool certificate_requested)
{
    static const char *const alerts[] = {"alert handshake failure", "alert protocol version",
                                         "alert insufficient security", "alert illegal parameter",
                                         "alert unrecognized name"};
    if (certificate_requested)
        return false;
    if (failure->class == FAILURE_HANDSHAKE)
        return true;
    for (size_t i = 0; failure->class == FAILURE_ALERT && i < sizeof alerts / sizeof alerts[0];
         i++) {
        if (strcmp(failure->text, alerts[i]) == 0)
            return true;
    }
    return false;
}

static void refuse(struct trial *trial, const struct test_case *test_case, const char *why)
{
    (void)snprintf(
        trial->refused, sizeof trial->refused, "target offers no TLS %s %s with %s%s%s: %.60s",
        tls_version_name(test_case->version), suite_name(test_case->suite), test_case->kind->name,
        test_case->group ? " and " : "", test_case->group ? test_case->group->name : "", why);
}

static void read_tickets(struct link *link)
{
    char buffer[1024];
    size_t done;
    struct failure failure;
    link_send_close(link);
    while (link_read(link, buffer, sizeof buffer, &done, TICKET_WAIT_NS, &failure))
        ;
}

static void read_facts(struct link *link, const struct test_case *test_case, struct trial *trial)
{
    char what[FAILURE_TEXT];
    negotiated_read(link->ssl, &trial->negotiated);
    trial->handshake_bytes_in = BIO_number_read(SSL_get_rbio(link->ssl)) - trial->ticket_bytes;
    trial->handshake_bytes_out = BIO_number_written(SSL_get_wbio(link->ssl));
    if (!pins_match(test_case, &trial->negotiated, what, sizeof what)) {
        refuse(trial, test_case, what);
        return;
    }
    trial->done = true;
    read_tickets(link);
}

static SSL_CTX *trial_context(const struct test_case *test_case, const struct load_settings *load,
                              struct observer *observer, struct error *err)
{
    SSL_CTX *context = case_context_new(test_case, load->credentials, err);
    if (context) {
        SSL_CTX_set_msg_callback(context, on_message);
        SSL_CTX_set_msg_callback_arg(context, observer);
    }
    return context;
}

void trial_run(const struct test_case *test_case, const struct load_settings *load,
               struct trial *trial)
{
    struct error err;
    char name[CASE_SERVER_NAME];
    struct link link;
    *trial = (struct trial){0};
    struct observer observer = {.trial = trial};
    SSL_CTX *context = trial_context(test_case, load, &observer, &err);
    if (!context) {
        (void)snprintf(trial->refused, sizeof trial->refused, "%.150s", err.text);
        return;
    }
    case_server_name(test_case, name);
    struct link_settings settings = {
        .address = (const struct sockaddr *)&load->address,
        .address_length = load->address_length,
        .context = context,
        .server_name = load->suitemark_names ? name : load->server_name,
        .connect_timeout_ns = load->connect_timeout_ns,
        .handshake_timeout_ns = load->handshake_timeout_ns,
        .interrupt = load->interrupt,
    };
    if (link_open(&link, &settings, &trial->failure))
        read_facts(&link, test_case, trial);
    else if (is_refusal(&trial->failure, observer.certificate_requested))
        refuse(trial, test_case, trial->failure.text);
    link_close(&link);
    SSL_CTX_free(context);
}
