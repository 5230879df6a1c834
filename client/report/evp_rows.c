#include "client/report/evp_parts.h"

#include "client/report/field.h"
#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What names a case. */
static const char *const naming[] = {"algorithm", "backend", "shape",
                                     "direction", "size",    "column"};
#define NAMING (sizeof naming / sizeof naming[0])

static bool same_value(const json_t *a, const json_t *b, const char *field)
{
    const json_t *x = json_object_get(a, field), *y = json_object_get(b, field);

    return x == y || (x && y && json_equal(x, y));
}

static bool same_row(const json_t *a, const json_t *b, const char *axis)
{
    for (size_t i = 0; i < NAMING; i++)
        if (strcmp(naming[i], axis) != 0 && !same_value(a, b, naming[i]))
            return false;
    return true;
}

static bool takes_part(const json_t *item, const char *family)
{
    return strcmp(field_text(item, "family"), family) == 0 &&
           strcmp(field_text(item, "status"), "skipped") != 0;
}

static void axis_add(struct evp_axis *axis, const json_t *value)
{
    for (size_t i = 0; i < axis->count; i++)
        if (json_equal(axis->values[i], value))
            return;
    axis->values = memory_grow(axis->values, axis->count + 1, sizeof *axis->values);
    axis->values[axis->count++] = value;
}

struct evp_axis evp_axis_new(const json_t *result, const char *family, const char *field)
{
    struct evp_axis axis = {.field = field};
    const json_t *item;
    size_t index;

    json_array_foreach(field_at(result, "cases"), index, item)
    {
        const json_t *value = json_object_get(item, field);
        if (takes_part(item, family) && value)
            axis_add(&axis, value);
    }
    return axis;
}

struct evp_axis evp_axis_columns(const json_t *result)
{
    struct evp_axis axis = {.field = "column"};
    const json_t *column;
    size_t index;

    json_array_foreach(field_at(result, "columns"), index, column)
    {
        axis.values = memory_grow(axis.values, axis.count + 1, sizeof *axis.values);
        axis.values[axis.count++] = json_object_get(column, "label");
    }
    return axis;
}

void evp_axis_cleanup(struct evp_axis *axis)
{
    free(axis->values);
    *axis = (struct evp_axis){0};
}

static size_t position(const struct evp_axis *axis, const json_t *item)
{
    const json_t *value = json_object_get(item, axis->field);

    for (size_t i = 0; i < axis->count; i++)
        if (value && json_equal(axis->values[i], value))
            return i;
    return axis->count;
}

static struct evp_row *find_row(struct evp_row *rows, size_t count, const json_t *item,
                                const struct evp_axis *axis)
{
    for (size_t i = count; i-- > 0;) /* most likely the last one */
        if (same_row(rows[i].first, item, axis->field))
            return &rows[i];
    return NULL;
}

struct evp_row *evp_rows_new(const json_t *result, const char *family, const struct evp_axis *axis,
                             size_t *count)
{
    struct evp_row *rows = NULL;
    const json_t *item;
    size_t index;

    *count = 0;
    json_array_foreach(field_at(result, "cases"), index, item)
    {
        if (!takes_part(item, family))
            continue;
        struct evp_row *row = find_row(rows, *count, item, axis);
        if (!row) {
            rows = memory_grow(rows, *count + 1, sizeof *rows);
            row = &rows[(*count)++];
            *row = (struct evp_row){item, memory_new(axis->count + 1, sizeof *row->cells)};
        }
        row->cells[position(axis, item)] = item;
    }
    return rows;
}

void evp_rows_free(struct evp_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(rows[i].cells);
    free(rows);
}
