#include "client/control.h"

#include "common/base/clock.h"
#include "common/http/head.h"
#include "common/tls/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_MAX    (1024 * 1024)
#define QUIET_MOST_NS (20 * NS_PER_S)
#define QUIET_PART    3 /* of the server's idle timeout */

bool control_selected(const SSL *ssl)
{
    const unsigned char *name;
    unsigned length;
    SSL_get0_alpn_selected(ssl, &name, &length);
    return length == strlen(TLS_ALPN_CONTROL) && memcmp(name, TLS_ALPN_CONTROL, length) == 0;
}

bool control_init(struct control *control, struct link link, const struct link_settings *settings,
                  const char *host, struct error *err)
{
    *control = (struct control){.link = link,
                                .settings = *settings,
                                .timeout_ns = settings->handshake_timeout_ns,
                                .quiet_ns = QUIET_MOST_NS,
                                .buffer = malloc(ANSWER_MAX)};
    SSL_CTX_up_ref(control->settings.context);
    (void)snprintf(control->host, sizeof control->host, "%s", host);
    return control->buffer || error_set(err, "out of memory");
}

void control_cleanup(struct control *control)
{
    if (control->link.ssl)
        link_send_close(&control->link);
    link_close(&control->link);
    SSL_CTX_free(control->settings.context);
    control->settings.context = NULL;
    free(control->buffer);
    control->buffer = NULL;
}

bool control_reopen(struct control *control, struct error *err)
{
    struct failure failure = {0};
    link_close(&control->link);
    if (link_open(&control->link, &control->settings, &failure) &&
        control_selected(control->link.ssl))
        return true;
    link_close(&control->link);
    return error_set(err, "%s",
                     failure.text[0] ? failure.text : "another server answers in its place");
}

static bool send_request(struct control *control, struct error *err)
{
    char request[512];
    struct failure failure;
    size_t length = http_write_request(request, sizeof request, "GET", "/stats", control->host,
                                       UINT64_MAX, true);
    if (length == 0)
        return error_set(err, "the host name is too long");
    return link_write(&control->link, request, length, control->timeout_ns, &failure) ||
           error_set(err, "%s", failure.text);
}

/* Reads on until the buffer holds the head and content_length bytes; *body is where those begin. */
static bool read_answer(struct control *control, const char **body, size_t *body_length,
                        struct error *err)
{
    size_t have = 0;
    struct http_head head = {0};
    for (;;) {
        enum http_parse parsed =
            have ? http_parse_response(control->buffer, have, &head) : HTTP_INCOMPLETE;
        if (parsed == HTTP_BAD || parsed == HTTP_TOO_LARGE)
            return error_set(err, "/stats: the answer is not HTTP/1.1");
        if (parsed == HTTP_DONE && (head.status != 200 || head.framing != HTTP_BODY_LENGTH ||
                                    head.content_length > ANSWER_MAX - head.size))
            return error_set(err, "/stats: unexpected answer, status %d", head.status);
        if (parsed == HTTP_DONE && have >= head.size + head.content_length)
            break;
        struct failure failure;
        size_t done;
        if (have == ANSWER_MAX ||
            !link_read(&control->link, control->buffer + have, ANSWER_MAX - have, &done,
                       control->timeout_ns, &failure))
            return error_set(err, "/stats: %s",
                             have < ANSWER_MAX && failure.class != FAILURE_NONE ? failure.text
                                                                                : "closed early");
        have += done;
    }
    *body = control->buffer + head.size;
    *body_length = (size_t)head.content_length;
    return true;
}

json_t *control_stats(struct control *control, struct error *err)
{
    const char *body = NULL;
    size_t length = 0;
    json_error_t json_error;
    if (!control->link.ssl) {
        (void)error_set(err, "/stats: the control connection is closed");
        return NULL;
    }
    if (!send_request(control, err) || !read_answer(control, &body, &length, err)) {
        link_close(&control->link); /* half an answer may lie in it */
        return NULL;
    }
    json_t *stats = json_loadb(body, length, 0, &json_error);
    if (!stats)
        (void)error_set(err, "/stats: %s", json_error.text);
    else
        control->quiet_ns = control_quiet_ns(stats);
    return stats;
}

uint64_t control_quiet_ns(const json_t *stats)
{
    const json_t *configuration = json_object_get(stats, "configuration");
    json_int_t idle_ms = json_integer_value(json_object_get(configuration, "idle_timeout_ms"));
    uint64_t most_ms = QUIET_MOST_NS / NS_PER_MS * QUIET_PART;
    return idle_ms <= 0 || (uint64_t)idle_ms > most_ms ? QUIET_MOST_NS
                                                       : (uint64_t)idle_ms * NS_PER_MS / QUIET_PART;
}

static bool read_number(const json_t *stats, const char *section, const char *name,
                        uint64_t *number, struct error *err)
{
    const json_t *object = section ? json_object_get(stats, section) : stats;
    const json_t *value = json_object_get(object, name);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return error_set(err, "/stats: no number %s%s%s", section ? section : "",
                         section ? "." : "", name);
    *number = (uint64_t)json_integer_value(value);
    return true;
}

static bool read_threads(const json_t *stats, struct server_snapshot *snapshot, struct error *err)
{
    const json_t *threads = json_object_get(stats, "threads");
    size_t index;
    const json_t *value;
    if (!json_is_array(threads) || json_array_size(threads) > SNAPSHOT_THREADS_MAX)
        return error_set(err, "/stats: no list of threads");
    snapshot->threads = json_array_size(threads);
    json_array_foreach(threads, index, value) snapshot->thread_cpu_ns[index] =
        (uint64_t)json_integer_value(value);
    return true;
}

bool control_read_snapshot(const json_t *stats, struct server_snapshot *snapshot, struct error *err)
{
    const struct {
        const char *section, *name;
        uint64_t *number;
    } rows[] = {
        {NULL, "clock_ns", &snapshot->clock_ns},
        {NULL, "cpu_ns", &snapshot->cpu_ns},
        {NULL, "user_ns", &snapshot->user_ns},
        {NULL, "system_ns", &snapshot->system_ns},
        {NULL, "steal_ns", &snapshot->steal_ns},
        {"connections", "accepted", &snapshot->accepted},
        {"connections", "open", &snapshot->open},
        {"handshakes", "finished", &snapshot->finished},
        {"handshakes", "resumed", &snapshot->resumed},
        {"payload", "in", &snapshot->payload_in},
        {"payload", "out", &snapshot->payload_out},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!read_number(stats, rows[i].section, rows[i].name, rows[i].number, err))
            return false;
    }
    return read_threads(stats, snapshot, err);
}

bool control_snapshot(struct control *control, struct server_snapshot *snapshot, struct error *err)
{
    json_t *stats = control_stats(control, err);
    bool ok = stats && control_read_snapshot(stats, snapshot, err);
    json_decref(stats);
    return ok;
}
