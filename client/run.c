#include "client/run.h"

#include "client/evp/cpu_mask.h"
#include "client/layers/layers.h"
#include "client/list.h"
#include "client/options.h"
#include "client/output.h"
#include "client/plan.h"
#include "client/report/report.h"
#include "client/result.h"
#include "client/runner.h"
#include "client/session.h"
#include "client/sources.h"
#include "client/subcommand.h"
#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/tls/library.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>

/* What a run holds from its options to its report. */
struct run_state {
    struct run_options options;
    struct library_facts library;
    struct plan plan;
    struct interrupt interrupt;
    struct session session;
    struct layers layers;
    struct progress_line line;
    struct case_result *results;
    uint64_t start_ns;
    char start_time[21];
};

static void print_help(void)
{
    puts("usage: suitemark [run] [TARGET] [options]\n"
         "\n"
         "Measures what TLS cipher suites, certificate kinds and key-exchange groups cost on both "
         "ends of real\n"
         "connections. TARGET is host[:port], [v6][:port] or https://host[:port]/path; without "
         "one, suitemark starts\n"
         "a suitemark-server of its own on loopback.\n");
    option_help(stdout, run_option_rows, run_option_count);
    puts("\nExit status: 0 all that can be was measured, 1 something failed or nothing was "
         "measured, 2 usage,\n"
         "3 interrupted with the results kept.");
}

/* --help and its like. True when that was all; *status is the program's. */
static bool answer_questions(struct run_state *state, int *status)
{
    struct error err;
    *status = EXIT_ALL;
    if (state->options.help) {
        print_help();
    } else if (state->options.version) {
        printf("suitemark %s, %s\n", SUITEMARK_VERSION, OpenSSL_version(OPENSSL_VERSION));
    } else if (state->options.list) {
        if (!list_print(stdout, state->options.list, &state->library, &err))
            *status = subcommand_complain(&err, EXIT_USAGE);
    } else if (state->options.dry_run) {
        plan_schedule(&state->plan, 0);
        report_plan(stdout, &state->plan);
        *status = plan_runnable(&state->plan) > 0 ? EXIT_ALL : EXIT_NOT_ALL;
    } else {
        return false;
    }
    if (subcommand_printed() != EXIT_ALL)
        *status = EXIT_NOT_ALL;
    return true;
}

/* The embedded server inherits the mask; a foreign one never hears of it. */
static bool mask_cpu(const struct run_options *options, int argc, char **argv, struct error *err)
{
    struct cpu_mask mask;
    if (!options->cpu_without)
        return true;
    if (!cpu_mask_build(options->cpu_without, &mask, err) ||
        !cpu_mask_restart(&mask, "run", argc, argv, err))
        return error_prefix(err, "--cpu-without");
    fprintf(stderr, "suitemark: without %s: %s=%s%s\n", mask.label, CPU_MASK_VARIABLE, mask.value,
            options->have_target ? "; this is the client's CPU only, not the target's" : "");
    return true;
}

/* After a failure *status is the program's: of a library that lacks everything it is not usage. */
static bool read_input(struct run_state *state, int argc, char **argv, int *status,
                       struct error *err)
{
    *status = EXIT_USAGE;
    if (!run_options_parse(argc, argv, &state->options, err))
        return false;
    if (state->options.help || state->options.version)
        return true;
    if (!mask_cpu(&state->options, argc, argv, err))
        return false;
    if (!library_init(state->options.openssl_config, err))
        return false;
    if (!library_facts_read(&state->library, err)) {
        *status = EXIT_NOT_ALL;
        return false;
    }
    if (state->options.list)
        return true;
    if (state->options.seed == 0)
        state->options.seed = subcommand_draw_seed();
    return plan_build(&state->options, &state->library, &state->plan, err) &&
           output_check(state->options.output, err);
}

static void show_line(void *context, const char *text)
{
    progress_line_text(context, text);
}

static json_t *client_environment(void)
{
    json_t *environment = host_facts(), *library = library_json();
    json_object_update(environment, library);
    json_object_set_new(environment, "role", json_string("client"));
    json_decref(library);
    return environment;
}

/* Tables and the first line share standard output; JSON there must stay alone. */
static FILE *plan_line_out(const struct run_options *options)
{
    bool json_on_stdout = options->format == FORMAT_JSON && !options->output;
    return json_on_stdout ? stderr : stdout;
}

