#include "client/report/table_parts.h"

#include "client/report/columns.h"
#include "client/report/field.h"
#include "client/report/wrap.h"
#include "common/base/text.h"

#include <string.h>

typedef bool row_test(const json_t *item);

static bool any(const struct section *section, row_test *test)
{
    for (size_t i = 0; i < section->row_count; i++)
        if (test(section->rows[i]))
            return true;
    return false;
}

static bool has_server(const json_t *item)
{
    return field_at(item, "server") != NULL;
}

static bool is_extrapolated(const json_t *item)
{
    return field_true(item, has_server(item) ? "server.extrapolated" : "client.extrapolated");
}

static bool is_unsure(const json_t *item)
{
    return field_true(item, "relative.unsure");
}

static bool is_of_one_pair(const json_t *item)
{
    double pairs;

    return is_unsure(item) &&
           (field_number(item, "relative.server_cost.rounds", &pairs) ||
            field_number(item, "relative.client_cost.rounds", &pairs)) &&
           pairs < 2;
}

static bool is_unsure_of_many(const json_t *item)
{
    return is_unsure(item) && !is_of_one_pair(item);
}

static bool is_relative_of_client(const json_t *item)
{
    return field_at(item, "relative.client_cost") != NULL;
}

static bool has_latency(const json_t *item)
{
    return field_at(item, "latency_ms.tls.p50") != NULL;
}

/* The row that `vs` refers to, in words. */
static void add_baseline(const struct section *section, struct text_buffer *text)
{
    const char *first = NULL;

    for (size_t i = 0; i < section->row_count; i++) {
        const char *to = field_text(section->rows[i], "relative.to");
        if (first == NULL && section_has_figures(section->rows[i]))
            first = field_text(section->rows[i], "id");
        if (to[0] == '\0')
            continue;
        text_buffer_add(text, " vs: the %s's cost over that of %s, from paired rounds.",
                        any(section, is_relative_of_client) ? "client" : "server",
                        first != NULL && strcmp(to, first) == 0 ? "the first row" : to);
        return;
    }
}

static const char *spread_text(const struct section *section)
{
    size_t ranges = 0, figures = 0;

    for (size_t i = 0; i < section->row_count; i++) {
        figures += section_has_figures(section->rows[i]);
        ranges += field_true(section->rows[i], "rate.range");
    }
    if (ranges == 0)
        return "their 95 % interval";
    return ranges == figures ? "their range (too few rounds for a 95 % interval)"
                             : "their 95 % interval (of their range under 6 rounds)";
}

static void print_columns(FILE *out, const struct section *section, bool complete)
{
    bool bulk = strcmp(section->measure, "bulk") == 0;
    struct text_buffer text = {0};

    text_buffer_add(&text, "rate: %s; %s CPU time per %s;",
                    bulk ? "payload" : "confirmed handshakes",
                    any(section, has_server) ? "server, client: their" : "client: its",
                    bulk ? "payload byte" : "handshake");
    text_buffer_add(&text, " each the median of rounds ± half of %s in %% of it, rounded up.",
                    spread_text(section));
    text_buffer_add(&text, " %s: what one core of that side could do.",
                    any(section, has_server) ? "capacity" : "client /core");
    text_buffer_add(&text, " bottleneck: the side with a thread at least 92 %% busy; c/s: how busy "
                           "client and server were.");
    if (!bulk && any(section, has_latency))
        text_buffer_add(&text, " %s",
                        complete ? "p50: latency of the TLS handshake on one unloaded connection."
                                 : "Latency is left out for width; the JSON has it.");
    add_baseline(section, &text);
    wrap_print(out, text_buffer_text(&text), 0);
    text_buffer_cleanup(&text);
}

static void print_if(FILE *out, bool condition, const char *text)
{
    if (condition)
        wrap_print(out, text, 2);
}

void legend_print(FILE *out, const struct section *section, bool complete)
{
    if (!any(section, section_has_figures))
        return;
    print_columns(out, section, complete);
    print_if(out, any(section, is_extrapolated),
             "~ before a capacity: extrapolated, that side was under 90 % busy.");
    print_if(out, any(section, is_unsure_of_many), "~ before a ratio: its interval includes 1.00.");
    print_if(out, any(section, is_of_one_pair), "~ before a ratio: from one pair of rounds.");
    print_if(out, any(section, columns_is_wide),
             "! the rate's interval is wide: half of it is over 5 % of the median.");
    print_if(out, any(section, columns_is_stolen),
             "s another virtual machine had over 1 % of the CPU time (steal).");
    print_if(out, any(section, columns_is_disturbed),
             "o other processes used these CPUs for over 3 % of the time: a side that they keep "
             "waiting looks idle.");
    print_if(out, any(section, columns_is_slow),
             "* a round on a machine over 10 % slower than in this run's median round.");
    print_if(out, any(section, columns_is_remarked),
             "# with failures, or with rounds missing: see its line below.");
    print_if(out, field_true(section->result, "parameters.loopback"),
             "Loopback bills the sender for the receiver's TCP work: user time and the sum of both "
             "ends are sound, system time is partly the peer's.");
    print_if(out, !any(section, has_server),
             field_true(section->result, "parameters.loopback")
                 ? "The server's CPU is not known: only suitemark-server tells it; for another one "
                   "on this host give --server-pid."
                 : "The server's CPU is not known: only suitemark-server tells it.");
}
