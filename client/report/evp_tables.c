#include "client/report/evp_parts.h"

#include "client/report/field.h"
#include "client/report/figure.h"
#include "client/report/wrap.h"
#include "common/base/units.h"

#include <string.h>

#define SIZES_A_TABLE 6
#define MEGA          1e-6
#define WIDE          0.05 /* half an interval's width over its median, as in every report */

/* --- cells --- */

static bool is_wide(const json_t *item)
{
    double median = 0, low = 0, high = 0;

    return field_number(item, "rate.median", &median) && field_number(item, "rate.low", &low) &&
           field_number(item, "rate.high", &high) && (high - low) / 2 > WIDE * median;
}

static bool is_remarked(const json_t *item)
{
    return field_text(item, "reason")[0] != '\0' || field_text(item, "warning")[0] != '\0';
}

void evp_figure(char text[static GRID_CELL], const json_t *item, double scale)
{
    char figure[FIGURE_TEXT];

    if (!item)
        (void)snprintf(text, GRID_CELL, "–");
    else if (!field_at(item, "rate"))
        (void)snprintf(text, GRID_CELL, "%s", field_text(item, "status"));
    else
        (void)snprintf(text, GRID_CELL, "%s%s%s%s",
                       figure_spread(figure, field_at(item, "rate"), scale),
                       field_true(item, "rate.range") ? "r" : "", is_wide(item) ? "!" : "",
                       is_remarked(item) ? "#" : "");
}

void evp_name(char text[static GRID_CELL], const json_t *item)
{
    const char *backend = field_text(item, "backend"), *name = field_text(item, "algorithm");

    if (strcmp(backend, "evp") == 0)
        (void)snprintf(text, GRID_CELL, "%s", name);
    else
        (void)snprintf(text, GRID_CELL, "%s by %s", name, backend);
}

void evp_size(char text[static GRID_CELL], const json_t *size)
{
    char words[UNITS_TEXT];

    (void)snprintf(text, GRID_CELL, "%s",
                   units_format_size(words, (uint64_t)json_integer_value(size)));
}

/* --- a table --- */

/* As lines; false where one is too wide. */
static bool render(const struct grid *grid, struct text_list *lines)
{
    static const char *const separators[] = {"  ", " "};
    bool fits = false;

    for (size_t i = 0; i < sizeof separators / sizeof separators[0] && !fits; i++) {
        text_list_cleanup(lines);
        grid_render(grid, separators[i], lines);
        fits = true;
        for (size_t line = 0; line < lines->count; line++)
            fits = fits && grid_width(lines->items[line]) <= WRAP_COLUMNS;
    }
    return fits;
}

static void print_lines(FILE *out, const char *title, const char *unit, struct text_list *lines)
{
    fprintf(out, "\n%s, %s\n", title, unit);
    for (size_t line = 0; line < lines->count; line++) {
        wrap_clean(lines->items[line]);
        fprintf(out, "%s\n", lines->items[line]);
    }
    text_list_cleanup(lines);
}

static void set_cell(struct grid_row *row, size_t column, const char *text)
{
    (void)snprintf(row->cells[column], GRID_CELL, "%s", text);
}

/* The columns that say what a row is. */
#define NAMES 3

static void add_names(struct grid_row *row, const json_t *item)
{
    evp_name(row->cells[0], item);
    set_cell(row, 1, field_text(item, "shape"));
    set_cell(row, 2, field_text(item, "direction"));
}

static void start_grid(struct grid *grid, size_t columns)
{
    grid->columns = columns;
    grid->rest_column = columns;
    for (size_t i = 0; i < NAMES; i++)
        grid->left[i] = true;
}

static struct grid_row *add_header(struct grid *grid)
{
    struct grid_row *row = grid_add(grid);

    set_cell(row, 0, "algorithm");
    set_cell(row, 1, "shape");
    set_cell(row, 2, "operation");
    return row;
}

static void cell_number(struct grid_row *row, size_t column, const json_t *item, const char *field)
{
    char figure[FIGURE_TEXT];
    double value;

    set_cell(row, column, field_number(item, field, &value) ? figure_value(figure, value) : "–");
}

/* --- tables with a column for each value of an axis --- */

/* A part of the axis: what one table shows. */
struct sheet {
    const struct evp_row *rows;
    size_t count;
    const struct evp_axis *axis;
    size_t first, last;
};

typedef void fill_sheet(struct grid *grid, const struct sheet *sheet);

static bool render_sheet(const struct sheet *sheet, fill_sheet *fill, struct text_list *lines)
{
    struct grid grid = {0};

    fill(&grid, sheet);
    bool fits = render(&grid, lines);
    grid_cleanup(&grid);
    return fits;
}

/* As many tables as it takes, from the value `first` on, each with at most `most` values, fewer
 * where they would be too wide. */
static void print_sheets(FILE *out, struct sheet sheet, fill_sheet *fill, size_t most,
                         const char *title, const char *unit)
{
    struct text_list lines = {0};

    while (sheet.count > 0 && sheet.first < sheet.axis->count) {
        size_t left = sheet.axis->count - sheet.first;
        size_t columns = left < most ? left : most;
        sheet.last = sheet.first + columns;
        while (!render_sheet(&sheet, fill, &lines) && columns > 1)
            sheet.last = sheet.first + --columns;
        print_lines(out, title, unit, &lines);
        sheet.first = sheet.last;
    }
}

/* --- a column a size --- */

static bool any_figure(const struct evp_row *row, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        if (row->cells[i])
            return true;
    return false;
}

