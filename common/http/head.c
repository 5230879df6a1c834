#include "common/http/head.h"

#include "common/http/fields.h"

#include <string.h>

struct cursor {
    const char *at, *end;
};

static bool is_text_character(char c)
{
    const unsigned char u = (unsigned char)c;
    return u == '\t' || (u >= 0x20 && u != 0x7f);
}

/* Takes the next line off, without its CRLF; a bare LF is taken for one (RFC 9112 section 2.2). A
 * control character is bad before the line is whole, so that binary rubbish is told at once. */
static enum http_parse next_line(struct cursor *cursor, struct http_text *line)
{
    const char *at = cursor->at;
    while (at < cursor->end && is_text_character(*at))
        at++;
    *line = (struct http_text){cursor->at, (size_t)(at - cursor->at)};
    if (at < cursor->end && *at == '\r')
        at++;
    if (at == cursor->end)
        return HTTP_INCOMPLETE;
    if (*at != '\n')
        return HTTP_BAD;
    cursor->at = at + 1;
    return HTTP_DONE;
}

/* Takes the text up to the next space off `line`, and the space; what is left may be empty. */
static struct http_text next_word(struct http_text *line)
{
    const char *space = memchr(line->start, ' ', line->length);
    const size_t length = space != NULL ? (size_t)(space - line->start) : line->length;
    const size_t taken = space != NULL ? length + 1 : length;
    const struct http_text word = {line->start, length};
    *line = (struct http_text){line->start + taken, line->length - taken};
    return word;
}

static bool parse_version(struct http_text text, int *minor)
{
    if (text.length != 8 || memcmp(text.start, "HTTP/1.", 7) != 0)
        return false;
    const char digit = text.start[7];
    *minor = digit - '0';
    return digit >= '0' && digit <= '9';
}

static bool is_token(struct http_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (!http_is_token_character(text.start[i]))
            return false;
    }
    return text.length > 0;
}

static bool is_visible_ascii(struct http_text text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.start[i] <= 0x20 || text.start[i] >= 0x7f)
            return false;
    }
    return text.length > 0;
}

static bool text_starts(struct http_text text, const char *start)
{
    const size_t length = strlen(start);
    return text.length >= length && memcmp(text.start, start, length) == 0;
}

/* "https://host/path" to "/path": a server must take the absolute form too (RFC 9112
 * section 3.2.2). */
static struct http_text strip_authority(struct http_text target)
{
    size_t skip = 0;
    if (text_starts(target, "http://"))
        skip = 7;
    else if (text_starts(target, "https://"))
        skip = 8;
    else
        return target;
    while (skip < target.length && target.start[skip] != '/' && target.start[skip] != '?')
        skip++;
    if (skip == target.length)
        return (struct http_text){"/", 1};
    return (struct http_text){target.start + skip, target.length - skip};
}

static void split_query(struct http_text target, struct http_head *head)
{
    const char *mark = memchr(target.start, '?', target.length);
    const size_t length = mark != NULL ? (size_t)(mark - target.start) : target.length;
    head->path = (struct http_text){target.start, length};
    head->query = (struct http_text){target.start + target.length, 0};
    if (mark != NULL)
        head->query = (struct http_text){mark + 1, target.length - length - 1};
    if (length == 0) /* "http://host?query" */
        head->path = (struct http_text){"/", 1};
}

static bool parse_request_line(struct http_text line, struct http_head *head)
{
    head->method = next_word(&line);
    const struct http_text target = next_word(&line);
    if (!is_token(head->method) || !is_visible_ascii(target) || !parse_version(line, &head->minor))
        return false;
    split_query(strip_authority(target), head);
    return true;
}

/* "HTTP/1.1 200 OK"; the reason and the space before it may be missing. */
static bool parse_status_line(struct http_text line, struct http_head *head)
{
    const struct http_text version = next_word(&line);
    const struct http_text code = next_word(&line);
    uint64_t status;
    if (!parse_version(version, &head->minor) || code.length != 3 ||
        !http_parse_number(code, &status) || status < 100 || status > 599)
        return false;
    head->status = (int)status;
    return true;
}

/* The lines of a head in order: blank lines before a request (RFC 9112 section 2.2), the first
 * line, fields, the empty line. */
static enum http_parse parse_lines(struct cursor *cursor, struct http_head *head)
{
    struct http_text line;
    struct http_fields fields = {0};
    enum http_parse status;

    do
        status = next_line(cursor, &line);
    while (status == HTTP_DONE && line.length == 0 && !head->is_response);
    if (status != HTTP_DONE)
        return status;
    if (!(head->is_response ? parse_status_line(line, head) : parse_request_line(line, head)))
        return HTTP_BAD;
    while ((status = next_line(cursor, &line)) == HTTP_DONE && line.length > 0) {
        if (!http_fields_add(&fields, line))
            return HTTP_BAD;
    }
    if (status == HTTP_DONE && !http_fields_apply(&fields, head))
        return HTTP_BAD;
    return status;
}

static enum http_parse parse(const char *buffer, size_t length, bool is_response,
                             struct http_head *head)
{
    const bool full = length >= HTTP_HEAD_MAX;
    struct cursor cursor = {buffer, buffer + (full ? HTTP_HEAD_MAX : length)};

    *head = (struct http_head){.is_response = is_response};
    const enum http_parse status = parse_lines(&cursor, head);
    if (status == HTTP_DONE)
        head->size = (size_t)(cursor.at - buffer);
    return status == HTTP_INCOMPLETE && full ? HTTP_TOO_LARGE : status;
}

enum http_parse http_parse_request(const char *buffer, size_t length, struct http_head *head)
{
    return parse(buffer, length, false, head);
}

enum http_parse http_parse_response(const char *buffer, size_t length, struct http_head *head)
{
    return parse(buffer, length, true, head);
}
