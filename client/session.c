#include "client/session.h"

#include "client/loopback.h"
#include "common/base/descriptors.h"
#include "common/base/memory.h"
#include "common/tls/lean_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the embedded server --- */

static void add_option(struct text_list *arguments, const char *name, const char *value)
{
    text_list_add(arguments, name);
    text_list_add(arguments, value);
}

static void add_number(struct text_list *arguments, const char *name, unsigned long long number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", number);
    add_option(arguments, name, text);
}

/* Only the kinds that the plan's runnable cases ask for. */
static void add_kinds(struct text_list *arguments, const struct plan *plan)
{
    struct text_list kinds = {0};
    struct text_buffer joined = {0};
    for (size_t i = 0; i < plan->count; i++) {
        const char *name = plan->cases[i].test_case.kind->name;
        if (!plan->cases[i].skipped[0] && !text_list_has(&kinds, name))
            text_list_add(&kinds, name);
    }
    for (size_t i = 0; i < kinds.count; i++)
        text_buffer_add(&joined, "%s%s", i ? "," : "", kinds.items[i]);
    add_option(arguments, "--certs", text_buffer_text(&joined));
    text_buffer_cleanup(&joined);
    text_list_cleanup(&kinds);
}

static void add_cpus(struct text_list *arguments, const struct cpu_list *cpus)
{
    struct text_buffer joined = {0};
    for (size_t i = 0; i < cpus->count; i++)
        text_buffer_add(&joined, "%s%d", i ? "," : "", cpus->cpus[i]);
    if (cpus->count > 0)
        add_option(arguments, "--pin", text_buffer_text(&joined));
    text_buffer_cleanup(&joined);
}

static void embedded_arguments(struct text_list *arguments, const struct run_options *options,
                               const struct plan *plan, const struct placement *placement)
{
    add_kinds(arguments, plan);
    add_number(arguments, "--threads", plan->load.threads);
    add_number(arguments, "--tickets", plan->load.tickets);
    add_cpus(arguments, &placement->server);
    if (options->cert_dir)
        add_option(arguments, "--cert-dir", options->cert_dir);
    if (options->openssl_config)
        text_list_add(arguments, "--openssl-config");
}

static bool start_embedded(struct session *session, const struct run_options *options,
                           struct plan *plan, struct interrupt *interrupt,
                           embedded_progress *progress, void *context, struct error *err)
{
    struct text_list arguments = {0};
    struct target target = {.host = "127.0.0.1", .path = "/", .literal = true};
    embedded_arguments(&arguments, options, plan, &session->placement);
    bool ok = embedded_start(&session->embedded, &arguments, interrupt, progress, context, err);
    text_list_cleanup(&arguments);
    if (!ok)
        return false;
    session->is_embedded = true;
    target.port = session->embedded.port;
    (void)snprintf(session->target, sizeof session->target, "embedded server");
    (void)snprintf(plan->load.host, sizeof plan->load.host, "localhost:%u", (unsigned)target.port);
    return resolve_target(&target, &plan->load, session->address, err);
}

/* --- what it is and offers --- */

/* The strongest proof that this target gives for this version (METHOD 1). */
static enum confirmation strongest(const struct probe *probe, const struct plan *plan, int version)
{
    if (plan->confirm_forced)
        return plan->load.confirm;
    if (probe->have_control)
        return CONFIRM_SERVER;
    if (probe->http && !probe->suitemark)
        return CONFIRM_RESPONSE;
    return version <= TLS1_2_VERSION ? CONFIRM_FINISHED : CONFIRM_CLOSE;
}

/* A case of the default plan that the target refuses may have a twin with a certificate that it
 * has. */
static void try_case(struct planned_case *planned, const struct load_settings *load,
                     struct trial *trial)
{
    struct trial other;
    trial_run(&planned->test_case, load, trial);
    if (!trial->refused[0] || !planned->instead.suite)
        return;
    trial_run(&planned->instead, load, &other);
    if (other.refused[0])
        return;
    planned->test_case = planned->instead;
    *trial = other;
}

