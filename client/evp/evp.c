#include "client/evp/evp.h"

#include "client/evp/evp_child.h"
#include "client/evp/evp_document.h"
#include "client/evp/evp_list.h"
#include "client/output.h"
#include "client/report/report.h"
#include "client/result.h"
#include "client/subcommand.h"
#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/tls/library.h"
#include "common/tls/reason.h"

#include <openssl/provider.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

/* What `evp` holds from its options to its report. */
struct evp_state {
    int argc;
    char **argv;
    struct evp_options options;
    struct evp_plan plan;
    struct evp_result *results;
    struct evp_child *columns; /* one for each set of CPU features to be left out */
    struct interrupt interrupt;
    struct progress_line line;
    OSSL_PROVIDER *fallback, *legacy;
    uint64_t start_ns;
    char start_time[21];
};

/* --- before anything is measured --- */

/* The legacy provider alone would take the default one's place. */
static bool load_providers(struct evp_state *state, struct error *err)
{
    if (state->options.legacy) {
        state->fallback = OSSL_PROVIDER_load(NULL, "default");
        state->legacy = OSSL_PROVIDER_load(NULL, "legacy");
        if (!state->fallback || !state->legacy)
            return reason_error(err,
                                "--legacy: OpenSSL's legacy provider cannot be loaded (a package "
                                "of its own on Debian 13: openssl-provider-legacy)");
    }
    return library_has_provider(err);
}

static bool prepare(struct evp_state *state, int *status, struct error *err)
{
    struct evp_options *options = &state->options;

    *status = EXIT_USAGE;
    if (!evp_options_parse(state->argc, state->argv, options, err))
        return false;
    if (options->help)
        return true;
    if (options->cpu_without.count > 0 && !options->column && !cpu_mask_is_free(err))
        return false;
    if (options->column) /* a child of ours: it ends with its parent, and says nothing else */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (options->column)
        options->output = NULL;
    if (!library_init(options->openssl_config, err))
        return false;
    *status = EXIT_NOT_ALL;
    if (!load_providers(state, err))
        return false;
    *status = EXIT_USAGE;
    if (options->seed == 0)
        options->seed = subcommand_draw_seed();
    return options->list ||
           (evp_plan_build(options, &state->plan, err) && output_check(options->output, err));
}

/* --help and its like. True when that was all; *status is the program's. */
static bool answer_questions(struct evp_state *state, int *status)
{
    const struct evp_options *options = &state->options;

    *status = EXIT_ALL;
    if (options->help)
        evp_options_help();
    else if (options->list)
        evp_list_print(stdout, options);
    else if (options->dry_run)
        evp_list_plan(stdout, &state->plan, 1 + options->cpu_without.count);
    else
        return false;
    if (options->dry_run && evp_plan_runnable(&state->plan) == 0)
        *status = EXIT_NOT_ALL;
    if (subcommand_printed() != EXIT_ALL)
        *status = EXIT_NOT_ALL;
    return true;
}

/* --- measuring --- */

static void show_progress(void *context, const struct evp_progress *progress)
{
    struct text_buffer text = {0};
    char id[EVP_ID];

    text_buffer_add(&text, "%zu/%zu done, %.0f s left at most  %s", progress->done, progress->cells,
                    (double)progress->left_ns / 1e9, evp_plan_id(progress->what, id));
    progress_line_text(context, text.text);
    text_buffer_cleanup(&text);
}

static void fill_results(struct evp_state *state, bool cycles)
{
    const struct evp_measure measure = {
        .plan = &state->plan,
        .interrupt = &state->interrupt,
        .cycles = cycles,
        .columns = state->columns,
        .column_count = state->columns ? state->options.cpu_without.count : 0,
        .progress = state->options.column ? NULL : show_progress,
        .progress_context = &state->line,
    };

    state->results = memory_new(state->plan.count + 1, sizeof *state->results);
    if (state->options.column)
        evp_measure_obey(&measure, stdin, stdout, state->results);
    else
        evp_measure_run(&measure, state->results);
    progress_line_clear(&state->line);
}

