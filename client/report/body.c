#include "client/report/table_parts.h"

#include "client/report/columns.h"
#include "client/report/field.h"
#include "client/report/grid.h"
#include "client/report/wrap.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 20 /* of names that are broken into two lines */

/* Ways to lay a table out, the best first; the first that fits is taken. */
struct layout {
    const char *separator;
    bool spare;       /* with columns that may go */
    bool break_names; /* long suite names on two lines */
};

static const struct layout layouts[] = {
    {"  ", true, false},
    {" ", true, false},
    {" ", false, false},
    {" ", false, true},
};

/* The columns of one table after the rules of columns.h. */
struct choice {
    const struct column *columns[GRID_COLUMNS];
    size_t count;
    bool complete;             /* no spare column was left out */
    struct text_buffer common; /* what all rows have in common */
};

/* Whether all rows that have a value have the same; `text` is it, "" where none has one. */
static bool all_same(const struct section *section, const struct column *column,
                     char text[static GRID_CELL])
{
    text[0] = '\0';
    for (size_t i = 0; i < section->row_count; i++) {
        char cell[GRID_CELL] = "";
        column->cell(column, section->rows[i], cell);
        if (cell[0] == '\0' && (column->rules & (COLUMN_FACT | COLUMN_OPTIONAL)))
            continue;
        if (text[0] != '\0' && strcmp(text, cell) != 0)
            return false;
        if (i > 0 && text[0] == '\0' && cell[0] != '\0' && !(column->rules & COLUMN_FACT))
            return false;
        memcpy(text, cell, sizeof cell);
    }
    return true;
}

static void hoist(struct choice *choice, const struct column *column, const char *value)
{
    if (value[0] != '\0')
        text_buffer_add(&choice->common, ", %s%s%s %s", column->name,
                        column->unit[0] != '\0' ? " " : "", column->unit, value);
}

static void choose(const struct section *section, bool spare, struct choice *choice)
{
    size_t count;
    const struct column *columns = section->layers ? columns_layers_of(section->measure, &count)
                                                   : columns_of(section->measure, &count);
    bool before_left_out = false;

    choice->complete = true;
    for (size_t i = 0; i < count; i++) {
        const struct column *column = &columns[i];
        char value[GRID_CELL];
        bool same = all_same(section, column, value), left_out = before_left_out;
        before_left_out = true;
        if ((column->rules & COLUMN_HOIST) && same &&
            (section->row_count > 1 || (column->rules & COLUMN_FACT)))
            hoist(choice, column, value);
        else if ((column->rules & COLUMN_OPTIONAL) && same && value[0] == '\0')
            continue;
        else if ((column->rules & COLUMN_SPARE) && !spare)
            choice->complete = false;
        else if (!(column->rules & COLUMN_STAND_IN) || left_out) {
            choice->columns[choice->count++] = column;
            before_left_out = false;
        }
    }
}

static void add_header(struct grid *grid, const struct choice *choice)
{
    struct grid_row *row = grid_add(grid);

    for (size_t i = 0; i < choice->count; i++)
        snprintf(row->cells[i], GRID_CELL, "%s", choice->columns[i]->name);
    row = grid_add(grid);
    for (size_t i = 0; i < choice->count; i++)
        snprintf(row->cells[i], GRID_CELL, "%s", choice->columns[i]->unit);
}

static void fill_row(struct grid_row *row, const struct choice *choice, const json_t *item)
{
    bool figures = section_has_figures(item);

    for (size_t i = 0; i < choice->count; i++) {
        const struct column *column = choice->columns[i];
        if (!figures && (column->rules & COLUMN_FIGURE))
            continue;
        column->cell(column, item, row->cells[i]);
        if (row->cells[i][0] == '\0' && column->name[0] != '\0')
            snprintf(row->cells[i], GRID_CELL, "–");
    }
    if (figures)
        return;
    row->rest = memory_format("%s: %s", field_text(item, "status"), field_text(item, "reason"));
    wrap_clean(row->rest);
}

/* Where a long name is broken: behind the last hyphen or underscore that still fits; 0: nowhere. */
static size_t break_at(const char *name)
{
    size_t at = 0;

    if (strlen(name) <= NAME_WIDTH)
        return 0;
    for (size_t i = 0; i < NAME_WIDTH; i++)
        if (name[i] == '-' || name[i] == '_')
            at = i + 1;
    return at;
}

