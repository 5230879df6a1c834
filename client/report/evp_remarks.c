#include "client/report/evp_parts.h"

#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/text.h"

#include <string.h>

#define LABEL_WIDTH 9 /* of "measured" and a blank */

static bool any_text(const json_t *result, const char *field, const char *text)
{
    const json_t *item;
    size_t index;

    json_array_foreach(field_at(result, "cases"), index, item)
    {
        if (strcmp(field_text(item, field), text) == 0 && field_at(item, "rate"))
            return true;
    }
    return false;
}

static void print_if(FILE *out, bool condition, const char *text)
{
    if (condition)
        wrap_print(out, text, 2);
}

static bool has_figures(const json_t *result)
{
    const json_t *item;
    size_t index;

    json_array_foreach(field_at(result, "cases"), index, item)
    {
        if (field_at(item, "rate"))
            return true;
    }
    return false;
}

static bool any_range(const json_t *result)
{
    const json_t *item;
    size_t index;

    json_array_foreach(field_at(result, "cases"), index, item)
    {
        if (field_true(item, "rate.range"))
            return true;
    }
    return false;
}

static void print_legend(FILE *out, const json_t *result)
{
    fputc('\n', out);
    wrap_print(out,
               "A figure is the median of its batches ± half of their 95 % interval in % of it, "
               "rounded up. MB/s: 10^6 bytes of message a second. c/B: cycles of the time-stamp "
               "counter a byte, at the longest size of the row. !: the interval is wide. #: see "
               "below.",
               0);
    print_if(out, any_range(result),
             "r: fewer than 6 batches: ± half of their range, which is no 95 % interval.");
    print_if(
        out, json_array_size(field_at(result, "columns")) > 1,
        "all/N: how many times as fast with all features, by paired rounds of this run: the "
        "columns took turns at each figure. ~: no sure difference: the interval includes 1.00, "
        "or lies within 0.96 to 1.04, since two processes of the same kind differ by up to "
        "4 %, or there are too few rounds.");
    print_if(out, any_text(result, "shape", "stream"),
             "stream: one context and one long message, in place, no tag; what openssl speed "
             "measures.");
    print_if(out, any_text(result, "shape", "message"),
             "message: the context is kept; each is a whole message with a new IV (of signatures "
             "a digest, of key exchange the derivation alone).");
    print_if(out, any_text(result, "shape", "record"),
             "record: as TLS protects a record: a nonce each, its header as additional data, the "
             "tag made or checked.");
    print_if(out, any_text(result, "shape", "oneshot"),
             "oneshot: fetch, context and key schedule anew each time; of key exchange also the "
             "check of the peer's value, as in a handshake.");
}

static void print_line(FILE *out, const char *label, const char *what, const char *text)
{
    struct text_buffer line = {0};

    text_buffer_add(&line, "%-*s%s: %s", LABEL_WIDTH, label, what, text);
    wrap_print(out, text_buffer_text(&line), LABEL_WIDTH);
    text_buffer_cleanup(&line);
}

/* What is skipped for every size is named without one; the id says which column it is of. */
static const char *name_of(const json_t *result, const json_t *item)
{
    bool whole = strcmp(field_text(item, "status"), "skipped") == 0 && !field_at(item, "size");
    const json_t *base = json_array_get(field_at(result, "columns"), 0);
    bool other = base && strcmp(field_text(item, "column"), field_text(base, "label")) != 0;

    return field_text(item, whole && !other ? "algorithm" : "id");
}

static bool agree(const json_t *a, const json_t *b, const char *field)
{
    const json_t *x = field_at(a, field), *y = field_at(b, field);

    return x == y || (x && y && json_equal(x, y));
}

/* What the library has not is skipped in every column, and said of the first one. */
static bool is_said(const json_t *result, const json_t *item)
{
    static const char *const fields[] = {"algorithm", "backend", "shape", "direction",
                                         "size",      "status",  "reason"};
    const json_t *base = field_at(json_array_get(field_at(result, "columns"), 0), "label"), *other;
    size_t index;

    if (strcmp(field_text(item, "status"), "skipped") != 0)
        return false;
    json_array_foreach(field_at(result, "cases"), index, other)
    {
        size_t same = 0;
        if (other == item)
            return false;
        while (same < sizeof fields / sizeof fields[0] && agree(other, item, fields[same]))
            same++;
        if (same == sizeof fields / sizeof fields[0] && base &&
            json_equal(field_at(other, "column"), base))
            return true;
    }
    return false;
}

void evp_remarks_print(FILE *out, const json_t *result)
{
    const json_t *item;
    size_t index;

    if (has_figures(result))
        print_legend(out, result);
    else
        fputs("\nNothing was measured.\n", out);
    json_array_foreach(field_at(result, "cases"), index, item)
    {
        const char *reason = field_text(item, "reason"), *warning = field_text(item, "warning");
        if (reason[0] != '\0' && !is_said(result, item))
            print_line(out, field_text(item, "status"), name_of(result, item), reason);
        if (warning[0] != '\0')
            print_line(out, "warning", field_text(item, "id"), warning);
    }
}
