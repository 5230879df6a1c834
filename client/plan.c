#include "client/plan.h"

#include "client/plan_parts.h"
#include "common/base/clock.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECTIONS_PER_THREAD =
        16, /* handshakes in flight: keeps both ends busy, and the queue short */
};

bool plan_add(struct plan *plan, const struct test_case *test_case, const char *skipped,
              struct error *err)
{
    struct planned_case *added;

    if (plan->count == PLAN_CASES_MAX)
        return error_set(err, "more than %d cases: name fewer suites, certificates or groups",
                         PLAN_CASES_MAX);
    /* Doubles, so that growing stays linear. */
    if ((plan->count & (plan->count - 1)) == 0)
        plan->cases =
            memory_grow(plan->cases, plan->count ? plan->count * 2 : 1, sizeof plan->cases[0]);
    added = &plan->cases[plan->count++];
    memset(added, 0, sizeof *added);
    added->test_case = *test_case;
    case_set_id(&added->test_case);
    snprintf(added->skipped, sizeof added->skipped, "%s", skipped);
    return true;
}

static bool add_cases(const struct run_options *options, const struct library_facts *library,
                      struct plan *plan, struct error *err)
{
    struct selection selection;

    if (!selection_read(options, library, &selection, err))
        return false;
    if (!selection_given(options))
        return plan_default_add(plan, &selection, library, err);
    if (!plan_product_add(plan, &selection, library, err))
        return false;
    if (plan->count == 0)
        return error_set(err, "nothing to measure: no certificate and version fit what is asked");
    return true;
}

static const char *next_id(size_t index, const void *context)
{
    const struct plan *plan = context;

    return index < plan->count ? plan->cases[index].test_case.id : NULL;
}

static bool check_baseline(const struct plan *plan, const char *id, struct error *err)
{
    const char *nearest;

    for (size_t i = 0; i < plan->count; i++) {
        if (strcmp(plan->cases[i].test_case.id, id) == 0)
            return true;
    }
    nearest = text_nearest(id, next_id, plan);
    return error_set(err, "--baseline: this run has no case \"%s\"%s%s", id,
                     nearest ? "; nearest: " : "; see --dry-run", nearest ? nearest : "");
}

/* SNI has no dot at the end (RFC 6066 section 3). */
static void fill_server_name(const struct run_options *options, struct load_settings *load)
{
    const struct target *target = &options->target;
    const char *name = options->sni ? options->sni : target->literal ? "" : target->host;
    size_t length = strlen(name);

    if (length > 0 && name[length - 1] == '.')
        length--;
    snprintf(load->server_name, sizeof load->server_name, "%.*s", (int)length, name);
}

static void fill_names(const struct run_options *options, struct load_settings *load)
{
    const struct target *target = &options->target;
    char port[8] = "";

    if (target->port != (target->url ? 443 : 0))
        snprintf(port, sizeof port, ":%u", target->port);
    snprintf(load->host, sizeof load->host, "%s%s%s%s", target->v6 ? "[" : "", target->host,
             target->v6 ? "]" : "", port);
    snprintf(load->path, sizeof load->path, "%s", options->path ? options->path : target->path);
    fill_server_name(options, load);
}

static enum confirmation first_confirmation(const struct run_options *options, bool url)
{
    static const enum confirmation forced[] = {
        [1] = CONFIRM_RESPONSE,
        [2] = CONFIRM_CLOSE,
    };

    if (options->confirm > 0)
        return forced[options->confirm];
    return url ? CONFIRM_RESPONSE : CONFIRM_SERVER;
}

static void fill_load(const struct run_options *options, struct load_settings *load)
{
    bool url = options->have_target && options->target.url;

    if (options->have_target) {
        fill_names(options, load);
    } else {
        snprintf(load->host, sizeof load->host, "localhost");
        snprintf(load->path, sizeof load->path, "/");
    }
    load->suitemark_names = !url;
    load->threads = options->threads ? (unsigned)options->threads : 1;
    load->connections = options->connections ? (unsigned)options->connections
                                             : CONNECTIONS_PER_THREAD * load->threads;
    load->bulk_connections = options->connections ? (unsigned)options->connections : load->threads;
    load->confirm = first_confirmation(options, url);
    load->close = (enum close_policy)options->close;
    load->tickets = (unsigned)options->tickets;
    load->connect_timeout_ns = options->connect_timeout_ns;
    load->handshake_timeout_ns = options->handshake_timeout_ns;
    load->close_timeout_ns = NS_PER_S;
    for (size_t i = 0; i < sizeof load->pins / sizeof load->pins[0]; i++)
        load->pins[i] = -1;
}

#define LAYERS_TIME_MIN (30 * NS_PER_S) /* a shorter run has no time to spare for them */

static bool wants_layers(const struct run_options *options)
{
    if (options->layers != LAYERS_AUTO)
        return options->layers == LAYERS_ON;
    return !options->have_target && !selection_given(options) && !options->client_cert &&
           options->duration_ns == 0 && options->time_ns >= LAYERS_TIME_MIN;
}

bool plan_build(const struct run_options *options, const struct library_facts *library,
                struct plan *plan, struct error *err)
{
    *plan = (struct plan){.time_ns = options->time_ns, .duration_ns = options->duration_ns};
    if (!add_cases(options, library, plan, err) ||
        (options->baseline && !check_baseline(plan, options->baseline, err))) {
        plan_cleanup(plan);
        return false;
    }
    fill_load(options, &plan->load);
    plan->confirm_forced = options->confirm > 0;
    plan->layers = wants_layers(options);
    plan->schedule.rounds = (unsigned)options->rounds;
    plan->schedule.warmup_ns = options->warmup_ns;
    plan->schedule.seed = options->seed;
    plan_schedule(plan, 0);
    return true;
}

void plan_apply_target(struct plan *plan, const struct target_facts *facts)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct planned_case *planned = &plan->cases[i];
        const struct test_case *test_case = &planned->test_case;
        const char *reason = facts->refused ? facts->refused[i] : NULL;
        bool strange_bulk = !facts->suitemark && test_case->measure == MEASURE_BULK;

        if (planned->skipped[0] != '\0')
            continue;
        if (reason)
            snprintf(planned->skipped, sizeof planned->skipped, "%s", reason);
        else if (strange_bulk && test_case->direction == DIRECTION_UPLOAD)
            snprintf(planned->skipped, sizeof planned->skipped,
                     "target is not suitemark-server, which upload needs");
        else if (strange_bulk && facts->no_http)
            snprintf(planned->skipped, sizeof planned->skipped, "%s, which bulk needs",
                     facts->no_http);
    }
}

size_t plan_runnable(const struct plan *plan)
{
    size_t runnable = 0;

    for (size_t i = 0; i < plan->count; i++)
        runnable += plan->cases[i].skipped[0] == '\0';
    return runnable;
}

void plan_cleanup(struct plan *plan)
{
    free(plan->cases);
    memset(plan, 0, sizeof *plan);
}
