#include "client/report/columns.h"

#include "client/report/field.h"
#include "client/report/figure.h"
#include "common/base/units.h"

#include <stdio.h>
#include <string.h>

#define STEAL_MARK  0.01 /* METHOD 3 */
#define OTHERS_MARK 0.03

void columns_text(const struct column *column, const json_t *item, char text[static GRID_CELL])
{
    snprintf(text, GRID_CELL, "%s", field_text(item, column->path));
}

/* The group that was used: also where the case leaves none to choose (DHE in TLS 1.2). */
void columns_group(const struct column *column, const json_t *item, char text[static GRID_CELL])
{
    const char *used = field_text(item, "negotiated.group");

    snprintf(text, GRID_CELL, "%s", used[0] != '\0' ? used : field_text(item, column->path));
}

void columns_size(const struct column *column, const json_t *item, char text[static GRID_CELL])
{
    char size[UNITS_TEXT];
    double bytes;

    if (field_number(item, column->path, &bytes))
        snprintf(text, GRID_CELL, "%s", units_format_size(size, (uint64_t)bytes));
}

static void cell_spread(const struct column *column, const json_t *item,
                        char text[static GRID_CELL])
{
    char figure[FIGURE_TEXT];

    snprintf(text, GRID_CELL, "%s",
             figure_spread(figure, field_at(item, column->path), column->scale));
}

void columns_value(const struct column *column, const json_t *item, char text[static GRID_CELL])
{
    char figure[FIGURE_TEXT];
    double value;

    if (field_number(item, column->path, &value))
        snprintf(text, GRID_CELL, "%s", figure_value(figure, value * column->scale));
}

/* `path` is the side. */
static void cell_capacity(const struct column *column, const json_t *item,
                          char text[static GRID_CELL])
{
    const json_t *side = field_at(item, column->path);
    char figure[FIGURE_TEXT];
    double capacity;

    if (field_number(side, "capacity_per_core", &capacity))
        snprintf(text, GRID_CELL, "%s%s", field_true(side, "extrapolated") ? "~" : "",
                 figure_value(figure, capacity * column->scale));
}

static const char *busy_text(const json_t *item, const char *path, char text[static FIGURE_TEXT])
{
    double share;

    if (!field_number(item, path, &share))
        return "–";
    snprintf(text, FIGURE_TEXT, "%.0f", 100 * share);
    return text;
}

static void cell_bottleneck(const struct column *column, const json_t *item,
                            char text[static GRID_CELL])
{
    char client[FIGURE_TEXT], server[FIGURE_TEXT];
    const char *side = field_text(item, column->path);

    if (strcmp(side, "unknown") == 0)
        side = "?";
    else if (strcmp(side, "neither") == 0)
        side = "none";
    snprintf(text, GRID_CELL, "%-6s %s/%s", side, busy_text(item, "client.utilisation", client),
             busy_text(item, "server.utilisation", server));
}

static void cell_relative(const struct column *column, const json_t *item,
                          char text[static GRID_CELL])
{
    const json_t *relative = field_at(item, column->path);
    char figure[FIGURE_TEXT];
    double ratio;

    if (field_number(relative, "server_cost.median", &ratio) ||
        field_number(relative, "client_cost.median", &ratio))
        snprintf(text, GRID_CELL, "%s%s", field_true(relative, "unsure") ? "~" : "",
                 figure_ratio(figure, ratio));
}

bool columns_is_wide(const json_t *item)
{
    return field_true(item, "rate.wide");
}

bool columns_is_stolen(const json_t *item)
{
    double share;

    return field_number(item, "steal_share", &share) && share > STEAL_MARK;
}

bool columns_is_disturbed(const json_t *item)
{
    double share;

    return field_number(item, "others_share", &share) && share > OTHERS_MARK;
}

bool columns_is_slow(const json_t *item)
{
    double rounds;

    return field_number(item, "slow_rounds", &rounds) && rounds > 0;
}

bool columns_is_remarked(const json_t *item)
{
    return field_at(item, "rate") != NULL && field_text(item, "reason")[0] != '\0';
}

static void cell_marks(const struct column *column, const json_t *item, char text[static GRID_CELL])
{
    (void)column;
    snprintf(text, GRID_CELL, "%s%s%s%s%s", columns_is_wide(item) ? "!" : "",
             columns_is_stolen(item) ? "s" : "", columns_is_disturbed(item) ? "o" : "",
             columns_is_slow(item) ? "*" : "", columns_is_remarked(item) ? "#" : "");
}

/* Columns that both measures share. */
#define COLUMNS_WHAT                                                                               \
    COLUMNS_LABEL,                                                                                 \
    {                                                                                              \
        "confirmed", "by", "confirmed_by", 1, true, COLUMN_HOIST | COLUMN_FACT, columns_text       \
    }
#define COLUMNS_VERDICT                                                                            \
    {                                                                                              \
        "bottleneck", "c/s busy %", "bottleneck", 1, true, COLUMN_FIGURE, cell_bottleneck          \
    }

static const struct column handshake_columns[] = {
    COLUMNS_WHAT,
    {"rate", "/s ±%", "rate", 1, false, COLUMN_FIGURE, cell_spread},
    {"server", "µs ±%", "server.cpu_us_per_handshake", 1, false, COLUMN_FIGURE | COLUMN_OPTIONAL,
     cell_spread},
    {"client", "µs ±%", "client.cpu_us_per_handshake", 1, false, COLUMN_FIGURE, cell_spread},
    {"capacity", "/s/core", "server", 1, false, COLUMN_FIGURE | COLUMN_OPTIONAL, cell_capacity},
    {"client", "/s/core", "client", 1, false, COLUMN_FIGURE | COLUMN_STAND_IN, cell_capacity},
    COLUMNS_VERDICT,
    {"p50", "ms", "latency_ms.tls.p50", 1, false, COLUMN_FIGURE | COLUMN_OPTIONAL | COLUMN_SPARE,
     columns_value},
    {"vs", "×", "relative", 1, false, COLUMN_FIGURE, cell_relative},
    {"", "", "", 1, true, COLUMN_FIGURE | COLUMN_OPTIONAL, cell_marks},
};

static const struct column bulk_columns[] = {
    COLUMNS_WHAT,
    COLUMNS_BULK_LABEL,
    {"rate", "MB/s ±%", "rate", 1e-6, false, COLUMN_FIGURE, cell_spread},
    {"server", "ns/B ±%", "server.cpu_ns_per_byte", 1, false, COLUMN_FIGURE | COLUMN_OPTIONAL,
     cell_spread},
    {"client", "ns/B ±%", "client.cpu_ns_per_byte", 1, false, COLUMN_FIGURE, cell_spread},
    {"capacity", "MB/s/core", "server", 1e-6, false, COLUMN_FIGURE | COLUMN_OPTIONAL,
     cell_capacity},
    {"client", "MB/s/core", "client", 1e-6, false, COLUMN_FIGURE | COLUMN_STAND_IN, cell_capacity},
    COLUMNS_VERDICT,
    {"vs", "×", "relative", 1, false, COLUMN_FIGURE, cell_relative},
    {"", "", "", 1, true, COLUMN_FIGURE | COLUMN_OPTIONAL, cell_marks},
};

const struct column *columns_of(const char *measure, size_t *count)
{
    if (strcmp(measure, "bulk") == 0) {
        *count = sizeof bulk_columns / sizeof bulk_columns[0];
        return bulk_columns;
    }
    *count = sizeof handshake_columns / sizeof handshake_columns[0];
    return handshake_columns;
}