static json_t *measure(struct evp_state *state)
{
    bool cycles = timed_loop_has_cycles();

    fill_results(state, cycles);
    const struct evp_record record = {
        .plan = &state->plan,
        .results = state->results,
        .start_time = state->start_time,
        .duration_ns = clock_now_ns() - state->start_ns,
        .column = state->options.column,
        .legacy = state->options.legacy,
        .cycles = cycles,
        .interrupted = state->interrupt.count > 0,
    };
    return evp_document_new(&record);
}

static bool make_columns(struct evp_state *state, struct error *err)
{
    const struct text_list *sets = &state->options.cpu_without;

    state->columns = memory_new(sets->count + 1, sizeof *state->columns);
    for (size_t i = 0; i < sets->count; i++)
        if (!cpu_mask_build(sets->items[i], &state->columns[i].mask, err))
            return false;
    return true;
}

/* One process after the other, so that none is disturbed while it finds the sizes of its batches;
 * none after a signal. */
static bool start_columns(struct evp_state *state, struct error *err)
{
    struct interrupt *interrupt = &state->interrupt;

    if (state->options.column)
        return true;
    if (!make_columns(state, err))
        return false;
    for (size_t i = 0; i < state->options.cpu_without.count; i++) {
        struct evp_child *child = &state->columns[i];
        char text[CPU_MASK_LABEL + 32];
        (void)interrupt_wait(interrupt, -1, 0); /* takes the signals that are there */
        if (interrupt->count > 0)
            break;
        (void)snprintf(text, sizeof text, "setting up without %s", child->mask.label);
        progress_line_text(&state->line, text);
        if (!evp_child_start(child, state->argv, state->argc, state->plan.seed, interrupt, err))
            return false;
    }
    return true;
}

/* Ends a column, and adds to the document, if there is one, what it has, or that it has nothing. */
static bool finish_column(struct evp_state *state, struct evp_child *child, json_t *document,
                          struct error *err)
{
    bool whole = document && state->interrupt.count == 0, started = child->pid > 0;
    json_t *result = started ? evp_child_finish(child, whole, &state->interrupt, err) : NULL;

    if (document && result)
        evp_document_add_column(document, &child->mask, result);
    else if (document)
        evp_document_add_lost(document, &child->mask, started ? EVP_FAILED : EVP_PARTIAL,
                              started ? err->text : "interrupted before this column was set up");
    json_decref(result);
    return result || !started;
}

static bool finish_columns(struct evp_state *state, json_t *document, struct error *err)
{
    bool ok = true;

    for (size_t i = 0; state->columns && i < state->options.cpu_without.count; i++)
        ok &= finish_column(state, &state->columns[i], document, err);
    return ok;
}

static int run(struct evp_state *state)
{
    const struct evp_options *options = &state->options;
    struct error err, missing;

    if (!interrupt_init(&state->interrupt, &err))
        return subcommand_complain(&err, EXIT_NOT_ALL);
    if (!start_columns(state, &err)) {
        progress_line_clear(&state->line);
        (void)finish_columns(state, NULL, &missing);
        return subcommand_complain(&err, EXIT_NOT_ALL);
    }
    json_t *document = measure(state);
    bool whole = finish_columns(state, document, &missing);
    int status = result_exit_status(document);
    if (!output_write(document, (enum output_format)options->format, options->output, &err))
        status = subcommand_complain(&err, EXIT_NOT_ALL);
    json_decref(document);
    return whole ? status : subcommand_complain(&missing, EXIT_NOT_ALL);
}

static void clean_up(struct evp_state *state)
{
    evp_results_free(state->results, state->plan.count);
    free(state->columns);
    evp_plan_cleanup(&state->plan);
    interrupt_cleanup(&state->interrupt);
    evp_options_cleanup(&state->options);
    OSSL_PROVIDER_unload(state->legacy);
    OSSL_PROVIDER_unload(state->fallback);
}

int evp_main(int argc, char **argv)
{
    struct evp_state state = {
        .argc = argc, .argv = argv, .start_ns = clock_now_ns(), .interrupt = {.fd = -1}};
    struct error err;
    int status;

    clock_utc_text(state.start_time);
    progress_line_init(&state.line, stderr);
    if (!prepare(&state, &status, &err))
        status = subcommand_complain(&err, (enum exit_status)status);
    else if (!answer_questions(&state, &status))
        status = run(&state);
    clean_up(&state);
    return status;
}
