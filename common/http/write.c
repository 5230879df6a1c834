#include "common/http/head.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* A buffer that is filled from the left; `full` once something did not fit. */
struct output {
    char *buffer;
    size_t size, length;
    bool full;
};

__attribute__((format(printf, 2, 3))) static void put(struct output *out, const char *format, ...)
{
    if (out->full)
        return;
    va_list arguments;
    va_start(arguments, format);
    const int written =
        vsnprintf(out->buffer + out->length, out->size - out->length, format, arguments);
    va_end(arguments);
    if (written < 0 || (size_t)written >= out->size - out->length)
        out->full = true;
    else
        out->length += (size_t)written;
}

static size_t finish(const struct output *out)
{
    if (!out->full)
        return out->length;
    if (out->size > 0)
        out->buffer[0] = '\0';
    return 0;
}

/* The fields that both kinds of heads share, and the empty line. keep-alive is said aloud for the
 * sake of HTTP/1.0 clients (ab). */
static void put_fields(struct output *out, uint64_t content_length, bool keep_alive)
{
    if (content_length != UINT64_MAX)
        put(out, "Content-Length: %" PRIu64 "\r\n", content_length);
    put(out, "Connection: %s\r\n\r\n", keep_alive ? "keep-alive" : "close");
}

size_t http_write_response(char *buffer, size_t size, int status, const char *content_type,
                           uint64_t content_length, bool keep_alive)
{
    struct output out = {.buffer = buffer, .size = size};
    put(&out, "HTTP/1.1 %d %s\r\n", status, http_reason(status));
    if (content_type != NULL)
        put(&out, "Content-Type: %s\r\n", content_type);
    put_fields(&out, content_length, keep_alive);
    return finish(&out);
}

size_t http_write_refusal(char *buffer, size_t size, int status, const char *allow)
{
    struct output out = {.buffer = buffer, .size = size};
    const char *reason = http_reason(status);
    put(&out, "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\n", status, reason);
    if (allow != NULL)
        put(&out, "Allow: %s\r\n", allow);
    put_fields(&out, (uint64_t)snprintf(NULL, 0, "%d %s\n", status, reason), false);
    put(&out, "%d %s\n", status, reason);
    return finish(&out);
}

size_t http_write_request(char *buffer, size_t size, const char *method, const char *path,
                          const char *host, uint64_t content_length, bool keep_alive)
{
    struct output out = {.buffer = buffer, .size = size};
    put(&out, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, path, host);
    put_fields(&out, content_length, keep_alive);
    return finish(&out);
}

static const struct reason_row {
    int status;
    const char *reason;
} reason_rows[] = {
    {100, "Continue"},
    {200, "OK"},
    {204, "No Content"},
    {400, "Bad Request"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {413, "Content Too Large"},
    {431, "Request Header Fields Too Large"},
    {503, "Service Unavailable"},
};

const char *http_reason(int status)
{
    for (size_t i = 0; i < sizeof reason_rows / sizeof *reason_rows; i++) {
        if (reason_rows[i].status == status)
            return reason_rows[i].reason;
    }
    return "Unknown";
}
