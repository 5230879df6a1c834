#include "client/result_parts.h"

#include "client/verdict.h"
#include "common/tls/version.h"

#include <stdio.h>

static void add_identity(json_t *object, const struct test_case *test_case)
{
    bool bulk = test_case->measure == MEASURE_BULK;

    json_object_set_new(object, "id", json_string(test_case->id));
    json_object_set_new(object, "measure", json_string(measure_name(test_case->measure)));
    json_object_set_new(object, "version", json_string(tls_version_name(test_case->version)));
    json_object_set_new(object, "suite", json_string(suite_name(test_case->suite)));
    json_object_set_new(object, "iana", json_string(test_case->suite->iana));
    json_object_set_new(object, "certificate", json_string(test_case->kind->name));
    json_object_set_new(object, "group",
                        result_text(test_case->group != NULL ? test_case->group->name : NULL));
    json_object_set_new(object, "record_size",
                        bulk ? json_integer(test_case->record_size) : json_null());
    json_object_set_new(object, "direction",
                        bulk ? json_string(direction_name(test_case->direction)) : json_null());
}

static json_t *failures_json(const struct failure_table *failures)
{
    json_t *object = json_object();

    for (size_t i = 0; i < failures->count; i++) {
        const struct failure_row *row = &failures->rows[i];
        json_t *count = json_integer((json_int_t)row->count);
        if (json_object_set(object, row->failure.text, count) != 0) /* foreign bytes, no UTF-8 */
            json_object_set(object, failure_class_name(row->failure.class), count);
        json_decref(count);
    }
    return object;
}

/* Whether the counts of both ends agree: null where the server did not tell its own. */
static json_t *agreement_json(const struct case_measurement *m)
{
    for (size_t i = 0; i < m->round_count; i++)
        if (m->rounds[i].server_known && !m->server_by_processes)
            return json_boolean(m->server_counts_agree);
    return json_null();
}

static void add_counts(json_t *object, const struct case_measurement *m, bool ran)
{
    char loop[64];

    snprintf(loop, sizeof loop, "closed, %u in flight", m->connections_used);
    json_object_set_new(object, "attempted",
                        ran ? json_integer((json_int_t)m->attempted) : json_null());
    json_object_set_new(object, "completed",
                        ran ? json_integer((json_int_t)m->completed) : json_null());
    json_object_set_new(object, "confirmed",
                        ran ? json_integer((json_int_t)m->confirmed) : json_null());
    json_object_set_new(object, "confirmed_by",
                        m->confirmed > 0 ? json_string(confirmation_name(m->confirmed_by))
                                         : json_null());
    json_object_set_new(object, "failures", failures_json(&m->failures));
    json_object_set_new(object, "drifts", ran ? json_integer((json_int_t)m->drifts) : json_null());
    json_object_set_new(object, "counts_agree", agreement_json(m));
    json_object_set_new(object, "server_shared",
                        ran ? json_boolean(m->server_shared) : json_null());
    json_object_set_new(object, "connections",
                        m->connections_used > 0 ? json_integer(m->connections_used) : json_null());
    json_object_set_new(object, "loop", result_text(m->connections_used > 0 ? loop : NULL));
}

static json_t *rate_json(const struct case_summary *summary, bool bulk)
{
    json_t *rate = result_interval(&summary->rate);

    if (!json_is_null(rate)) {
        json_object_set_new(rate, "unit", json_string(bulk ? "bytes/s" : "handshakes/s"));
        json_object_set_new(rate, "wide", json_boolean(summary->wide));
    }
    return rate;
}

static json_t *side_json(const struct side_summary *side, bool bulk)
{
    bool split = side->user > 0 || side->system > 0;
    json_t *cpu;

    if (!side->known)
        return json_null();
    cpu = result_interval(&side->cpu);
    json_object_set_new(cpu, "user", result_number(split, side->user));
    json_object_set_new(cpu, "system", result_number(split, side->system));
    return json_pack("{s:o, s:f, s:f, s:b}", bulk ? "cpu_ns_per_byte" : "cpu_us_per_handshake", cpu,
                     "utilisation", side->utilisation, "capacity_per_core", side->capacity.median,
                     "extrapolated", (int)side->extrapolated);
}

