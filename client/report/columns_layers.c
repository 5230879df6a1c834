#include "client/report/columns.h"

#include "client/report/field.h"
#include "client/report/figure.h"

#include <stdio.h>
#include <string.h>

/* User and system time of the wire's cost; `path` is that cost. */
static void cell_split(const struct column *column, const json_t *item, char text[static GRID_CELL])
{
    const json_t *wire = field_at(item, column->path);
    char figures[2][FIGURE_TEXT];
    double user, system;

    if (field_number(wire, "user", &user) && field_number(wire, "system", &system))
        snprintf(text, GRID_CELL, "%.24s/%.24s", figure_value(figures[0], user),
                 figure_value(figures[1], system));
}

static void cell_percent(const struct column *column, const json_t *item,
                         char text[static GRID_CELL])
{
    double share;

    if (field_number(item, column->path, &share))
        snprintf(text, GRID_CELL, "%.0f", 100 * share);
}

/* The first header line names the side once; a blank there still is a name. */
#define SIDE(side, unit)                                                                           \
    {side,                                                                                         \
     "prim",                                                                                       \
     "layers." side ".primitive_" unit ".median",                                                  \
     1,                                                                                            \
     false,                                                                                        \
     COLUMN_FIGURE | COLUMN_OPTIONAL,                                                              \
     columns_value},                                                                               \
        {" ",                                                                                      \
         "mem",                                                                                    \
         "layers." side ".memory_" unit ".median",                                                 \
         1,                                                                                        \
         false,                                                                                    \
         COLUMN_FIGURE | COLUMN_OPTIONAL,                                                          \
         columns_value},                                                                           \
        {" ",                                                                                      \
         "wire",                                                                                   \
         "layers." side ".wire_" unit ".median",                                                   \
         1,                                                                                        \
         false,                                                                                    \
         COLUMN_FIGURE | COLUMN_OPTIONAL,                                                          \
         columns_value},                                                                           \
        {" ",       "user/sys", "layers." side ".wire_" unit,                                      \
         1,         false,      COLUMN_FIGURE | COLUMN_OPTIONAL,                                   \
         cell_split},                                                                              \
    {                                                                                              \
        " ", "eff%", "layers." side ".efficiency", 1, false, COLUMN_FIGURE | COLUMN_OPTIONAL,      \
            cell_percent                                                                           \
    }

static const struct column handshake_columns[] = {
    COLUMNS_LABEL,
    SIDE("server", "us"),
    SIDE("client", "us"),
};

static const struct column bulk_columns[] = {
    COLUMNS_LABEL,
    COLUMNS_BULK_LABEL,
    SIDE("server", "ns_per_kib"),
    SIDE("client", "ns_per_kib"),
};

const struct column *columns_layers_of(const char *measure, size_t *count)
{
    if (strcmp(measure, "bulk") == 0) {
        *count = sizeof bulk_columns / sizeof bulk_columns[0];
        return bulk_columns;
    }
    *count = sizeof handshake_columns / sizeof handshake_columns[0];
    return handshake_columns;
}