/* Moves the tails of long names into a row of their own below. */
static void break_names(struct grid *grid, const struct choice *choice)
{
    for (size_t i = 0; i < choice->count; i++) {
        size_t last = grid->count - 1, at = break_at(grid->rows[last].cells[i]);
        if (!(choice->columns[i]->rules & COLUMN_NAME) || at == 0)
            continue;
        struct grid_row *tail = grid_add(grid);
        snprintf(tail->cells[i], GRID_CELL, "%s", grid->rows[last].cells[i] + at);
        grid->rows[last].cells[i][at] = '\0';
        return; /* there is one such column */
    }
}

static void build(const struct section *section, const struct choice *choice, bool broken,
                  struct grid *grid)
{
    grid->columns = choice->count;
    grid->rest_column = choice->count;
    for (size_t i = choice->count; i-- > 0;) {
        grid->left[i] = choice->columns[i]->left;
        if (choice->columns[i]->rules & COLUMN_FIGURE)
            grid->rest_column = i;
    }
    add_header(grid, choice);
    for (size_t i = 0; i < section->row_count; i++) {
        fill_row(grid_add(grid), choice, section->rows[i]);
        if (broken)
            break_names(grid, choice);
    }
}

/* Reasons are printed whole below the table, so they do not count here. */
static bool fits(const struct grid *grid, const struct text_list *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        if (grid->rows[i].rest == NULL && grid_width(lines->items[i]) > WRAP_COLUMNS)
            return false;
    return true;
}

static void print_line(FILE *out, const char *line)
{
    size_t width = 0, bytes = 0;

    if (grid_width(line) <= WRAP_COLUMNS) {
        fprintf(out, "%s\n", line);
        return;
    }
    while (width < WRAP_COLUMNS - 1) {
        bytes++;
        while (((unsigned char)line[bytes] & 0xC0) == 0x80)
            bytes++;
        width++;
    }
    fprintf(out, "%.*s…\n", (int)bytes, line);
}

static void add_load(const struct section *section, struct text_buffer *title)
{
    double connections;

    text_buffer_add(title, ": closed loop");
    for (size_t i = 0; i < section->row_count; i++) {
        if (field_number(section->rows[i], "connections", &connections)) {
            text_buffer_add(title, ", %.0f in flight", connections);
            return;
        }
    }
}

static void print_title(FILE *out, const struct section *section, const struct choice *choice)
{
    bool bulk = strcmp(section->measure, "bulk") == 0;
    struct text_buffer title = {0};

    text_buffer_add(&title, "%s", bulk ? "Bulk transfer" : "Full handshakes");
    if (section->layers)
        text_buffer_add(&title, " by layers: CPU %s",
                        bulk ? "ns per KiB of payload" : "µs per handshake");
    else
        add_load(section, &title);
    text_buffer_add(&title, "%s", text_buffer_text(&choice->common));
    wrap_print(out, text_buffer_text(&title), 2);
    text_buffer_cleanup(&title);
}

static bool try_layout(FILE *out, const struct section *section, const struct layout *layout,
                       bool last, bool *complete)
{
    struct choice choice = {0};
    struct grid grid = {0};
    struct text_list lines = {0};
    bool done;

    choose(section, layout->spare, &choice);
    build(section, &choice, layout->break_names, &grid);
    grid_render(&grid, layout->separator, &lines);
    done = last || fits(&grid, &lines);
    if (done) {
        *complete = choice.complete;
        print_title(out, section, &choice);
        for (size_t i = 0; i < lines.count; i++)
            print_line(out, lines.items[i]);
    }
    text_list_cleanup(&lines);
    grid_cleanup(&grid);
    text_buffer_cleanup(&choice.common);
    return done;
}

bool body_print(FILE *out, const struct section *section)
{
    size_t count = sizeof layouts / sizeof layouts[0];
    bool complete = true;

    for (size_t i = 0; i < count; i++)
        if (try_layout(out, section, &layouts[i], i + 1 == count, &complete))
            break;
    return complete;
}
