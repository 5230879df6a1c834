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

/* A measure's figures, and its layers. */
const struct column *columns_of(const char *measure, size_t *count);
const struct column *columns_layers_of(const char *measure, size_t *count);

/* Cells that all tables have: a text, the group that was used, a size, a number times the scale. */
void columns_text(const struct column *column, const json_t *item, char text[static GRID_CELL]);
void columns_group(const struct column *column, const json_t *item, char text[static GRID_CELL]);
void columns_size(const struct column *column, const json_t *item, char text[static GRID_CELL]);
void columns_value(const struct column *column, const json_t *item, char text[static GRID_CELL]);

/* What tells the rows apart, the same in all tables of a measure. */
#define COLUMNS_LABEL                                                                              \
    {"TLS", "", "version", 1, true, 0, columns_text},                                              \
        {"certificate", "", "certificate", 1, true, COLUMN_HOIST, columns_text},                   \
        {"suite", "", "suite", 1, true, COLUMN_NAME, columns_text},                                \
    {                                                                                              \
        "group", "", "group", 1, true, COLUMN_HOIST, columns_group                                 \
    }
#define COLUMNS_BULK_LABEL                                                                         \
    {"record", "", "record_size", 1, false, COLUMN_HOIST, columns_size},                           \
    {                                                                                              \
        "direction", "", "direction", 1, true, COLUMN_HOIST, columns_text                          \
    }

/* The marks of a row, which the last column shows and the footer explains. */
bool columns_is_wide(const json_t *item);
bool columns_is_stolen(const json_t *item);
bool columns_is_disturbed(const json_t *item);
bool columns_is_slow(const json_t *item);
bool columns_is_remarked(const json_t *item); /* has figures, and a reason to read too */

#endif
