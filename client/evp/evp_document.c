#include "client/evp/evp_document.h"

#include "client/evp/evp_copy.h"
#include "client/result_parts.h"
#include "client/rounds.h"
#include "common/base/clock.h"
#include "common/base/host.h"
#include "common/base/memory.h"
#include "common/tls/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA       "suitemark-result/1"
#define ALL_FEATURES "all features"

static const char *const status_words[] = {
    [EVP_SKIPPED] = "skipped",
    [EVP_MEASURED] = "measured",
    [EVP_PARTIAL] = "partial",
    [EVP_FAILED] = "failed",
};

/* --- a case --- */

/* Bytes of an operation where a rate counts bytes, else 1. */
static double unit_of(const struct primitive_case *what)
{
    return what->size > 0 ? (double)what->size : 1;
}

static json_t *rate_json(const struct primitive_case *what, const struct evp_result *result)
{
    double unit = unit_of(what);
    struct interval rate = result->ops;

    if (result->count == 0)
        return json_null();
    rate.median *= unit;
    rate.low *= unit;
    rate.high *= unit;
    json_t *json = result_interval(&rate);
    json_object_set_new(json, "unit", json_string(what->size > 0 ? "bytes/s" : "ops/s"));
    return json;
}

static json_t *rounds_json(const struct evp_result *result)
{
    json_t *rounds = json_array();

    for (size_t i = 0; i < result->count; i++) {
        const struct timed_batch *batch = &result->rounds[i];
        json_array_append_new(
            rounds,
            json_pack("{s:I, s:I, s:o}", "count", (json_int_t)batch->count, "wall_ns",
                      (json_int_t)batch->ns, "cycles",
                      batch->cycles > 0 ? json_integer((json_int_t)batch->cycles) : json_null()));
    }
    return rounds;
}

static void add_figures(json_t *item, const struct primitive_case *what,
                        const struct evp_result *result, unsigned threads)
{
    double ops = result->ops.median;
    bool known = result->count > 0 && ops > 0;
    const char *cycles = what->size > 0 ? "cycles_per_byte" : "cycles_per_operation";

    json_object_set_new(item, "rate", rate_json(what, result));
    json_object_set_new(item, "us_per_operation", result_number(known, 1e6 * threads / ops));
    json_object_set_new(
        item, cycles,
        result_number(known && threads == 1 && result->cycles > 0, result->cycles / unit_of(what)));
    json_object_set_new(
        item, "copy_bytes_per_s",
        result_number(result->copies_per_s > 0, result->copies_per_s * unit_of(what)));
    json_object_set_new(
        item, "warning",
        evp_copy_is_beaten(result)
            ? json_string("faster than a copy of the same bytes in memory: this cannot be right")
            : json_null());
    json_object_set_new(item, "relative", json_null()); /* of the first column, or the only one */
    json_object_set_new(item, "rounds", rounds_json(result));
}

static json_t *case_json(const struct evp_record *record, size_t index)
{
    const struct primitive_case *what = &record->plan->cells[index].what;
    const struct evp_result *result = &record->results[index];
    const struct primitive_class *class = what->primitive->class;
    char id[EVP_ID], name[PRIMITIVE_NAME];

    json_t *item = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:i, s:s}", "id", evp_plan_id(what, id), "family",
        primitive_family_name(class->family), "algorithm", primitive_name(what, name), "backend",
        class->backend, "shape", primitive_shape_name(what->shape), "size",
        what->size > 0 ? json_integer((json_int_t)what->size) : json_null(), "direction",
        primitive_operation_name(what->operation), "threads", (int)record->plan->threads, "column",
        record->column ? record->column : ALL_FEATURES);
    json_object_set_new(item, "status", json_string(status_words[result->status]));
    json_object_set_new(item, "reason", result_text(result->reason));
    json_object_set_new(item, "check", result_text(result->verified));
    add_figures(item, what, result, record->plan->threads);
    return item;
}

/* --- the document --- */

