#include "client/probe.h"

#include "common/base/clock.h"
#include "common/http/head.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_WAIT_NS (2 * NS_PER_S)

static SSL_CTX *probe_context(const struct load_settings *load, struct error *err)
{
    struct tls_settings settings = {
        .role = TLS_CLIENT,
        .alpn = TLS_ALPN_CONTROL "," TLS_ALPN_HTTP,
        .read_ahead = true,
    };
    return credentials_context_new(load->credentials, &settings, err);
}

/* Takes the link over. A server that requires a client certificate locks us out here: the load can
 * still be driven, but its side is not known. */
static void open_control(struct probe *probe, struct link link,
                         const struct link_settings *settings, const char *host)
{
    struct error err;
    bool ok = control_init(&probe->control, link, settings, host, &err);
    probe->stats = ok ? control_stats(&probe->control, &err) : NULL;
    probe->have_control = probe->stats != NULL;
    if (probe->have_control) { /* a run that is interrupted still asks for its last counters */
        probe->control.link.interrupt = probe->control.settings.interrupt = NULL;
        return;
    }
    (void)snprintf(probe->note, sizeof probe->note, "server counters not reachable: %.110s",
                   err.text);
    control_cleanup(&probe->control);
}

/* Reads the head of the answer; false: there is none, and probe->no_http says why. */
static bool read_head(struct probe *probe, struct link *link, struct http_head *head)
{
    char text[HTTP_HEAD_MAX];
    struct failure failure;
    size_t have = 0, done;
    enum http_parse parsed = HTTP_INCOMPLETE;
    while (parsed == HTTP_INCOMPLETE) {
        if (!link_read(link, text + have, sizeof text - have, &done, ANSWER_WAIT_NS, &failure)) {
            if (failure.class == FAILURE_UNCONFIRMED)
                probe->no_http = "target has not answered an HTTP request within 2 s";
            return false;
        }
        have += done;
        parsed = http_parse_response(text, have, head);
    }
    if (parsed == HTTP_TOO_LARGE)
        probe->no_http = "the head of the target's HTTP answer is over 8 KiB";
    return parsed == HTTP_DONE;
}

static void ask_http(struct probe *probe, struct link *link, const struct load_settings *load)
{
    char text[HTTP_HEAD_MAX];
    struct failure failure;
    struct http_head head;
    size_t length =
        http_write_request(text, sizeof text, "GET", load->path, load->host, UINT64_MAX, false);
    probe->no_http = "target answers no HTTP";
    if (length == 0 || !link_write(link, text, length, ANSWER_WAIT_NS, &failure) ||
        !read_head(probe, link, &head))
        return;
    probe->http = true;
    probe->no_http = NULL;
    probe->http_status = head.status;
}

/* A stranger may refuse the probe's wide offer and still take a case's narrow one: the trials
 * decide then. */
static bool is_fatal(const struct failure *failure)
{
    return failure->class != FAILURE_ALERT && failure->class != FAILURE_HANDSHAKE;
}

bool probe_target(const struct load_settings *load, struct probe *probe, struct error *err)
{
    struct link link;
    struct failure failure = {0};
    *probe = (struct probe){0};
    SSL_CTX *context = probe_context(load, err);
    if (!context)
        return false;
    struct link_settings settings = {
        .address = (const struct sockaddr *)&load->address,
        .address_length = load->address_length,
        .context = context,
        .server_name = load->server_name,
        .connect_timeout_ns = load->connect_timeout_ns,
        .handshake_timeout_ns = load->handshake_timeout_ns,
        .interrupt = load->interrupt,
    };
    bool open = link_open(&link, &settings, &failure);
    if (open && control_selected(link.ssl)) {
        probe->suitemark = probe->http = true;
        open_control(probe, link, &settings, load->host);
    } else {
        if (open)
            ask_http(probe, &link, load);
        link_close(&link);
    }
    SSL_CTX_free(context);
    return open || !is_fatal(&failure) || error_set(err, "%s", failure.text);
}

void probe_cleanup(struct probe *probe)
{
    if (probe->have_control)
        control_cleanup(&probe->control);
    json_decref(probe->stats);
    *probe = (struct probe){0};
}
