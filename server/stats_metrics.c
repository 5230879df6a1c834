#include "server/stats.h"

#include "common/base/cpu_clock.h"
#include "common/base/text.h"

#include <inttypes.h>

static const struct metric_row {
    const char *name, *type, *help;
    size_t offset; /* of a uint64_t in struct stats_totals */
} metric_rows[] = {
#define TOTAL(field) offsetof(struct stats_totals, field)
    {"suitemark_connections_accepted_total", "counter", "Connections accepted.", TOTAL(accepted)},
    {"suitemark_connections_open", "gauge", "Connections open now.", TOTAL(open)},
    {"suitemark_connections_control_total", "counter",
     "Control connections accepted; no other figure includes them.", TOTAL(control)},
    {"suitemark_connections_refused_total", "counter",
     "Connections closed at once since there were too many.", TOTAL(refused)},
    {"suitemark_handshakes_finished_total", "counter", "Handshakes finished.", TOTAL(finished)},
    {"suitemark_handshakes_failed_total", "counter", "Handshakes that failed.", TOTAL(failed)},
    {"suitemark_handshakes_resumed_total", "counter", "Finished handshakes that resumed a session.",
     TOTAL(resumed)},
    {"suitemark_payload_in_bytes_total", "counter", "Bytes read by /sink.", TOTAL(payload_in)},
    {"suitemark_payload_out_bytes_total", "counter", "Bytes sent by /bytes.", TOTAL(payload_out)},
#undef TOTAL
};

static void add_header(struct text_buffer *out, const char *name, const char *type,
                       const char *help)
{
    text_buffer_add(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* One sample with a label, whose value is escaped as the format wants it. */
static void add_labelled(struct text_buffer *out, const char *name, const char *label,
                         const char *value, uint64_t count)
{
    text_buffer_add(out, "%s{%s=\"", name, label);
    for (const char *at = value; *at != '\0'; at++) {
        if (*at == '\n')
            text_buffer_add(out, "\\n");
        else
            text_buffer_add(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    }
    text_buffer_add(out, "\"} %" PRIu64 "\n", count);
}

static void add_certificates(struct text_buffer *out, const struct stats_source *source,
                             const struct stats_totals *totals)
{
    static const char name[] = "suitemark_certificate_handshakes_total";
    add_header(out, name, "counter", "Full handshakes finished, by certificate.");
    for (size_t i = 0; i < source->identity_count; i++)
        add_labelled(out, name, "certificate", source->identities[i].name, totals->certificates[i]);
}

static void add_outcomes(struct text_buffer *out, const struct outcomes *outcomes)
{
    static const char name[] = "suitemark_connection_outcomes_total";
    add_header(out, name, "counter", "Connections ended, by how.");
    for (size_t i = 0; i < outcomes->count; i++)
        add_labelled(out, name, "outcome", outcomes->rows[i].text,
                     counter_read(&outcomes->rows[i].count));
}

static void add_cpu(struct text_buffer *out)
{
    static const char name[] = "suitemark_cpu_seconds_total";
    const uint64_t ns = cpu_clock_process_ns();
    add_header(out, name, "counter", "CPU time of the process.");
    text_buffer_add(out, "%s %" PRIu64 ".%09" PRIu64 "\n", name, ns / 1000000000, ns % 1000000000);
}

char *stats_metrics(const struct stats_source *source)
{
    struct stats_totals totals;
    struct text_buffer out = {0};
    stats_read(source, &totals);
    for (size_t i = 0; i < sizeof metric_rows / sizeof metric_rows[0]; i++) {
        const struct metric_row *row = &metric_rows[i];
        const uint64_t *value = (const void *)((const char *)&totals + row->offset);
        add_header(&out, row->name, row->type, row->help);
        text_buffer_add(&out, "%s %" PRIu64 "\n", row->name, *value);
    }
    add_certificates(&out, source, &totals);
    add_outcomes(&out, &totals.outcomes);
    add_cpu(&out);
    return out.text;
}
