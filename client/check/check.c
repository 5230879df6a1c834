#include "client/check/check.h"

#include "client/check/lint.h"
#include "client/check/options.h"
#include "client/check/outcome.h"
#include "client/check/preference.h"
#include "client/check/twin.h"
#include "client/output.h"
#include "client/report/report.h"
#include "client/subcommand.h"
#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/nginx/defaults.h"
#include "common/tls/library.h"
#include "common/tls/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_SHOWN                                                                               \
    90 /* bytes of a string, which has no blanks to wrap at; the subject has all                   \
        */

/* What a check holds from its options to its report. */
struct check_state {
    struct check_options options;
    struct library_facts library;
    struct check_input input;
    struct finding_list findings;
    struct interrupt interrupt;
    struct progress_line line;
    struct subject_outcome *outcomes; /* by subject of the input */
    struct scan *scan;
    struct client_outcome *scan_clients;
    struct soft_speeds soft;
    bool soft_tried;
    uint64_t start_ns;
    char start_time[21];
};

static int answer_help(void)
{
    puts("usage: suitemark check 'STRING' | --nginx FILE | --target HOST:PORT [options]\n"
         "\n"
         "Says which suites a cipher string, an nginx configuration or a running server really "
         "gives, which words do\n"
         "nothing, what clients get, and at what price: everything is proved by handshakes with a "
         "server of its own.\n");
    option_help(stdout, check_option_rows, check_option_count);
    puts("\nExit status: 0 nothing found, 1 findings, 2 usage or unreadable input, 3 interrupted.");
    return subcommand_printed();
}

/* --- input --- */

static bool string_certificates(const struct check_options *options, struct check_subject *subject,
                                struct finding_list *findings, struct error *err)
{
    for (size_t i = 0; i < options->cert.count; i++)
        certificate_add_files(&subject->certificates, options->cert.items[i], options->key.items[i],
                              options->key_pass_file, NULL, findings);
    subject->refused |= subject->certificates.refused;
    if (options->cert.count > 0 && options->certs.count == 0 && subject->certificates.count == 0 &&
        !subject->certificates.keyless)
        return error_set(err, "--cert: none of the certificates can be read: %s",
                         findings->items[0].text);
    return (options->cert.count > 0 && options->certs.count == 0) ||
           input_add_kinds(subject, &options->certs, err);
}

static void string_versions(const struct check_options *options, struct check_subject *subject)
{
    for (size_t i = 0; i < options->versions.count; i++)
        subject->version_on[tls_version_parse(options->versions.items[i]) - TLS1_VERSION] = true;
    if (options->versions.count == 0)
        subject->version_on[SUBJECT_12] = subject->version_on[SUBJECT_13] = true;
}

static bool read_string(struct check_state *state, struct error *err)
{
    const struct check_options *options = &state->options;
    struct check_subject *subject = input_add(&state->input, "the cipher string", "");

    const char *string = options->string ? options->string : "DEFAULT";
    snprintf(state->input.source, sizeof state->input.source, "the cipher string \"%.*s%s\"",
             SOURCE_SHOWN, string, strlen(string) > SOURCE_SHOWN ? "…" : "");
    subject_set(&subject->ciphers, options->string, NULL);
    subject_set(&subject->ciphersuites, options->tls13, "--tls13");
    subject_set(&subject->groups, options->groups, NULL);
    subject->prefer_server = subject->prefer_server_13 = options->prefer_server;
    subject->tickets = true;
    string_versions(options, subject);
    if (options->dhparam && strcmp(options->dhparam, "none") == 0) {
        subject->dh = DH_NONE;
    } else if (options->dhparam) {
        subject_set(&subject->dhparam, options->dhparam, NULL);
        subject_read_dhparam(subject, &state->findings);
    }
    return string_certificates(options, subject, &state->findings, err);
}

/* Whether all that is said of blocks that take no connection lets nginx start. */
static bool judge_asides(struct check_state *state)
{
    bool starts = true;

    state->findings.least = FINDING_ERROR;
    for (size_t i = 0; i < state->input.aside_count; i++) {
        struct check_subject *aside = &state->input.asides[i];
        state->findings.subject = aside->name;
        subject_finish(aside, &state->library, &state->findings);
        starts &= !aside->refused;
    }
    state->findings.least = FINDING_NOTE;
    return starts;
}

/* One server starts with all of its blocks or not at all. What its blocks say is looked at in any
 * case. */