static void add_sizes_row(struct grid *grid, const struct evp_row *row, size_t first, size_t last)
{
    struct grid_row *line = grid_add(grid);
    const json_t *longest = NULL;

    add_names(line, row->first);
    for (size_t i = first; i < last; i++) {
        evp_figure(line->cells[NAMES + i - first], row->cells[i], MEGA);
        if (row->cells[i])
            longest = row->cells[i];
    }
    cell_number(line, NAMES + last - first, longest, "cycles_per_byte");
}

static void fill_sizes(struct grid *grid, const struct sheet *sheet)
{
    size_t first = sheet->first, last = sheet->last;

    start_grid(grid, NAMES + last - first + 1);
    struct grid_row *header = add_header(grid);
    for (size_t i = first; i < last; i++)
        evp_size(header->cells[NAMES + i - first], sheet->axis->values[i]);
    set_cell(header, NAMES + last - first, "c/B");
    for (size_t i = 0; i < sheet->count; i++)
        if (any_figure(&sheet->rows[i], first, last))
            add_sizes_row(grid, &sheet->rows[i], first, last);
}

void evp_sizes_print(FILE *out, const json_t *result, const char *family, const char *title)
{
    struct evp_axis axis = evp_axis_new(result, family, "size");
    size_t count;
    struct evp_row *rows = evp_rows_new(result, family, &axis, &count);

    print_sheets(out, (struct sheet){.rows = rows, .count = count, .axis = &axis}, fill_sizes,
                 SIZES_A_TABLE, title, "MB/s by bytes of a message");
    evp_rows_free(rows, count);
    evp_axis_cleanup(&axis);
}

/* --- operations a second --- */

void evp_operations_print(FILE *out, const json_t *result, const char *family, const char *title)
{
    struct evp_axis axis = evp_axis_new(result, family, "column");
    struct text_list lines = {0};
    struct grid grid = {0};
    size_t count;
    struct evp_row *rows = evp_rows_new(result, family, &axis, &count);

    start_grid(&grid, NAMES + 3);
    struct grid_row *row = add_header(&grid);
    set_cell(row, NAMES, "ops/s");
    set_cell(row, NAMES + 1, "µs each");
    set_cell(row, NAMES + 2, "cycles");
    for (size_t i = 0; i < count; i++) {
        row = grid_add(&grid);
        add_names(row, rows[i].first);
        evp_figure(row->cells[NAMES], rows[i].first, 1);
        cell_number(row, NAMES + 1, rows[i].first, "us_per_operation");
        cell_number(row, NAMES + 2, rows[i].first, "cycles_per_operation");
    }
    if (count > 0) {
        (void)render(&grid, &lines);
        print_lines(out, title, "operations a second", &lines);
    }
    grid_cleanup(&grid);
    evp_rows_free(rows, count);
    evp_axis_cleanup(&axis);
}

/* --- a column a set of CPU features --- */

/* How many times as fast it is with all features. */
static void add_ratio(struct grid_row *row, size_t column, const json_t *item)
{
    const json_t *relative = field_at(item, "relative");
    char figure[FIGURE_TEXT];

    if (relative && figure_spread(figure, field_at(relative, "ratio"), 1)[0] != '\0')
        (void)snprintf(row->cells[column], GRID_CELL, "%s%s%s",
                       field_true(relative, "unsure") ? "~" : "", figure,
                       field_true(relative, "ratio.range") ? "r" : "");
    else
        set_cell(row, column, "–");
}

static void add_columns_row(struct grid *grid, const struct evp_row *row, size_t first, size_t last)
{
    struct grid_row *line = grid_add(grid);
    const json_t *size = field_at(row->first, "size");
    double scale = size ? MEGA : 1;
    size_t place = NAMES + 1;

    add_names(line, row->first);
    if (size)
        evp_size(line->cells[NAMES], size);
    evp_figure(line->cells[place++], row->cells[0], scale);
    for (size_t i = first; i < last; i++)
        evp_figure(line->cells[place++], row->cells[i], scale);
    for (size_t i = first; i < last; i++)
        add_ratio(line, place++, row->cells[i]);
}

/* "without 2" instead of a label that is too long for a column; the heading explains it. */
static void fill_columns(struct grid *grid, const struct sheet *sheet)
{
    size_t first = sheet->first, last = sheet->last, place = NAMES + 1;

    start_grid(grid, NAMES + 2 + 2 * (last - first));
    struct grid_row *header = add_header(grid);
    if (field_at(sheet->rows[0].first, "size"))
        set_cell(header, NAMES, "bytes");
    set_cell(header, place++, "all");
    for (size_t i = first; i < last; i++)
        (void)snprintf(header->cells[place++], GRID_CELL, "without %zu", i);
    for (size_t i = first; i < last; i++)
        (void)snprintf(header->cells[place++], GRID_CELL, "all/%zu", i);
    for (size_t i = 0; i < sheet->count; i++)
        add_columns_row(grid, &sheet->rows[i], first, last);
}

#define COLUMNS_A_TABLE ((GRID_COLUMNS - NAMES - 2) / 2)

void evp_columns_print(FILE *out, const json_t *result, const char *family, const char *title)
{
    struct evp_axis axis = evp_axis_columns(result);
    size_t count;
    struct evp_row *rows = evp_rows_new(result, family, &axis, &count);
    bool sized = count > 0 && field_at(rows[0].first, "size");

    print_sheets(out, (struct sheet){.rows = rows, .count = count, .axis = &axis, .first = 1},
                 fill_columns, COLUMNS_A_TABLE, title, sized ? "MB/s" : "operations a second");
    evp_rows_free(rows, count);
    evp_axis_cleanup(&axis);
}
