#include "client/check/price.h"

#include "client/check/suite_b.h"
#include "client/probe.h"
#include "client/processes.h"
#include "client/result.h"
#include "client/rounds.h"
#include "client/trial.h"
#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/tls/library.h"

#include <openssl/ssl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS    6
#define WARMUP_NS (50 * NS_PER_MS)
#define SEED      1 /* the order of cases says nothing here */

/* --- cases --- */

/* The group that clients mostly take: x25519 where it is offered, else the first that fits. */
static const struct tls_group *group_for(const struct check_subject *subject,
                                         const struct suite *suite, int version)
{
    const struct tls_group *first = NULL, *x25519 = group_find("x25519");

    if (!case_has_group(suite))
        return NULL;
    if (subject->list.suite_b && version < TLS1_3_VERSION)
        return suite_b_group_of(suite->iana);
    for (size_t i = 0; i < subject->group_count; i++) {
        const struct tls_group *group = subject->group_list[i];
        if (version < group->min_version || version > group->max_version)
            continue;
        if (group == x25519)
            return group;
        first = first ? first : group;
    }
    return first;
}

/* The MAC's part of a name; AEAD suites have none. */
static const char *mac_of(const struct suite *suite)
{
    const char *end = strrchr(suite->iana, '_');

    return suite_facts(suite).aead || !end ? "" : end;
}

static bool same_price(const struct test_case *a, const struct test_case *b)
{
    struct suite_facts of_a = suite_facts(a->suite), of_b = suite_facts(b->suite);

    if (a->measure != b->measure || a->version != b->version)
        return false;
    if (a->measure == MEASURE_HANDSHAKE)
        return of_a.exchange == of_b.exchange && a->kind == b->kind && a->group == b->group;
    return of_a.cipher && of_b.cipher && strcmp(of_a.cipher, of_b.cipher) == 0 &&
           strcmp(mac_of(a->suite), mac_of(b->suite)) == 0 &&
           (strstr(a->suite->iana, "CCM_8") != NULL) == (strstr(b->suite->iana, "CCM_8") != NULL);
}

/* The plan's case with this price, a new one where there is none yet. */
static bool case_for(struct plan *plan, const struct test_case *wanted, size_t *index,
                     struct error *err)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (same_price(&plan->cases[i].test_case, wanted)) {
            *index = i;
            return true;
        }
    }
    *index = plan->count;
    return plan_add(plan, wanted, "", err);
}

/* Anonymous suites, and keys that no kind has, have nothing that the runner could pin. */
static bool plan_row(struct plan *plan, const struct check_subject *subject, struct check_row *row,
                     struct error *err)
{
    int version = subject_version_number(row->version);

    if (row->reason != DEAD_NOT || !row->certificate || !row->certificate->in_table)
        return true;
    struct test_case wanted = {
        .measure = MEASURE_HANDSHAKE,
        .version = version,
        .suite = row->choice->suite,
        .kind = &row->certificate->kind,
        .group = group_for(subject, row->choice->suite, version),
    };
    if (!case_for(plan, &wanted, &row->handshake_case, err))
        return false;
    wanted.measure = MEASURE_BULK;
    wanted.record_size = RECORD_SIZE_MAX;
    return case_for(plan, &wanted, &row->bulk_case, err);
}

static bool make_plan(struct price *price, struct check_rows *rows,
                      const struct check_subject *subject, const struct twin *twin,
                      uint64_t time_ns, struct error *err)
{
    price->plan = (struct plan){.load = twin->load, .time_ns = time_ns};
    price->plan.load.suitemark_names =
        true; /* what bulk asks for; SNI changes nothing in the twin */
    price->plan.schedule.rounds = ROUNDS;
    price->plan.schedule.warmup_ns = WARMUP_NS;
    price->plan.schedule.seed = SEED;
    for (size_t i = 0; i < rows->count; i++)
        if (!plan_row(&price->plan, subject, &rows->items[i], err))
            return false;
    plan_schedule(&price->plan, 0);
    return true;
}

/* --- measurement --- */

struct measuring {
    struct price *price;
    const struct twin *twin;
    struct trial *trials;
    enum confirmation *confirm;
    struct probe probe;
    uint64_t start_ns;
    char start_time[21];
};