static json_t *environment_json(void)
{
    json_t *host = host_facts(), *library = library_json();

    json_object_update(host, library);
    json_object_set_new(host, "role", json_string("client"));
    json_decref(library);
    return json_pack("{s:[o]}", "hosts", host);
}

/* The median of all batches: they are shorter where --max-time is short, and longer where it is
 * long and a figure is not narrow, or where threads compute together. 0: there are none. */
static double batch_ms(const struct evp_record *record)
{
    size_t count = 0, used = 0;

    for (size_t i = 0; i < record->plan->count; i++)
        count += record->results[i].count;
    double *lengths = memory_new(count + 1, sizeof *lengths);
    for (size_t i = 0; i < record->plan->count; i++)
        for (size_t k = 0; k < record->results[i].count; k++)
            lengths[used++] = (double)record->results[i].rounds[k].ns / NS_PER_MS;
    double median = sample_median(lengths, used);
    free(lengths);
    return median;
}

static json_t *parameters_json(const struct evp_record *record)
{
    const struct evp_plan *plan = record->plan;
    double batch = batch_ms(record);

    return json_pack(
        "{s:s, s:f, s:f, s:f, s:o, s:i, s:i, s:I, s:b, s:b, s:b}", "start_time", record->start_time,
        "duration_s", (double)record->duration_ns / NS_PER_S, "precision", plan->precision,
        "max_time_ms", (double)plan->max_time_ns / NS_PER_MS, "batch_ms",
        result_number(batch > 0, batch), "least_rounds", (int)plan->rounds, "threads",
        (int)plan->threads, "seed", (json_int_t)plan->seed, "legacy", (int)record->legacy, "mcrypt",
        (int)plan->mcrypt, "cycles", (int)record->cycles);
}

json_t *evp_document_new(const struct evp_record *record)
{
    json_t *cases = json_array();

    for (size_t i = 0; i < record->plan->count; i++)
        json_array_append_new(cases, case_json(record, i));
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:[], s:o}", "schema", SCHEMA, "kind", "evp",
                     "suitemark", SUITEMARK_VERSION, "interrupted", (int)record->interrupted,
                     "environment", environment_json(), "parameters", parameters_json(record),
                     "columns", "cases", cases);
}

/* --- columns --- */

json_t *evp_document_cpu_settings(const json_t *document)
{
    json_t *hosts = json_object_get(json_object_get(document, "environment"), "hosts");

    return json_object_get(json_array_get(hosts, 0), "cpu_settings");
}

/* A document with other columns tells what its own one saw. */
static void add_own_column(json_t *document, json_t *columns)
{
    if (json_array_size(columns) == 0)
        json_array_append_new(columns,
                              json_pack("{s:s, s:O?}", "label", ALL_FEATURES, "cpu_settings",
                                        evp_document_cpu_settings(document)));
}

/* The case of the document's own column that has this id; NULL: none. */
static const json_t *own_case(const json_t *cases, const char *id)
{
    const json_t *item;
    size_t index;

    json_array_foreach(cases, index, item)
    {
        const char *other = json_string_value(json_object_get(item, "id"));
        if (other && strcmp(other, id) == 0)
            return item;
    }
    return NULL;
}

/* Operations a second of a round; 0 where it has none. */
static double round_rate(const json_t *rounds, size_t index)
{
    const json_t *batch = json_array_get(rounds, index);
    double count = json_number_value(json_object_get(batch, "count"));
    double ns = json_number_value(json_object_get(batch, "wall_ns"));

    return ns > 0 ? count * 1e9 / ns : 0;
}

/* How many times as fast the other one is, by the rounds that were taken one right after the
 * other. */
static struct interval paired_ratio(const json_t *fast, const json_t *slow)
{
    const json_t *a = json_object_get(fast, "rounds"), *b = json_object_get(slow, "rounds");
    size_t more = json_array_size(a), fewer = json_array_size(b);
    size_t count = more < fewer ? more : fewer;
    double *rates = memory_new(2 * count + 1, sizeof *rates);

