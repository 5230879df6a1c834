#include "client/report/check_parts.h"

#include "client/report/field.h"
#include "client/report/grid.h"
#include "client/report/wrap.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS     6
#define REST_COLUMN 2
#define WORDS_SHOWN 6

/* What comes behind a suite that was negotiated. */
static void add_outcome(struct text_buffer *text, const json_t *item)
{
    double status = 0;

    if (!field_true(item, "connects"))
        text_buffer_add(text, "%s", field_text(item, "reason"));
    else if (field_text(item, "confirmed")[0] == '\0')
        text_buffer_add(text, "not confirmed: the server says nothing after the handshake");
    else if (field_true(item, "wants_certificate"))
        text_buffer_add(text, "the server wants a client certificate, and goes on without");
    if (text->length > 0 && field_number(item, "http_status", &status))
        text_buffer_add(text, " (HTTP status %.0f)", status);
}

static void fill(struct grid_row *row, const json_t *item)
{
    struct text_buffer text = {0};
    double bits = 0;

    snprintf(row->cells[0], GRID_CELL, "%s", field_text(item, "client"));
    snprintf(row->cells[1], GRID_CELL, "%s", field_text(item, "date"));
    add_outcome(&text, item);
    if (text.length > 0) {
        const char *suite = field_text(item, "suite");
        row->rest = suite[0] ? memory_format("%s  %s, then %s%s", field_text(item, "version"),
                                             suite, field_true(item, "connects") ? "" : "fails: ",
                                             text_buffer_text(&text))
                             : memory_format("fails: %s", text_buffer_text(&text));
        wrap_clean(row->rest);
        text_buffer_cleanup(&text);
        return;
    }
    (void)field_number(item, "certificate_bits", &bits);
    snprintf(row->cells[2], GRID_CELL, "%s", field_text(item, "version"));
    snprintf(row->cells[3], GRID_CELL, "%s", field_text(item, "suite"));
    snprintf(row->cells[4], GRID_CELL, "%s %.0f", field_text(item, "certificate"), bits);
    snprintf(row->cells[5], GRID_CELL, "%s",
             field_text(item, "group")[0] ? field_text(item, "group") : "–");
}

/* Offers that could not be made, behind the table: they are long, and old clients have dozens. */
static void print_unspoken(FILE *out, const json_t *item)
{
    struct text_list words = {0};
    struct text_buffer line = {0};

    text_list_add_split(&words, field_text(item, "unspoken"), " ");
    text_buffer_add(&line,
                    "  %s also offers, and this OpenSSL cannot:", field_text(item, "client"));
    for (size_t i = 0; i < words.count && i < WORDS_SHOWN; i++)
        text_buffer_add(&line, " %s", words.items[i]);
    if (words.count > WORDS_SHOWN)
        text_buffer_add(&line, " and %zu more", words.count - WORDS_SHOWN);
    if (field_true(item, "not_provable"))
        text_buffer_add(&line, " (the outcome is not provable with this OpenSSL)");
    if (words.count > 0)
        wrap_print(out, text_buffer_text(&line), 4);
    text_buffer_cleanup(&line);
    text_list_cleanup(&words);
}

void check_clients_print(FILE *out, const json_t *result, const char *subject)
{
    const json_t *clients = field_at(result, "clients"), *item;
    struct grid grid = {.columns = COLUMNS, .rest_column = REST_COLUMN};
    struct text_list lines = {0};
    size_t index;

    json_array_foreach(clients, index, item)
    {
        if (strcmp(field_text(item, "subject"), subject) == 0)
            fill(grid_add(&grid), item);
    }
    for (int i = 0; i < COLUMNS; i++)
        grid.left[i] = true;
    if (grid.count > 0) {
        fputs("\n  Who gets what (profiles as of their dates):\n", out);
        grid_render(&grid, "  ", &lines);
    }
    for (size_t i = 0; i < lines.count; i++) {
        char *line = memory_format("  %s", lines.items[i]);
        wrap_print(out, line, 6);
        free(line);
    }
    json_array_foreach(clients, index, item)
    {
        if (strcmp(field_text(item, "subject"), subject) == 0)
            print_unspoken(out, item);
    }
    text_list_cleanup(&lines);
    grid_cleanup(&grid);
}