static void judge_subjects(struct check_state *state)
{
    bool starts = judge_asides(state) && !state->input.refused;

    state->outcomes = memory_new(state->input.count, sizeof *state->outcomes);
    for (size_t i = 0; i < state->input.count; i++) {
        struct check_subject *subject = &state->input.subjects[i];
        state->findings.subject = subject->name;
        state->outcomes[i].subject = subject;
        subject_finish(subject, &state->library, &state->findings);
        rows_build(&state->outcomes[i].rows, subject, &state->library);
        lint(subject, &state->outcomes[i].rows, &state->findings);
        starts &= !subject->refused;
    }
    for (size_t i = 0; i < state->input.count; i++) {
        state->input.subjects[i].starts = starts;
        if (!starts)
            rows_refuse(&state->outcomes[i].rows);
    }
    state->findings.subject = NULL;
}

static bool read_input(struct check_state *state, struct error *err)
{
    const struct check_options *options = &state->options;
    const struct input_nginx nginx = {
        .path = options->nginx,
        .server_name = options->server_name,
        .version = options->nginx_version ? nginx_version_parse(options->nginx_version) : 0,
        .kinds = &options->certs,
    };

    if (options->target_text) {
        snprintf(state->input.source, sizeof state->input.source, "%.200s", options->target_text);
        text_clean_utf8(state->input.source);
        return true;
    }
    if (options->nginx ? !input_read_nginx(&state->input, &nginx, &state->findings, err)
                       : !read_string(state, err))
        return false;
    text_clean_utf8(state->input.source);
    judge_subjects(state);
    return true;
}

/* --- proof and price --- */

static void try_clients(struct check_state *state, struct subject_outcome *outcome,
                        const struct load_settings *load)
{
    outcome->clients = memory_new(profile_count, sizeof *outcome->clients);
    for (size_t i = 0; i < profile_count && state->interrupt.count == 0; i++)
        client_try(&profile_table[i], outcome->subject, &state->library, load,
                   &outcome->clients[i]);
}

static bool measure_subject(struct check_state *state, struct subject_outcome *outcome,
                            uint64_t time_ns, struct error *err)
{
    struct twin twin;

    if (outcome->subject->needs_start)
        return error_set(err, "its handshakes start with the list of another block");
    bool ok = twin_start(&twin, outcome->subject, &state->interrupt, err);
    if (ok) {
        progress_line_text(&state->line, "proving every suite by handshakes");
        proof_run(outcome->subject, &outcome->rows, &state->library, &twin.load, &state->interrupt,
                  &outcome->proof, &state->findings);
        outcome->proved = state->interrupt.count == 0;
        try_clients(state, outcome, &twin.load);
        ok = outcome->rows.usable == 0 ||
             price_run(&outcome->price, &outcome->rows, outcome->subject, &twin, time_ns,
                       &state->interrupt, state->line.terminal ? progress_line_show : NULL,
                       &state->line, err);
        outcome->priced = ok && outcome->price.document != NULL;
    }
    twin_stop(&twin);
    progress_line_clear(&state->line);
    return ok;
}

/* An earlier subject whose server would be the same. */
static const struct check_subject *find_same(const struct check_state *state, size_t index)
{
    char *wanted = twin_describe(&state->input.subjects[index]);
    const struct check_subject *same = NULL;

    for (size_t i = 0; i < index && !same; i++) {
        char *text = twin_describe(&state->input.subjects[i]);
        if (strcmp(text, wanted) == 0)
            same = &state->input.subjects[i];
        free(text);
    }
    free(wanted);
    return same;
}

static size_t mark_same(struct check_state *state)
{
    size_t distinct = 0;

    for (size_t i = 0; i < state->input.count; i++) {
        if (!state->outcomes[i].subject->starts)
            continue;
        state->outcomes[i].same_as = find_same(state, i);
        distinct += state->outcomes[i].same_as == NULL;
    }
    return distinct;
}

static void say_not_tried(struct check_state *state, const struct check_subject *subject,
                          const struct error *err)
{
    finding_add(&state->findings, FINDING_WARNING, "not tried", NULL, subject->place,
                "see the reason", "nothing was proved or measured with a server of our own: %s",
                err->text);
}

/* Measured once, for the first subject that asks for it. */
static void find_preferences(struct check_state *state, const struct subject_outcome *outcome)
{
    struct error err;

    preference_find_costly(outcome->subject, &outcome->rows, &outcome->price, outcome->clients,
                           outcome->clients ? profile_count : 0, &state->findings);
    if (!preference_forces_aes(outcome->subject, &outcome->rows) || state->interrupt.count > 0)
        return;
    if (!state->soft_tried && !soft_measure(&state->soft, &err))
        state->soft = (struct soft_speeds){0}; /* not an x86: nothing is asserted */
    state->soft_tried = true;
    preference_find_aes(outcome->subject, &state->soft, &state->findings);
}

