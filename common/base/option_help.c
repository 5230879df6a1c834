#include "common/base/option.h"
#include "common/base/option_value.h"

#include <string.h>

#define LINE_WIDTH 100
#define LEFT_WIDTH                                                                                 \
    34 /* where a row's left part is longer, its sentence starts on the next line                  \
        */

/* Characters, not bytes: continuation bytes of UTF-8 take no column. */
static size_t columns_of(const char *text, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++) {
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return columns;
}

/* Words between blanks, each line after the first indented. The cursor stands at `column`. */
static void print_wrapped(FILE *out, const char *text, size_t indent, size_t column)
{
    bool at_start = true;
    while (*(text += strspn(text, " ")) != '\0') {
        size_t length = strcspn(text, " ");
        size_t width = columns_of(text, length);
        if (!at_start && column + 1 + width > LINE_WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            at_start = true;
        }
        fprintf(out, "%s%.*s", at_start ? "" : " ", (int)length, text);
        column += width + !at_start;
        at_start = false;
        text += length;
    }
    fputc('\n', out);
}

/* "  -o, --output FILE" */
static void add_left(struct text_buffer *buffer, const struct option_row *row)
{
    if (row->letter != 0) {
        text_buffer_add(buffer, "  -%c, --%s", row->letter, row->name);
    } else {
        text_buffer_add(buffer, "      --%s", row->name);
    }
    if (row->value != NULL) {
        text_buffer_add(buffer, " %s", row->value);
    }
}

/* The sentence, then "(10ms to 1h, default 10s)". */
static void add_right(struct text_buffer *buffer, const struct option_row *row)
{
    text_buffer_add(buffer, "%s", row->help);
    struct text_buffer facts = {0};
    option_value_allowed(row, &facts);
    if (row->fallback != NULL) {
        text_buffer_add(&facts, "%sdefault %s", facts.length > 0 ? "; " : "", row->fallback);
    }
    if (facts.length > 0) {
        text_buffer_add(buffer, " (%s)", text_buffer_text(&facts));
    }
    text_buffer_cleanup(&facts);
}

static size_t left_width(const struct option_row *rows, size_t count)
{
    size_t widest = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].name == NULL) {
            continue;
        }
        struct text_buffer left = {0};
        add_left(&left, &rows[i]);
        size_t width = columns_of(left.text, left.length) + 2;
        if (width > widest && width <= LEFT_WIDTH) {
            widest = width;
        }
        text_buffer_cleanup(&left);
    }
    return widest > 0 ? widest : LEFT_WIDTH;
}

static void print_row(FILE *out, const struct option_row *row, size_t indent)
{
    struct text_buffer left = {0}, right = {0};
    add_left(&left, row);
    add_right(&right, row);
    size_t width = columns_of(left.text, left.length);
    bool fits = width + 2 <= indent;
    fprintf(out, "%s%s%*s", left.text, fits ? "" : "\n", (int)(fits ? indent - width : indent), "");
    print_wrapped(out, right.text, indent, indent);
    text_buffer_cleanup(&left);
    text_buffer_cleanup(&right);
}

void option_help(FILE *out, const struct option_row *rows, size_t count)
{
    size_t indent = left_width(rows, count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].name != NULL) {
            print_row(out, &rows[i], indent);
        } else {
            fprintf(out, "%s%s\n", i > 0 ? "\n" : "", rows[i].help);
        }
    }
}
