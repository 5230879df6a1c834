#include "client/report/grid.h"

#include "common/base/memory.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

struct grid_row *grid_add(struct grid *grid)
{
    grid->rows = memory_grow(grid->rows, grid->count + 1, sizeof *grid->rows);
    memset(&grid->rows[grid->count], 0, sizeof *grid->rows);
    return &grid->rows[grid->count++];
}

void grid_cleanup(struct grid *grid)
{
    for (size_t i = 0; i < grid->count; i++)
        free(grid->rows[i].rest);
    free(grid->rows);
    memset(grid, 0, sizeof *grid);
}

size_t grid_width(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80; /* not a continuation byte of UTF-8 */
    return width;
}

static void fill_line(struct libscols_line *line, const struct grid *grid,
                      const struct grid_row *row)
{
    size_t filled = row->rest != NULL ? grid->rest_column : grid->columns;

    for (size_t i = 0; i < filled; i++)
        if (row->cells[i][0] != '\0')
            scols_line_set_data(line, i, row->cells[i]);
}

static struct libscols_table *table_new(const struct grid *grid, const char *separator)
{
    struct libscols_table *table = scols_new_table();

    if (table == NULL)
        return NULL;
    scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER); /* never cut to the terminal */
    scols_table_enable_noheadings(table, 1);
    scols_table_set_column_separator(table, separator);
    for (size_t i = 0; i < grid->columns; i++)
        scols_table_new_column(table, "", 1, grid->left[i] ? 0 : SCOLS_FL_RIGHT);
    for (size_t i = 0; i < grid->count; i++) {
        struct libscols_line *line = scols_table_new_line(table, NULL);
        if (line != NULL)
            fill_line(line, grid, &grid->rows[i]);
    }
    return table;
}

/* libsmartcols counts characters by the locale; a program that never called setlocale(3) has one in
 * which every byte of a UTF-8 sequence counts. */
static char *print_in_utf8(struct libscols_table *table)
{
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
    char *text = NULL;

    if (scols_print_table_to_string(table, &text) != 0) {
        free(text);
        text = NULL;
    }
    if (utf8 != (locale_t)0) {
        uselocale(before);
        freelocale(utf8);
    }
    return text;
}

/* Where the first column of `rest` begins: behind the widest cells before it. */
static size_t rest_offset(const struct grid *grid, const char *separator)
{
    size_t offset = 0;

    for (size_t column = 0; column < grid->rest_column; column++) {
        size_t widest = 0;
        for (size_t i = 0; i < grid->count; i++) {
            size_t width = grid_width(grid->rows[i].cells[column]);
            if (width > widest)
                widest = width;
        }
        offset += widest + strlen(separator);
    }
    return offset;
}

static void add_line(struct text_list *lines, const char *start, size_t length,
                     const struct grid_row *row, size_t offset)
{
    struct text_buffer line = {0};

    while (length > 0 && start[length - 1] == ' ')
        length--;
    text_buffer_add_bytes(&line, start, length);
    if (row->rest != NULL) {
        size_t width = grid_width(text_buffer_text(&line));
        text_buffer_add(&line, "%*s%s", (int)(offset > width ? offset - width : 1), "", row->rest);
    }
    text_list_add(lines, text_buffer_text(&line));
    text_buffer_cleanup(&line);
}

void grid_render(const struct grid *grid, const char *separator, struct text_list *lines)
{
    struct libscols_table *table = table_new(grid, separator);
    char *text = table != NULL ? print_in_utf8(table) : NULL;
    size_t offset = rest_offset(grid, separator);
    const char *start = text;

    for (size_t i = 0; i < grid->count && start != NULL; i++) {
        size_t length = strcspn(start, "\n");
        add_line(lines, start, length, &grid->rows[i], offset);
        start = start[length] == '\n' ? start + length + 1 : NULL;
    }
    free(text);
    scols_unref_table(table);
}
