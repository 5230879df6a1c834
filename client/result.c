#include "client/result.h"

#include "client/difference.h"
#include "client/result_parts.h"
#include "client/verdict.h"

#include <math.h>
#include <string.h>

#define RESULT_SCHEMA "suitemark-result/1"

json_t *result_number(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

json_t *result_text(const char *text)
{
    json_t *value = text != NULL && text[0] != '\0' ? json_string(text) : NULL;

    return value != NULL ? value : json_null(); /* also where foreign bytes are no UTF-8 */
}

json_t *result_interval(const struct interval *interval)
{
    if (interval->count == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:I, s:b}", "median", interval->median, "low", interval->low,
                     "high", interval->high, "rounds", (json_int_t)interval->count, "range",
                     (int)interval->is_range);
}

/* The row that others are compared with: the one asked for, else the first that has figures. */
static const struct case_result *find_baseline(const struct run_record *record,
                                               enum measure measure)
{
    const struct case_result *first = NULL;
    char unused[VERDICT_REASON];

    for (size_t i = 0; i < record->plan->count; i++) {
        const struct case_result *result = &record->results[i];
        if (result->test_case->measure != measure)
            continue;
        if (record->baseline != NULL && strcmp(result->test_case->id, record->baseline) == 0)
            return result;
        if (first == NULL &&
            verdict_has_figures(verdict_of(result, record->plan->schedule.rounds, unused)))
            first = result;
    }
    return first;
}

static json_t *cases_json(const struct run_record *record)
{
    const struct case_result *baselines[] = {
        [MEASURE_HANDSHAKE] = find_baseline(record, MEASURE_HANDSHAKE),
        [MEASURE_BULK] = find_baseline(record, MEASURE_BULK),
    };
    json_t *cases = json_array();

    for (size_t i = 0; i < record->plan->count; i++) {
        const struct case_result *result = &record->results[i];
        json_array_append_new(cases,
                              result_case(record, result, baselines[result->test_case->measure]));
    }
    return cases;
}

static json_t *difference_json(const struct difference *difference)
{
    json_t *fields = json_array();

    for (int i = 0; i < DIFFERENCE_FIELDS; i++)
        if (difference->differs[i])
            json_array_append_new(fields,
                                  json_string(difference_field_name((enum difference_field)i)));
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:b}", "measure",
                     measure_name(difference->dear->test_case->measure), "dear",
                     difference->dear->test_case->id, "cheap", difference->cheap->test_case->id,
                     "fields", fields, "cost_of", difference->of_client ? "client" : "server",
                     "ratio", result_interval(&difference->ratio), "unsure",
                     (int)difference->unsure);
}

json_t *result_differences(const struct run_record *record)
{
    json_t *differences = json_array();
    struct difference difference;

    for (int measure = MEASURE_HANDSHAKE; measure <= MEASURE_BULK; measure++)
        if (difference_largest(record->results, record->plan->count, record->plan->schedule.rounds,
                               (enum measure)measure, &difference))
            json_array_append_new(differences, difference_json(&difference));
    return differences;
}

json_t *result_new(const struct run_record *record)
{
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "schema", RESULT_SCHEMA, "kind",
                     "run", "suitemark", SUITEMARK_VERSION, "interrupted", (int)record->interrupted,
                     "environment", result_environment(record), "parameters",
                     result_parameters(record), "cases", cases_json(record), "differences",
                     result_differences(record));
}

int result_exit_status(const json_t *result)
{
    const json_t *item;
    size_t index, measured = 0, spoiled = 0;

    if (json_is_true(json_object_get(result, "interrupted")))
        return 3;
    json_array_foreach(json_object_get(result, "cases"), index, item)
    {
        const char *status = json_string_value(json_object_get(item, "status"));
        if (status != NULL && strcmp(status, case_status_name(STATUS_MEASURED)) == 0)
            measured++;
        else if (status == NULL || strcmp(status, case_status_name(STATUS_SKIPPED)) != 0)
            spoiled++;
    }
    return spoiled > 0 || measured == 0 ? 1 : 0;
}
