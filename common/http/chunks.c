#include "common/http/head.h"

/* Where the next byte stands. Line ends are strict here: a lone CR or LF is malformed. */
enum {
    CHUNK_SIZE_FIRST, /* at least one hexadecimal digit */
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_LF,
    CHUNK_DATA,
    CHUNK_DATA_CR,
    CHUNK_DATA_LF,
    CHUNK_TRAILER_START, /* a field, or the empty line */
    CHUNK_TRAILER,
    CHUNK_TRAILER_LF,
    CHUNK_LAST_LF,
};

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool is_line_character(char c)
{
    const unsigned char u = (unsigned char)c;
    return u == '\t' || (u >= 0x20 && u != 0x7f);
}

static bool feed_size(struct http_chunks *chunks, char c)
{
    const int digit = hex_digit(c);
    if (digit >= 0) {
        if (chunks->left > UINT64_MAX >> 5) /* no room for a digit more */
            return false;
        chunks->left = chunks->left << 4 | (uint64_t)digit;
        chunks->state = CHUNK_SIZE;
        return true;
    }
    if (chunks->state == CHUNK_SIZE_FIRST)
        return false;
    chunks->state = c == '\r' ? CHUNK_SIZE_LF : CHUNK_EXTENSION;
    return c == '\r' || c == ';' || c == ' ' || c == '\t';
}

/* Goes to `next` when c is the one that is due. */
static bool expect(struct http_chunks *chunks, char c, char due, int next)
{
    chunks->state = next;
    return c == due;
}

/* A character of an extension or a trailer field; CR ends it. */
static bool feed_line(struct http_chunks *chunks, char c, int same, int after_cr)
{
    chunks->state = c == '\r' ? after_cr : same;
    return c == '\r' || is_line_character(c);
}

/* One byte of framing. */
static bool feed_framing(struct http_chunks *chunks, char c)
{
    switch (chunks->state) {
    case CHUNK_SIZE_FIRST:
    case CHUNK_SIZE:
        return feed_size(chunks, c);
    case CHUNK_EXTENSION:
        return feed_line(chunks, c, CHUNK_EXTENSION, CHUNK_SIZE_LF);
    case CHUNK_SIZE_LF:
        return expect(chunks, c, '\n', chunks->left > 0 ? CHUNK_DATA : CHUNK_TRAILER_START);
    case CHUNK_DATA_CR:
        return expect(chunks, c, '\r', CHUNK_DATA_LF);
    case CHUNK_DATA_LF:
        return expect(chunks, c, '\n', CHUNK_SIZE_FIRST);
    case CHUNK_TRAILER_START:
        return feed_line(chunks, c, CHUNK_TRAILER, CHUNK_LAST_LF);
    case CHUNK_TRAILER:
        return feed_line(chunks, c, CHUNK_TRAILER, CHUNK_TRAILER_LF);
    case CHUNK_TRAILER_LF:
        return expect(chunks, c, '\n', CHUNK_TRAILER_START);
    case CHUNK_LAST_LF:
        chunks->done = true;
        return c == '\n';
    default:
        return false;
    }
}

bool http_chunks_feed(struct http_chunks *chunks, const char *bytes, size_t length, size_t *used,
                      size_t *payload)
{
    size_t at = 0;
    *payload = 0;
    while (at < length && !chunks->done) {
        if (chunks->state == CHUNK_DATA) {
            const size_t here = chunks->left < length - at ? (size_t)chunks->left : length - at;
            at += here;
            *payload += here;
            chunks->left -= here;
            if (chunks->left == 0)
                chunks->state = CHUNK_DATA_CR;
        } else if (!feed_framing(chunks, bytes[at++])) {
            *used = at;
            return false;
        }
    }
    *used = at;
    return true;
}