static void try_cases(struct session *session, struct plan *plan, struct interrupt *interrupt)
{
    session->trials = memory_new(plan->count, sizeof *session->trials);
    session->confirm = memory_new(plan->count, sizeof *session->confirm);
    const char **refused = memory_new(plan->count, sizeof *refused);
    for (size_t i = 0; i < plan->count && interrupt->count == 0; i++) {
        struct planned_case *planned = &plan->cases[i];
        if (planned->skipped[0])
            continue;
        try_case(planned, &plan->load, &session->trials[i]);
        session->confirm[i] = strongest(&session->probe, plan, planned->test_case.version);
        refused[i] = session->trials[i].refused[0] ? session->trials[i].refused : NULL;
        (void)interrupt_wait(interrupt, -1, 0); /* a silent target may hold each trial long */
    }
    struct target_facts facts = {.suitemark = session->probe.suitemark,
                                 .no_http = session->probe.no_http,
                                 .refused = refused};
    plan_apply_target(plan, &facts);
    free(refused);
}

bool session_prepare(struct session *session, const struct run_options *options, struct plan *plan,
                     struct error *err)
{
    struct cpu_list allowed;
    struct credentials *credentials = &session->credentials;
    const struct load_settings *load = &plan->load;
    unsigned most =
        load->connections > load->bulk_connections ? load->connections : load->bulk_connections;
    descriptors_raise();
    if (!descriptors_suffice(most, load->threads, "--connections", err))
        return false;
    if (!host_allowed_cpus(&allowed, err) ||
        !placement_choose(options->pin, &allowed, !options->have_target, &plan->load,
                          &session->placement, err))
        return false;
    if (!processes_find(&options->server_pids, &session->processes, err))
        return error_prefix(err, "--server-pid");
    if (!credentials_init(credentials, options->ca, options->client_cert, options->client_key, err))
        return false;
    if (options->lean && !(credentials->library = lean_library(err)))
        return error_prefix(err, "--lean");
    plan->load.credentials = credentials;
    return true;
}

/* The name that a verified leaf must be for: what was dialled, unless --sni says otherwise. */
static void name_peer(struct credentials *credentials, const struct run_options *options,
                      const struct load_settings *load)
{
    const char *host = options->have_target ? options->target.host : "127.0.0.1";
    credentials->verify_address = load->server_name[0] == '\0';
    (void)snprintf(credentials->verify_name, sizeof credentials->verify_name, "%s",
                   credentials->verify_address ? host : load->server_name);
}

bool session_open(struct session *session, const struct run_options *options, struct plan *plan,
                  struct interrupt *interrupt, embedded_progress *progress, void *context,
                  struct error *err)
{
    plan->load.interrupt = interrupt;
    if (!options->have_target) {
        if (!start_embedded(session, options, plan, interrupt, progress, context, err))
            return false;
    } else {
        bool url = options->target.url;
        (void)snprintf(session->target, sizeof session->target, "%s%s%s", url ? "https://" : "",
                       plan->load.host, url ? plan->load.path : "");
        if (!resolve_target(&options->target, &plan->load, session->address, err))
            return false;
    }
    name_peer(&session->credentials, options, &plan->load);
    if (!probe_target(&plan->load, &session->probe, err))
        return error_prefix(err, "%s", session->address);
    watch_choose(&session->placement.client, &session->placement.allowed,
                 loopback_address(&plan->load.address),
                 json_object_get(session->probe.stats, "configuration"), &session->processes,
                 &session->watch);
    plan->load.suitemark_names = session->probe.suitemark && !options->sni;
    try_cases(session, plan, interrupt);
    return true;
}

void session_close(struct session *session)
{
    probe_cleanup(&session->probe);
    credentials_cleanup(&session->credentials);
    if (session->is_embedded)
        embedded_stop(&session->embedded);
    free(session->trials);
    free(session->confirm);
    session->trials = NULL;
    session->confirm = NULL;
}
