#include "client/report/evp_parts.h"

#include "client/report/field.h"
#include "client/report/figure.h"
#include "client/report/table_parts.h"
#include "client/report/wrap.h"

#include <string.h>

/* The families in the order of the report. */
static const struct family {
    const char *name, *title;
    bool sized;
} families[] = {
    {"cipher", "Ciphers", true},
    {"digest", "Digests", true},
    {"mac", "MACs", true},
    {"signature", "Signatures", false},
    {"exchange", "Key exchange", false},
    {"kem", "Key encapsulation", false},
};

static void print_first_line(FILE *out, const json_t *result)
{
    struct text_buffer line = {0};
    double seconds;

    text_buffer_add(&line, "suitemark %s evp: %s", field_text(result, "suitemark"),
                    field_text(result, "parameters.start_time"));
    if (field_number(result, "parameters.duration_s", &seconds))
        text_buffer_add(&line, ", %.1f s", seconds);
    if (field_true(result, "interrupted"))
        text_buffer_add(&line, ", interrupted: figures that were not finished are marked");
    wrap_print(out, text_buffer_text(&line), 8);
    text_buffer_cleanup(&line);
}

static void print_host(FILE *out, const json_t *result)
{
    struct text_buffer line = {0};

    heading_describe_host(json_array_get(field_at(result, "environment.hosts"), 0), &line);
    heading_labelled(out, "host", text_buffer_text(&line));
    text_buffer_cleanup(&line);
}

static void print_method(FILE *out, const json_t *result)
{
    const json_t *parameters = field_at(result, "parameters");
    struct text_buffer line = {0};
    double precision = 0, longest = 0, seed = 0, threads = 1, batch = 0;
    char length[FIGURE_TEXT];

    field_number(parameters, "precision", &precision);
    field_number(parameters, "max_time_ms", &longest);
    field_number(parameters, "seed", &seed);
    field_number(parameters, "threads", &threads);
    field_number(parameters, "batch_ms", &batch);
    text_buffer_add(&line, "each proved right, then batches ");
    if (batch > 0)
        text_buffer_add(&line, "of %s ms (median) ", figure_value(length, batch));
    text_buffer_add(&line,
                    "in turn (seed %.0f) until ±%g %% or %.0f ms; every return value checked; "
                    "%.0f thread%s",
                    seed, 100 * precision, longest, threads, threads == 1 ? "" : "s");
    if (field_true(parameters, "legacy"))
        text_buffer_add(&line, "; legacy provider loaded");
    heading_labelled(out, "method", text_buffer_text(&line));
    text_buffer_cleanup(&line);
}

/* What each column could not see, and what its library says of it. */
static void print_columns(FILE *out, const json_t *result)
{
    const json_t *column;
    size_t index;

    json_array_foreach(field_at(result, "columns"), index, column)
    {
        struct text_buffer line = {0};
        if (index == 0)
            text_buffer_add(&line, "all: %s", field_text(column, "cpu_settings"));
        else
            text_buffer_add(&line, "without %zu: %s; OPENSSL_ia32cap=%s; %s%s", index,
                            field_text(column, "without"), field_text(column, "mask"),
                            field_at(column, "cpu_settings") ? "proved: " : "not proved",
                            field_text(column, "cpu_settings"));
        heading_labelled(out, index == 0 ? "columns" : "", text_buffer_text(&line));
        text_buffer_cleanup(&line);
    }
}

void evp_table_print(FILE *out, const json_t *result)
{
    bool columns = json_array_size(field_at(result, "columns")) > 1;

    print_first_line(out, result);
    print_host(out, result);
    print_method(out, result);
    print_columns(out, result);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const struct family *family = &families[i];
        if (columns)
            evp_columns_print(out, result, family->name, family->title);
        else if (family->sized)
            evp_sizes_print(out, result, family->name, family->title);
        else
            evp_operations_print(out, result, family->name, family->title);
    }
    evp_remarks_print(out, result);
}
