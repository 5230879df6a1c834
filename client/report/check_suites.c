#include "client/report/check_parts.h"

#include "client/report/field.h"
#include "client/report/figure.h"
#include "client/report/grid.h"
#include "client/report/wrap.h"
#include "common/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of the table of suites. The last seven are left out where nothing was measured. */
enum {
    COLUMN_SUITE,
    COLUMN_VERSIONS,
    COLUMN_EXCHANGE,
    COLUMN_AUTH,
    COLUMN_CERTIFICATE,
    COLUMN_MARKS,
    COLUMN_HANDSHAKES,
    COLUMN_MICROSECONDS,
    COLUMN_HANDSHAKE_RATIO,
    COLUMN_BYTES,
    COLUMN_PER_GB,
    COLUMN_BULK_RATIO,
    COLUMNS,
};

static const char *const headers[2][COLUMNS] = {
    {"suite", "TLS", "exch.", "auth", "cert.", "FAW", "handsh.", "server", "vs", "bulk", "server",
     "vs"},
    {"", "", "", "", "", "", "/s/core", "µs", "first", "GB/s", "s/GB", "first"},
};

static void set(struct grid_row *row, int column, const char *text)
{
    snprintf(row->cells[column], GRID_CELL, "%s", text[0] ? text : "–");
}

/* "1.0-1.2" of ["1.2", "1.1", "1.0"]. */
static void set_versions(struct grid_row *row, const json_t *item)
{
    const json_t *versions = field_at(item, "versions");
    size_t count = json_array_size(versions);
    const char *newest = json_string_value(json_array_get(versions, 0));
    const char *oldest = count ? json_string_value(json_array_get(versions, count - 1)) : NULL;

    if (!newest || !oldest)
        set(row, COLUMN_VERSIONS, "");
    else if (count == 1)
        set(row, COLUMN_VERSIONS, newest);
    else
        snprintf(row->cells[COLUMN_VERSIONS], GRID_CELL, "%s-%s", oldest, newest);
}

static void set_figure(struct grid_row *row, int column, const json_t *item, const char *path,
                       double scale)
{
    char text[FIGURE_TEXT];
    double value;

    set(row, column, field_number(item, path, &value) ? figure_value(text, value * scale) : "");
}

/* A ratio whose interval includes 1.00 says nothing. */
static void set_ratio(struct grid_row *row, int column, const json_t *item, const char *path)
{
    const json_t *ratio = field_at(item, path);
    char text[FIGURE_TEXT];
    double median, low, high;

    if (!field_number(ratio, "median", &median) || !field_number(ratio, "low", &low) ||
        !field_number(ratio, "high", &high)) {
        set(row, column, "");
        return;
    }
    bool unsure = low <= 1 && high >= 1 && !(low >= 1 && high <= 1);
    snprintf(row->cells[column], GRID_CELL, "%s%s", unsure ? "~" : "", figure_ratio(text, median));
}

static char weak_mark(const json_t *item)
{
    if (json_array_size(field_at(item, "weak")) == 0)
        return '-';
    return strcmp(field_text(item, "weak_level"), "note") == 0 ? 'w' : 'W';
}

static bool is_usable(const json_t *item)
{
    return field_true(item, "usable");
}

static void fill(struct grid_row *row, const json_t *item)
{
    set(row, COLUMN_SUITE, field_text(item, "suite"));
    set_versions(row, item);
    set(row, COLUMN_EXCHANGE, field_text(item, "exchange"));
    set(row, COLUMN_AUTH, field_text(item, "authentication"));
    set(row, COLUMN_CERTIFICATE, field_text(item, "certificate"));
    snprintf(row->cells[COLUMN_MARKS], GRID_CELL, "%c%c%c",
             field_true(item, "forward_secrecy") ? 'F' : '-', field_true(item, "aead") ? 'A' : '-',
             weak_mark(item));
    set_figure(row, COLUMN_HANDSHAKES, item, "handshake.per_core", 1);
    set_figure(row, COLUMN_MICROSECONDS, item, "handshake.server_cpu_us_per_handshake.median", 1);
    set_ratio(row, COLUMN_HANDSHAKE_RATIO, item, "handshake.relative");
    set_figure(row, COLUMN_BYTES, item, "bulk.rate.median", 1e-9);
    set_figure(row, COLUMN_PER_GB, item, "bulk.server_cpu_ns_per_byte.median", 1);
    set_ratio(row, COLUMN_BULK_RATIO, item, "bulk.relative");
}

static void add_headers(struct grid *grid, bool measured)
{
    for (int line = 0; line < (measured ? 2 : 1); line++) {
        struct grid_row *row = grid_add(grid);
        for (int column = 0; column < COLUMNS; column++)
            snprintf(row->cells[column], GRID_CELL, "%s", headers[line][column]);
    }
}

static void print_lines(FILE *out, const struct grid *grid)
{
    struct text_list lines = {0};

    grid_render(grid, " ", &lines);
    for (size_t i = 0; i < lines.count; i++)
        fprintf(out, "  %s\n", lines.items[i]);
    text_list_cleanup(&lines);
}

static void print_legend(FILE *out, bool measured)
{
    wrap_print(out,
               "  F forward secrecy, A authenticated encryption, W weak, w a weakness that is only "
               "noted: see the findings.",
               2);
    if (measured)
        wrap_print(out,
                   "  handsh./s/core: confirmed full handshakes that one core of the server could "
                   "make; µs: its CPU for one; s/GB: its CPU seconds for a GB. vs first: the "
                   "server's cost over that of the first suite, ~ where the interval includes "
                   "1.00. Suites with the same version, key exchange and certificate share a "
                   "handshake's figure, those with the same cipher and MAC a byte's.",
                   2);
}

static bool belongs(const json_t *suites, size_t index, const char *subject)
{
    return strcmp(field_text(json_array_get(suites, index), "subject"), subject) == 0;
}

/* Subjects come in the order of their suites; one may have none, and those of one name share them.
 */
static void find_range(const json_t *suites, const char *subject, struct check_range *range)
{
    size_t count = json_array_size(suites);

    if (range->from < count && !belongs(suites, range->from, subject))
        range->from = range->to;
    while (range->to < count && belongs(suites, range->to, subject))
        range->to++;
}

void check_suites_print(FILE *out, const json_t *result, const char *subject,
                        struct check_range *range)
{
    const json_t *suites = field_at(result, "suites");
    struct grid grid = {.rest_column = COLUMNS};
    bool measured = false;

    find_range(suites, subject, range);
    for (size_t i = range->from; i < range->to && !measured; i++)
        measured = is_usable(json_array_get(suites, i)) &&
                   field_at(json_array_get(suites, i), "handshake") != NULL;
    add_headers(&grid, measured);
    size_t header_lines = grid.count;
    for (size_t i = range->from; i < range->to; i++)
        if (is_usable(json_array_get(suites, i)))
            fill(grid_add(&grid), json_array_get(suites, i));
    grid.columns = measured ? COLUMNS : COLUMN_HANDSHAKES;
    grid.rest_column = grid.columns;
    for (int column = 0; column <= COLUMN_MARKS; column++)
        grid.left[column] = true;
    if (grid.count > header_lines) {
        fputc('\n', out);
        print_lines(out, &grid);
        print_legend(out, measured);
    }
    grid_cleanup(&grid);
}
