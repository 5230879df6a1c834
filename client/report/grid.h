#ifndef CLIENT_REPORT_GRID_H
#define CLIENT_REPORT_GRID_H

#include "common/base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define GRID_COLUMNS 20
#define GRID_CELL    64 /* bytes of a cell's text */

struct grid_row {
    char cells[GRID_COLUMNS][GRID_CELL];
    char *rest; /* owned: stands in place of all cells from grid.rest_column on; NULL: none */
};

/* Cells in UTF-8, aligned by libsmartcols whatever the process's locale is. Zeroed is valid. */
struct grid {
    size_t columns, rest_column;
    bool left[GRID_COLUMNS]; /* else aligned to the right */
    struct grid_row *rows;   /* owned */
    size_t count;
};

struct grid_row *grid_add(struct grid *grid); /* valid until the next row is added */
void grid_cleanup(struct grid *grid);

/* Adds one line for each row, without blanks at its end. */
void grid_render(const struct grid *grid, const char *separator, struct text_list *lines);

/* Columns that a text takes on a terminal: its characters, all of which are of width one here. */
size_t grid_width(const char *text);

#endif