static void try_cases(struct measuring *measuring)
{
    struct plan *plan = &measuring->price->plan;

    for (size_t i = 0; i < plan->count; i++) {
        struct planned_case *planned = &plan->cases[i];
        trial_run(&planned->test_case, &plan->load, &measuring->trials[i]);
        measuring->confirm[i] = measuring->probe.have_control ? CONFIRM_SERVER : CONFIRM_CLOSE;
        if (measuring->trials[i].refused[0])
            memcpy(planned->skipped, measuring->trials[i].refused, sizeof planned->skipped);
    }
}

static json_t *environment_of(void)
{
    json_t *environment = host_facts(), *library = library_json();

    json_object_update(environment, library);
    json_object_set_new(environment, "role", json_string("client"));
    json_decref(library);
    return environment;
}

static void write_document(struct measuring *measuring, const struct interrupt *interrupt)
{
    struct price *price = measuring->price;
    json_t *environment = environment_of();
    const struct run_record record = {
        .plan = &price->plan,
        .results = price->results,
        .client_environment = environment,
        .server_environment = json_object_get(measuring->probe.stats, "environment"),
        .target = "embedded server",
        .address = measuring->twin->address,
        .start_time = measuring->start_time,
        .duration_ns = clock_now_ns() - measuring->start_ns,
        .embedded = true,
        .siblings = measuring->twin->placement.siblings,
        .same_core = measuring->twin->placement.shared,
        .interrupted = interrupt->count > 0,
        .server_name = "",
    };
    price->document = result_new(&record);
    json_decref(environment);
}

static bool measure(struct measuring *measuring, struct interrupt *interrupt,
                    runner_progress *progress, void *progress_context, struct error *err)
{
    struct price *price = measuring->price;
    if (!probe_target(&price->plan.load, &measuring->probe, err))
        return false;
    try_cases(measuring);
    plan_schedule(&price->plan, clock_now_ns() - measuring->start_ns);
    const struct processes none = {.count = 0};
    struct watch watch;
    watch_choose(&measuring->twin->placement.client, &measuring->twin->placement.allowed, true,
                 json_object_get(measuring->probe.stats, "configuration"), &none, &watch);
    const struct runner runner = {
        .plan = &price->plan,
        .trials = measuring->trials,
        .confirm = measuring->confirm,
        .control = measuring->probe.have_control ? &measuring->probe.control : NULL,
        .processes = &none,
        .interrupt = interrupt,
        .cpus = &measuring->twin->placement.all,
        .watch = &watch,
        .start_ns = measuring->start_ns,
        .progress = progress,
        .progress_context = progress_context,
    };
    bool ok = runner_run(&runner, price->results, err);
    write_document(measuring, interrupt);
    return ok;
}

bool price_run(struct price *price, struct check_rows *rows, const struct check_subject *subject,
               const struct twin *twin, uint64_t time_ns, struct interrupt *interrupt,
               runner_progress *progress, void *progress_context, struct error *err)
{
    struct measuring measuring = {.price = price, .twin = twin, .start_ns = clock_now_ns()};

    *price = (struct price){.document = NULL};
    clock_utc_text(measuring.start_time);
    if (!make_plan(price, rows, subject, twin, time_ns, err))
        return false;
    if (price->plan.count == 0)
        return true;
    price->results = memory_new(price->plan.count, sizeof *price->results);
    measuring.trials = memory_new(price->plan.count, sizeof *measuring.trials);
    measuring.confirm = memory_new(price->plan.count, sizeof *measuring.confirm);
    bool ok = measure(&measuring, interrupt, progress, progress_context, err);
    probe_cleanup(&measuring.probe);
    free(measuring.trials);
    free(measuring.confirm);
    return ok;
}

void price_cleanup(struct price *price)
{
    plan_cleanup(&price->plan);
    free(price->results);
    json_decref(price->document);
    *price = (struct price){.document = NULL};
}

bool price_of(const struct price *price, size_t index, struct interval *cost)
{
    if (index == SIZE_MAX || !price->results || price->plan.cases[index].skipped[0])
        return false;
    *cost = rounds_interval(&price->results[index], rounds_server_cost);
    return cost->count > 0 && cost->median > 0;
}
