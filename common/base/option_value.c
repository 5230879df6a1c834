#include "common/base/option_value.h"

#include "common/base/clock.h"
#include "common/base/units.h"

#include <inttypes.h>

/* With the largest unit that needs no decimals: 90 s is "90s", 120 s is "2m". */
static void add_duration(struct text_buffer *buffer, uint64_t ns)
{
    static const struct {
        uint64_t size;
        const char *name;
    } units[] = {
        {3600 * NS_PER_S, "h"}, {60 * NS_PER_S, "m"}, {NS_PER_S, "s"},
        {NS_PER_MS, "ms"},      {NS_PER_US, "us"},    {1, "ns"},
    };
    size_t unit = 0;
    while (ns % units[unit].size != 0) {
        unit++;
    }
    text_buffer_add(buffer, "%" PRIu64 "%s", ns / units[unit].size, ns > 0 ? units[unit].name : "");
}

static void add_number(struct text_buffer *buffer, enum option_type type, uint64_t number)
{
    char text[UNITS_TEXT];
    if (type == OPTION_DURATION) {
        add_duration(buffer, number);
    } else if (type == OPTION_SIZE) {
        text_buffer_add(buffer, "%s", units_format_size(text, number));
    } else {
        text_buffer_add(buffer, "%" PRIu64, number);
    }
}

static void add_choices(struct text_buffer *buffer, const char *const *choices)
{
    for (size_t i = 0; choices[i] != NULL; i++) {
        const char *separator = i == 0 ? "" : choices[i + 1] != NULL ? ", " : " or ";
        text_buffer_add(buffer, "%s%s", separator, choices[i]);
    }
}

static bool is_number(enum option_type type)
{
    return type == OPTION_COUNT || type == OPTION_SIZE || type == OPTION_DURATION;
}

void option_value_allowed(const struct option_row *row, struct text_buffer *buffer)
{
    if (row->type == OPTION_CHOICE) {
        add_choices(buffer, row->choices);
    } else if (!is_number(row->type) || (row->min == 0 && row->max == 0)) {
        return;
    } else if (row->max == 0) {
        text_buffer_add(buffer, "at least ");
        add_number(buffer, row->type, row->min);
    } else {
        add_number(buffer, row->type, row->min);
        text_buffer_add(buffer, " to ");
        add_number(buffer, row->type, row->max);
    }
}

/* Completes the reason: "--duration: 1e9 is not a duration; allowed: 10ms to 1h". */
static bool refuse(const struct option_row *row, struct error *err)
{
    if (err == NULL) {
        return false;
    }
    struct text_buffer allowed = {0};
    option_value_allowed(row, &allowed);
    if (allowed.length > 0) {
        error_set(err, "--%s: %s; allowed: %s", row->name, err->text, allowed.text);
    } else {
        error_prefix(err, "--%s", row->name);
    }
    text_buffer_cleanup(&allowed);
    return false;
}

static bool store_number(const struct option_row *row, uint64_t *number, const char *text,
                         struct error *err)
{
    uint64_t value = 0;
    bool read = row->type == OPTION_COUNT  ? units_parse_count(text, &value, err)
                : row->type == OPTION_SIZE ? units_parse_size(text, &value, err)
                                           : units_parse_duration(text, &value, err);
    if (!read) {
        return refuse(row, err);
    }
    if (value < row->min || (row->max != 0 && value > row->max)) {
        error_set(err, "%s is out of range", text);
        return refuse(row, err);
    }
    *number = value;
    return true;
}

static const char *next_choice(size_t index, const void *context)
{
    return ((const struct option_row *)context)->choices[index];
}

static bool store_choice(const struct option_row *row, int *choice, const char *text,
                         struct error *err)
{
    for (int i = 0; row->choices[i] != NULL; i++) {
        if (text_equal_nocase(row->choices[i], text)) {
            *choice = i;
            return true;
        }
    }
    const char *nearest = text_nearest(text, next_choice, row);
    if (nearest != NULL) {
        error_set(err, "%s is not known, did you mean %s?", text, nearest);
    } else {
        error_set(err, "%s is not known", text[0] != '\0' ? text : "\"\"");
    }
    return refuse(row, err);
}

/* An empty list would mean "not given", which is the opposite of what was typed. */
static bool store_list(const struct option_row *row, struct text_list *list, const char *text,
                       struct error *err)
{
    size_t before = list->count;
    text_list_add_split(list, text, ",");
    return list->count > before || error_set(err, "--%s: the list is empty", row->name);
}

bool option_value_store(const struct option_row *row, void *into, const char *text,
                        struct error *err)
{
    void *field = (char *)into + row->offset;
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_COUNT:
    case OPTION_SIZE:
    case OPTION_DURATION:
        return store_number(row, field, text, err);
    case OPTION_TEXT:
        *(const char **)field = text;
        return true;
    case OPTION_LIST:
        return store_list(row, field, text, err);
    case OPTION_REPEAT:
        text_list_add(field, text);
        return true;
    case OPTION_CHOICE:
        return store_choice(row, field, text, err);
    }
    return error_set(err, "--%s: no such type of option", row->name);
}
