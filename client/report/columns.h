#ifndef CLIENT_REPORT_COLUMNS_H
#define CLIENT_REPORT_COLUMNS_H

#include "client/report/grid.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What the tables show, a row a column. */

enum column_rule {
    COLUMN_HOIST = 1,    /* goes into the table's heading where all of several rows have the same */
    COLUMN_FACT = 2,     /* goes there even with one row: it says how, not what, was measured */
    COLUMN_OPTIONAL = 4, /* left out where no row has a value */
    COLUMN_STAND_IN = 8, /* shown only where the column before it is left out */
    COLUMN_SPARE = 16,   /* the first to go where the table would be too wide */
    COLUMN_NAME = 32,    /* may be broken into two lines at a hyphen or underscore */
    COLUMN_FIGURE = 64,  /* a failed row has none */
};

struct column {
    const char *name, *unit; /* the two lines of the header */
    const char *path;        /* of the field in a case */
    double scale;            /* from the document's unit to the header's */
    bool left;
    unsigned rules;
    /* Writes the text of one case, "" where it is not known. */
    void (*cell)(const struct column *column, const json_t *item, char text[static GRID_CELL]);
};

const struct column *columns_of(const char *measure, size_t *count);

/* The marks of a row, which the last column shows and the footer explains. */
bool columns_is_wide(const json_t *item);
bool columns_is_stolen(const json_t *item);
bool columns_is_slow(const json_t *item);
bool columns_is_remarked(const json_t *item); /* has figures, and a reason to read too */

#endif
