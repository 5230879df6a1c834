#include "common/http/fields.h"

#include <string.h>
#include <strings.h>

bool http_is_token_character(char c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
        return true;
    return c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct http_text trimmed(const char *start, const char *end)
{
    while (start < end && is_blank(*start))
        start++;
    while (end > start && is_blank(end[-1]))
        end--;
    return (struct http_text){start, (size_t)(end - start)};
}

static bool is_word(struct http_text text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.start, word, text.length) == 0;
}

/* Takes the next element off a comma-separated list; false at its end. Empty elements count as
 * elements. */
static bool next_element(struct http_text *list, struct http_text *element)
{
    if (list->start == NULL)
        return false;
    const char *end = list->start + list->length;
    const char *comma = memchr(list->start, ',', list->length);
    *element = trimmed(list->start, comma != NULL ? comma : end);
    if (comma != NULL)
        *list = (struct http_text){comma + 1, (size_t)(end - comma - 1)};
    else
        *list = (struct http_text){NULL, 0};
    return true;
}

static bool add_host(struct http_fields *fields, struct http_text value)
{
    (void)value;
    return ++fields->hosts == 1;
}

/* Two lengths are refused even when they agree: who sends them is confused or attacks somebody. */
static bool add_length(struct http_fields *fields, struct http_text value)
{
    if (fields->has_length)
        return false;
    fields->has_length = true;
    return http_parse_number(value, &fields->length);
}

static bool add_coding(struct http_fields *fields, struct http_text value)
{
    struct http_text coding;
    fields->has_coding = true;
    while (next_element(&value, &coding)) {
        if (fields->chunked_last) /* nothing may come behind chunked, not even itself */
            return false;
        fields->chunked_last = is_word(coding, "chunked");
    }
    return true;
}

static bool add_connection(struct http_fields *fields, struct http_text value)
{
    struct http_text option;
    while (next_element(&value, &option)) {
        fields->close |= is_word(option, "close");
        fields->keep_alive |= is_word(option, "keep-alive");
    }
    return true;
}

static bool add_expect(struct http_fields *fields, struct http_text value)
{
    fields->expect_continue |= is_word(value, "100-continue");
    return true;
}

static const struct field_row {
    const char *name;
    bool (*add)(struct http_fields *fields, struct http_text value);
} field_rows[] = {
    {"host", add_host},
    {"content-length", add_length},
    {"transfer-encoding", add_coding},
    {"connection", add_connection},
    {"expect", add_expect},
};

bool http_fields_add(struct http_fields *fields, struct http_text line)
{
    const char *end = line.start + line.length;
    const char *colon = line.start;
    /* A blank here is a folded line or one before the colon: both have been used to smuggle. */
    while (colon < end && http_is_token_character(*colon))
        colon++;
    if (colon == line.start || colon == end || *colon != ':')
        return false;
    const struct http_text name = {line.start, (size_t)(colon - line.start)};
    for (size_t i = 0; i < sizeof field_rows / sizeof *field_rows; i++) {
        if (is_word(name, field_rows[i].name))
            return field_rows[i].add(fields, trimmed(colon + 1, end));
    }
    return true;
}

static bool apply_to_request(const struct http_fields *fields, struct http_head *head)
{
    if (head->minor >= 1 && fields->hosts != 1) /* RFC 9112 section 3.2 */
        return false;
    head->expect_continue = fields->expect_continue && head->minor >= 1;
    if (fields->has_coding) {
        head->framing = HTTP_BODY_CHUNKED;
        return fields->chunked_last && head->minor >= 1;
    }
    head->framing = fields->has_length ? HTTP_BODY_LENGTH : HTTP_BODY_NONE;
    return true;
}

static void apply_to_response(const struct http_fields *fields, struct http_head *head)
{
    if (head->status < 200 || head->status == 204 || head->status == 304)
        head->framing = HTTP_BODY_NONE;
    else if (fields->chunked_last)
        head->framing = HTTP_BODY_CHUNKED;
    else if (fields->has_length)
        head->framing = HTTP_BODY_LENGTH;
    else
        head->framing = HTTP_BODY_CLOSE;
    if (head->framing == HTTP_BODY_CLOSE)
        head->keep_alive = false;
}

bool http_fields_apply(const struct http_fields *fields, struct http_head *head)
{
    if (fields->has_coding && fields->has_length)
        return false;
    head->keep_alive = !fields->close && (head->minor >= 1 || fields->keep_alive);
    head->content_length = 0;
    if (!head->is_response) {
        if (!apply_to_request(fields, head))
            return false;
    } else {
        apply_to_response(fields, head);
    }
    if (head->framing == HTTP_BODY_LENGTH)
        head->content_length = fields->length;
    return true;
}