static json_t *relative_json(const struct case_summary *summary, const struct case_result *baseline)
{
    if (!summary->have_relative)
        return json_null();
    return json_pack(
        "{s:s, s:o, s:o, s:b}", "to", baseline->test_case->id, "server_cost",
        summary->relative_of_client ? json_null() : result_interval(&summary->relative),
        "client_cost",
        summary->relative_of_client ? result_interval(&summary->relative) : json_null(), "unsure",
        (int)summary->relative_unsure);
}

static void add_summary(json_t *object, const struct case_summary *summary, bool bulk,
                        const struct case_result *baseline)
{
    bool figures = verdict_has_figures(summary->status) && summary->rate.count > 0;

    json_object_set_new(object, "rate", rate_json(summary, bulk));
    json_object_set_new(object, "client", side_json(&summary->client, bulk));
    json_object_set_new(object, "server", side_json(&summary->server, bulk));
    json_object_set_new(object, "bottleneck", json_string(bottleneck_name(summary->bottleneck)));
    json_object_set_new(object, "relative", relative_json(summary, baseline));
    json_object_set_new(object, "steal_share",
                        result_number(figures && summary->steal_known, summary->steal_share));
    json_object_set_new(object, "others_share",
                        result_number(figures && summary->others_known, summary->others_share));
    json_object_set_new(object, "slow_rounds",
                        figures ? json_integer(summary->slow_rounds) : json_null());
}

static json_t *negotiated_json(const struct case_measurement *m)
{
    const struct negotiated *facts = &m->negotiated;
    const struct suite *suite = suite_by_code(facts->suite);

    if (!m->have_negotiated)
        return json_null();
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "version",
        tls_version_name(facts->version), "suite",
        result_text(suite != NULL ? suite_name(suite) : NULL), "iana",
        result_text(suite != NULL ? suite->iana : NULL), "group", result_text(facts->group),
        "signature", result_text(facts->signature), "certificate_type",
        result_text(facts->certificate_type), "certificate_bits",
        facts->certificate_bits > 0 ? json_integer(facts->certificate_bits) : json_null(),
        "certificate_curve", result_text(facts->certificate_curve), "resumed", (int)facts->resumed);
}

/* What the first connection showed; null where none was made. */
static void add_connection_facts(json_t *object, const struct case_measurement *m)
{
    bool known = m->have_negotiated;

    json_object_set_new(object, "handshake_bytes",
                        known ? json_pack("{s:I, s:I}", "in", (json_int_t)m->handshake_bytes_in,
                                          "out", (json_int_t)m->handshake_bytes_out)
                              : json_null());
    json_object_set_new(object, "tickets",
                        known ? json_integer((json_int_t)m->tickets) : json_null());
    json_object_set_new(object, "ticket_bytes",
                        known ? json_integer((json_int_t)m->ticket_bytes) : json_null());
    json_object_set_new(object, "record_size_observed",
                        m->record_size_observed > 0 ? json_integer(m->record_size_observed)
                                                    : json_null());
    json_object_set_new(object, "http_status",
                        m->http_status > 0 ? json_integer(m->http_status) : json_null());
    json_object_set_new(object, "negotiated", negotiated_json(m));
}

json_t *result_case(const struct run_record *record, const struct case_result *result,
                    const struct case_result *baseline)
{
    const struct case_measurement *m = &result->measurement;
    bool bulk = result->test_case->measure == MEASURE_BULK;
    bool ran = result->skipped == NULL;
    struct case_summary summary;
    json_t *object = json_object();

    summary_of(result, record->plan->schedule.rounds, baseline, &summary);
    add_identity(object, result->test_case);
    json_object_set_new(object, "status", json_string(case_status_name(summary.status)));
    json_object_set_new(object, "reason", result_text(summary.reason));
    json_object_set_new(object, "note", result_text(ran ? m->note : NULL));
    add_counts(object, m, ran);
    add_summary(object, &summary, bulk, baseline);
    json_object_set_new(object, "latency_ms",
                        verdict_has_figures(summary.status) ? result_latency(m) : json_null());
    add_connection_facts(object, m);
    json_object_set_new(object, "layers", result_layers(record, result, &summary));
    json_object_set_new(object, "rounds", result_rounds(m));
    json_object_set_new(object, "histograms", ran ? result_histograms(m) : json_null());
    return object;
}