static void measure_subjects(struct check_state *state)
{
    size_t distinct = mark_same(state);
    struct error err;

    for (size_t i = 0; i < state->input.count && state->interrupt.count == 0; i++) {
        struct subject_outcome *outcome = &state->outcomes[i];
        const struct check_subject *subject = outcome->subject;
        if (!subject->starts || outcome->same_as || subject->certificates.count == 0)
            continue;
        state->findings.subject = subject->name;
        if (!measure_subject(state, outcome, state->options.time_ns / distinct, &err))
            say_not_tried(state, subject, &err);
        advice_make(&outcome->advice, &outcome->rows, &outcome->price,
                    subject->start_ciphers.text == NULL, outcome->clients,
                    outcome->clients ? profile_count : 0);
        outcome->advised =
            outcome->priced && state->interrupt.count == 0 && subject->list.suite_b == 0;
        if (outcome->advised)
            find_preferences(state, outcome);
    }
    state->findings.subject = NULL;
}

/* --- a live target --- */

static bool scan_target(struct check_state *state, struct error *err)
{
    struct load_settings load;
    char address[ADDRESS_TEXT];
    const struct target *target = &state->options.target;

    twin_init_load(&load);
    load.interrupt = &state->interrupt;
    if (!target->literal)
        snprintf(load.server_name, sizeof load.server_name, "%s", target->host);
    if (!resolve_target(target, &load, address, err))
        return false;
    state->scan = memory_new(1, sizeof *state->scan);
    if (!scan_run(state->scan, &state->library, &load, &state->interrupt, err))
        return error_prefix(err, "%s", address);
    scan_find(state->scan, &state->findings);
    state->scan_clients = memory_new(profile_count, sizeof *state->scan_clients);
    for (size_t i = 0; i < profile_count; i++)
        client_try(&profile_table[i], NULL, &state->library, &load, &state->scan_clients[i]);
    return true;
}

/* --- the whole --- */

static int write_outcome(struct check_state *state)
{
    struct error err;
    const struct check_outcome outcome = {
        .source = state->input.source,
        .start_time = state->start_time,
        .duration_ns = clock_now_ns() - state->start_ns,
        .measured = !state->options.no_measure,
        .interrupted = state->interrupt.count > 0,
        .subjects = state->outcomes,
        .count = state->input.count,
        .scan = state->scan,
        .scan_clients = state->scan_clients,
        .findings = &state->findings,
    };
    json_t *document = outcome_json(&outcome);
    size_t found = finding_count(&state->findings, (enum finding_level)state->options.fail_on);
    int status = outcome.interrupted ? EXIT_INTERRUPTED : found > 0 ? EXIT_NOT_ALL : EXIT_ALL;

    if (!output_write(document, (enum output_format)state->options.format, state->options.output,
                      &err))
        status = subcommand_complain(&err, EXIT_USAGE);
    json_decref(document);
    return status;
}

static int run(struct check_state *state)
{
    struct error err;

    if (!library_init(false, &err) || !library_facts_read(&state->library, &err) ||
        !output_check(state->options.output, &err) || !read_input(state, &err))
        return subcommand_complain(&err, EXIT_USAGE);
    bool needs_signals = !state->options.no_measure || state->options.target_text;
    if (needs_signals && !interrupt_init(&state->interrupt, &err))
        return subcommand_complain(&err, EXIT_USAGE);
    if (state->options.target_text && !scan_target(state, &err))
        return subcommand_complain(&err, state->interrupt.count ? EXIT_INTERRUPTED : EXIT_USAGE);
    if (!state->options.no_measure && !state->options.target_text)
        measure_subjects(state);
    return write_outcome(state);
}

static void clean_up(struct check_state *state)
{
    for (size_t i = 0; state->outcomes && i < state->input.count; i++)
        subject_outcome_cleanup(&state->outcomes[i]);
    free(state->outcomes);
    free(state->scan);
    free(state->scan_clients);
    finding_cleanup(&state->findings);
    input_cleanup(&state->input);
    interrupt_cleanup(&state->interrupt);
    check_options_cleanup(&state->options);
}

int check_main(int argc, char **argv)
{
    struct check_state state = {.start_ns = clock_now_ns(), .interrupt = {.fd = -1}};
    struct error err;
    int status = EXIT_ALL;

    clock_utc_text(state.start_time);
    progress_line_init(&state.line, stderr);
    if (!check_options_parse(argc, argv, &state.options, &err))
        status = subcommand_complain(&err, EXIT_USAGE);
    else if (!state.options.help)
        status = run(&state);
    else
        status = answer_help();
    clean_up(&state);
    return status;
}