    for (size_t i = 0; i < count; i++) {
        rates[i] = round_rate(a, i);
        rates[count + i] = round_rate(b, i);
    }
    struct interval ratio = sample_paired_ratio(rates, rates + count, count);
    free(rates);
    return ratio;
}

/* Paired rounds see what changes from round to round, but not what a process has from its start to
 * its end, as where its memory lies: two of the same kind differed by up to this. A range of few
 * rounds says still less. */
#define PROCESS_EFFECT 0.04

static bool is_unsure(const struct interval *ratio)
{
    bool small = ratio->low >= 1 - PROCESS_EFFECT && ratio->high <= 1 + PROCESS_EFFECT;

    return small || ratio->is_range || rounds_ratio_unsure(ratio);
}

static void add_relative(json_t *item, const json_t *cases, const char *id)
{
    const json_t *base = own_case(cases, id);
    struct interval ratio = base ? paired_ratio(base, item) : (struct interval){0};

    if (ratio.count > 0)
        json_object_set_new(item, "relative",
                            json_pack("{s:s, s:o, s:b}", "to", id, "ratio", result_interval(&ratio),
                                      "unsure", (int)is_unsure(&ratio)));
}

static void add_label(json_t *document, const struct cpu_mask *mask, json_t *cpu_settings)
{
    json_t *columns = json_object_get(document, "columns");

    add_own_column(document, columns);
    json_array_append_new(columns, json_pack("{s:s+, s:s, s:s, s:O?}", "label", "without ",
                                             mask->label, "without", mask->label, "mask",
                                             mask->value, "cpu_settings", cpu_settings));
}

void evp_document_add_column(json_t *document, const struct cpu_mask *mask, const json_t *child)
{
    json_t *cases = json_object_get(document, "cases"), *item;
    size_t index;

    add_label(document, mask, evp_document_cpu_settings(child));
    json_array_foreach(json_object_get(child, "cases"), index, item)
    {
        char id[EVP_ID];
        (void)snprintf(id, sizeof id, "%s", json_string_value(json_object_get(item, "id")));
        add_relative(item, cases, id);
        json_object_set_new(item, "id", json_sprintf("%s/without %s", id, mask->label));
        json_array_append(cases, item);
    }
    if (json_is_true(json_object_get(child, "interrupted")))
        json_object_set_new(document, "interrupted", json_true());
}

/* What a case is called, without what was measured. */
static json_t *lost_case(const json_t *own, const struct cpu_mask *mask, enum evp_status status,
                         const char *reason)
{
    static const char *const figures[] = {"check",
                                          "rate",
                                          "us_per_operation",
                                          "cycles_per_byte",
                                          "cycles_per_operation",
                                          "copy_bytes_per_s",
                                          "warning"};
    const char *id = json_string_value(json_object_get(own, "id"));
    const char *was = json_string_value(json_object_get(own, "status"));
    json_t *item = json_deep_copy(own);

    json_object_set_new(item, "id", json_sprintf("%s/without %s", id, mask->label));
    json_object_set_new(item, "column", json_sprintf("without %s", mask->label));
    if (strcmp(was, status_words[EVP_SKIPPED]) == 0)
        return item;
    json_object_set_new(item, "status", json_string(status_words[status]));
    json_object_set_new(item, "reason", json_string(reason));
    json_object_set_new(item, "rounds", json_array());
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (json_object_get(item, figures[i]))
            json_object_set_new(item, figures[i], json_null());
    return item;
}

void evp_document_add_lost(json_t *document, const struct cpu_mask *mask, enum evp_status status,
                           const char *reason)
{
    json_t *cases = json_object_get(document, "cases");
    size_t count = json_array_size(cases);

    add_label(document, mask, NULL);
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(cases, i);
        const char *column = json_string_value(json_object_get(item, "column"));
        if (strcmp(column, ALL_FEATURES) == 0)
            json_array_append_new(cases, lost_case(item, mask, status, reason));
    }
}