static bool measure(struct run_state *state, struct error *err)
{
    struct session *session = &state->session;
    const struct runner runner = {
        .plan = &state->plan,
        .trials = session->trials,
        .confirm = session->confirm,
        .control = session->probe.have_control ? &session->probe.control : NULL,
        .processes = &session->processes,
        .interrupt = &state->interrupt,
        .cpus = &session->placement.all,
        .watch = &session->watch,
        .start_ns = state->start_ns,
        .beside = state->plan.layers ? layers_visit : NULL,
        .beside_context = &state->layers,
        .progress = state->line.terminal ? progress_line_show : NULL,
        .progress_context = &state->line,
    };
    report_plan_line(plan_line_out(&state->options), &state->plan);
    fflush(plan_line_out(&state->options));
    bool ok = runner_run(&runner, state->results, err);
    progress_line_clear(&state->line);
    return ok;
}

/* Skips and, where the server could not be asked, its note: what the runner did not fill in. */
static void finish_results(struct run_state *state)
{
    for (size_t i = 0; i < state->plan.count; i++) {
        struct case_result *result = &state->results[i];
        const struct planned_case *planned = &state->plan.cases[i];
        result->test_case = &planned->test_case;
        result->skipped = planned->skipped[0] ? planned->skipped : NULL;
        result->layers = state->layers.cases ? &state->layers.cases[i] : NULL;
        if (!result->skipped && !result->measurement.note[0])
            (void)snprintf(result->measurement.note, sizeof result->measurement.note, "%s",
                           state->session.probe.note);
    }
}

static int write_result(struct run_state *state)
{
    struct session *session = &state->session;
    struct error err;
    json_t *environment = client_environment();
    const struct run_record record = {
        .plan = &state->plan,
        .results = state->results,
        .client_environment = environment,
        .server_environment = json_object_get(session->probe.stats, "environment"),
        .target = session->target,
        .address = session->address,
        .start_time = state->start_time,
        .duration_ns = clock_now_ns() - state->start_ns,
        .baseline = state->options.baseline,
        .embedded = session->is_embedded,
        .processes = &session->processes,
        .siblings = session->placement.siblings,
        .same_core = session->placement.shared,
        .apart = placement_is_apart(&session->placement,
                                    json_object_get(session->probe.stats, "configuration")),
        .interrupted = state->interrupt.count > 0,
        .server_name =
            state->plan.load.suitemark_names ? "KIND.suitemark.test" : state->plan.load.server_name,
    };
    json_t *result = result_new(&record);
    int status = result_exit_status(result);
    if (!output_write(result, (enum output_format)state->options.format, state->options.output,
                      &err))
        status = subcommand_complain(&err, EXIT_NOT_ALL);
    json_decref(result);
    json_decref(environment);
    return status;
}

static bool open_layers(struct run_state *state, struct error *err)
{
    return !state->plan.layers ||
           layers_init(&state->layers, &state->plan, state->session.trials, state->options.cert_dir,
                       show_line, &state->line, err);
}

static int run_plan(struct run_state *state)
{
    struct error err;
    if (!session_prepare(&state->session, &state->options, &state->plan, &err))
        return subcommand_complain(&err, EXIT_USAGE);
    if (!interrupt_init(&state->interrupt, &err))
        return subcommand_complain(&err, EXIT_NOT_ALL);
    state->results = memory_new(state->plan.count, sizeof *state->results);
    if (plan_runnable(&state->plan) > 0) {
        bool open = session_open(&state->session, &state->options, &state->plan, &state->interrupt,
                                 show_line, &state->line, &err) &&
                    open_layers(state, &err);
        progress_line_clear(&state->line);
        if (!open)
            return subcommand_complain(&err,
                                       state->interrupt.count ? EXIT_INTERRUPTED : EXIT_NOT_ALL);
        plan_schedule(&state->plan, clock_now_ns() - state->start_ns);
        if (!sources_choose(&state->options.sources, &state->plan.load, &err) ||
            !sources_suffice(&state->plan.load, state->plan.schedule.total_ns, &err))
            return subcommand_complain(&err, EXIT_USAGE);
    }
    bool ok = plan_runnable(&state->plan) == 0 || measure(state, &err);
    finish_results(state);
    int status = write_result(state);
    return ok ? status : subcommand_complain(&err, EXIT_NOT_ALL);
}

static void clean_up(struct run_state *state)
{
    layers_cleanup(&state->layers);
    session_close(&state->session);
    interrupt_cleanup(&state->interrupt);
    free(state->results);
    plan_cleanup(&state->plan);
    run_options_cleanup(&state->options);
}

int run_main(int argc, char **argv)
{
    struct run_state state = {.start_ns = clock_now_ns(), .interrupt = {.fd = -1}};
    struct error err;
    int status;
    clock_utc_text(state.start_time);
    progress_line_init(&state.line, stderr);
    if (!read_input(&state, argc, argv, &status, &err))
        status = subcommand_complain(&err, (enum exit_status)status);
    else if (!answer_questions(&state, &status))
        status = run_plan(&state);
    clean_up(&state);
    return status;
}
