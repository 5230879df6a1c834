#include "client/report/table_parts.h"

#include "client/report/field.h"
#include "client/report/figure.h"
#include "client/report/wrap.h"
#include "common/base/text.h"
#include "common/base/units.h"

#include <string.h>

/* Fields of a case in the order in which people name them. */
static const char *const field_names[] = {"version", "suite",       "certificate",
                                          "group",   "record_size", "direction"};

static const json_t *find_case(const struct section *section, const char *id)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(field_text(section->cases[i], "id"), id) == 0)
            return section->cases[i];
    return NULL;
}

static bool differs(const json_t *difference, const char *name)
{
    const json_t *fields = field_at(difference, "fields"), *field;
    size_t index;

    json_array_foreach(fields, index, field)
    {
        if (strcmp(json_string_value(field) != NULL ? json_string_value(field) : "", name) == 0)
            return true;
    }
    return false;
}

void sentence_add_value(struct text_buffer *text, const json_t *item, const char *name,
                        const char *separator)
{
    const char *before = text->length > 0 ? separator : "";
    const char *value = field_text(item, name);
    char size[UNITS_TEXT];
    double bytes;

    if (field_number(item, name, &bytes))
        text_buffer_add(text, "%s%s records", before, units_format_size(size, (uint64_t)bytes));
    else if (value[0] != '\0')
        text_buffer_add(text, "%s%s%s", before, strcmp(name, "version") == 0 ? "TLS " : "", value);
}

/* The fields in which the two cases differ, or those which they have in common. */
static void describe(struct text_buffer *text, const json_t *difference, const json_t *item,
                     bool different, const char *separator)
{
    for (size_t i = 0; i < sizeof field_names / sizeof field_names[0]; i++)
        if (differs(difference, field_names[i]) == different)
            sentence_add_value(text, item, field_names[i], separator);
    if (text->length == 0 && different)
        text_buffer_add(text, "the case without a group");
}

static void print_difference(FILE *out, const struct section *section, const json_t *difference)
{
    const json_t *dear = find_case(section, field_text(difference, "dear"));
    const json_t *cheap = find_case(section, field_text(difference, "cheap"));
    struct text_buffer line = {0}, a = {0}, b = {0}, common = {0};
    char ratio[FIGURE_TEXT], bound[2][FIGURE_TEXT];
    double median, low, high, pairs = 0;

    if (dear == NULL || cheap == NULL || !field_number(difference, "ratio.median", &median) ||
        !field_number(difference, "ratio.low", &low) ||
        !field_number(difference, "ratio.high", &high))
        return;
    describe(&a, difference, dear, true, " ");
    describe(&b, difference, cheap, true, " ");
    describe(&common, difference, dear, false, ", ");
    (void)field_number(difference, "ratio.rounds", &pairs);
    text_buffer_add(&line, "%s%s costs the %s %s × %s (",
                    field_true(difference, "unsure") ? "No sure difference: at most, "
                                                     : "Largest difference: ",
                    text_buffer_text(&a), field_text(difference, "cost_of"),
                    figure_ratio(ratio, median), text_buffer_text(&b));
    if (pairs < 2)
        text_buffer_add(&line, "from one pair of rounds");
    else
        text_buffer_add(&line, "%s %s to %s%s",
                        field_true(difference, "ratio.range") ? "range" : "95 % interval",
                        figure_ratio(bound[0], low), figure_ratio(bound[1], high),
                        field_true(difference, "unsure") ? ", which includes 1.00" : "");
    text_buffer_add(&line, "%s%s).", common.length > 0 ? "; both " : "", text_buffer_text(&common));
    wrap_print(out, text_buffer_text(&line), 2);
    text_buffer_cleanup(&line);
    text_buffer_cleanup(&a);
    text_buffer_cleanup(&b);
    text_buffer_cleanup(&common);
}

void sentence_print(FILE *out, const struct section *section)
{
    const json_t *differences = field_at(section->result, "differences"), *difference;
    size_t index;

    json_array_foreach(differences, index, difference)
    {
        if (strcmp(field_text(difference, "measure"), section->measure) == 0)
            print_difference(out, section, difference);
    }
}
