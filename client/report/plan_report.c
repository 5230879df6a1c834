#include "client/report/report.h"

#include "client/report/wrap.h"
#include "common/base/text.h"
#include "common/base/units.h"

#include <inttypes.h>

static void print_slot(FILE *out, const struct schedule *schedule)
{
    char text[UNITS_TEXT];

    fprintf(out, "each slot: one unloaded connection %s",
            units_format_duration(text, schedule->unloaded_ns));
    fprintf(out, ", ramp %s", units_format_duration(text, schedule->warmup_ns));
    fprintf(out, ", window %s", units_format_duration(text, schedule->window_ns));
    if (schedule->layers_ns > 0)
        fprintf(out, ", layers %s", units_format_duration(text, schedule->layers_ns));
    fprintf(out, "; about %s in all\n", units_format_duration(text, schedule->slot_ns));
}

static void print_load(FILE *out, const struct plan *plan)
{
    const struct load_settings *load = &plan->load;
    struct text_buffer line = {0};

    text_buffer_add(&line, "closed loop, %u in flight (bulk: %u), %u client thread%s",
                    load->connections, load->bulk_connections, load->threads,
                    load->threads == 1 ? "" : "s");
    text_buffer_add(&line, ", confirmed by %s",
                    plan->confirm_forced ? confirmation_name(load->confirm)
                                         : "the target's strongest proof");
    text_buffer_add(&line, ", closing: %s", close_policy_name(load->close));
    if (load->tickets > 0)
        text_buffer_add(&line, ", %u ticket%s", load->tickets, load->tickets == 1 ? "" : "s");
    wrap_print(out, text_buffer_text(&line), 2);
    text_buffer_cleanup(&line);
}

static void print_case(FILE *out, const struct planned_case *planned)
{
    struct text_buffer line = {0};

    text_buffer_add(&line, "  %s", planned->test_case.id);
    if (planned->skipped[0] != '\0')
        text_buffer_add(&line, "  skipped: %s", planned->skipped);
    wrap_print(out, text_buffer_text(&line), 4);
    text_buffer_cleanup(&line);
}

void report_plan(FILE *out, const struct plan *plan)
{
    report_plan_line(out, plan);
    if (plan_runnable(plan) > 0) {
        print_slot(out, &plan->schedule);
        print_load(out, plan);
    }
    for (size_t i = 0; i < plan->count; i++)
        print_case(out, &plan->cases[i]);
}

void report_plan_line(FILE *out, const struct plan *plan)
{
    const struct schedule *schedule = &plan->schedule;
    size_t runnable = plan_runnable(plan);
    char window[UNITS_TEXT], given[UNITS_TEXT];

    if (runnable == 0) {
        fprintf(out, "no case can be run, %zu skipped\n", plan->count);
        return;
    }
    fprintf(out, "%zu case%s × %u round%s, window %s, about %.0f s, seed %" PRIu64, runnable,
            runnable == 1 ? "" : "s", schedule->rounds, schedule->rounds == 1 ? "" : "s",
            units_format_duration(window, schedule->window_ns), (double)schedule->total_ns / 1e9,
            schedule->seed);
    if (runnable < plan->count)
        fprintf(out, ", %zu skipped", plan->count - runnable);
    if (schedule->too_tight)
        fprintf(out, " (more than the %s asked for: windows are at their minimum)",
                units_format_duration(given, plan->time_ns));
    fputc('\n', out);
}
