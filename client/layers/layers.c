#include "client/layers/layers.h"

#include "client/case_context.h"
#include "client/layers/memory.h"
#include "common/base/clock.h"
#include "common/base/host.h"
#include "common/base/memory.h"
#include "common/tls/laboratory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one visit spends, beside set-up. */
#define MEMORY_NS    (8 * NS_PER_MS)
#define PRIMITIVE_NS (2 * NS_PER_MS) /* each */

/* --- certificates --- */

static size_t index_of(const struct certificate_kinds *kinds, const struct certificate_kind *kind)
{
    size_t index = 0;

    while (index < kinds->count && kinds->items[index] != kind)
        index++;
    return index;
}

static void collect_kinds(const struct plan *plan, struct certificate_kinds *kinds)
{
    const size_t room = sizeof kinds->items / sizeof kinds->items[0];

    for (size_t i = 0; i < plan->count; i++) {
        const struct certificate_kind *kind = plan->cases[i].test_case.kind;
        if (plan->cases[i].skipped[0] == '\0' && kinds->count < room &&
            index_of(kinds, kind) == kinds->count)
            kinds->items[kinds->count++] = kind;
    }
}

/* The primitives work with the keys that are there already, where making one takes long. */
static void share_keys(struct layers *layers)
{
    for (size_t i = 0; i < layers->kinds.count; i++) {
        const struct certificate_kind *kind = layers->kinds.items[i];
        const struct key_kind same = {.type = kind->key_type, .bits = (unsigned)kind->bits};
        if (strcmp(kind->key_type, "RSA") == 0 || strcmp(kind->key_type, "DSA") == 0)
            key_ring_add(&layers->prices.keys, &same, layers->identities[i].key);
    }
}

/* Where the client verifies, it does so here too, by the root of these certificates. */
static bool trust_root(struct layers *layers, X509 *root, struct error *err)
{
    struct credentials *credentials = &layers->credentials;

    if (!credentials->trust)
        return true;
    layers->trust = X509_STORE_new();
    if (!layers->trust || X509_STORE_add_cert(layers->trust, root) != 1)
        return error_set(err, "no memory for a trust store");
    credentials->trust = layers->trust;
    credentials->verify_address = false;
    (void)snprintf(credentials->verify_name, sizeof credentials->verify_name, "localhost");
    return true;
}

bool layers_init(struct layers *layers, const struct plan *plan, const struct trial *trials,
                 const char *cert_dir, issue_progress *progress, void *context, struct error *err)
{
    X509 *root = NULL;

    *layers = (struct layers){.plan = plan, .prices = {.budget_ns = PRIMITIVE_NS}};
    if (plan->load.credentials)
        layers->credentials = *plan->load.credentials;
    collect_kinds(plan, &layers->kinds);
    layers->cases = memory_new(plan->count + 1, sizeof *layers->cases);
    for (size_t i = 0; i < plan->count; i++)
        layers->cases[i].tickets = (unsigned)trials[i].tickets;
    layers->identities = memory_new(layers->kinds.count + 1, sizeof *layers->identities);
    bool ok = issue_identities(cert_dir, layers->kinds.items, layers->kinds.count,
                               layers->identities, &root, progress, context, err) &&
              trust_root(layers, root, err);
    X509_free(root);
    if (ok)
        share_keys(layers);
    else
        layers_cleanup(layers);
    return ok || error_prefix(err, "layers");
}

void layers_cleanup(struct layers *layers)
{
    for (size_t i = 0; layers->identities && i < layers->kinds.count; i++)
        identity_cleanup(&layers->identities[i]);
    free(layers->identities);
    X509_STORE_free(layers->trust);
    price_book_cleanup(&layers->prices);
    free(layers->cases);
    *layers = (struct layers){.plan = NULL};
}

/* --- a visit --- */

struct visit {
    struct layers *layers;
    const struct test_case *test_case;
    struct case_layers *into;
};

/* suitemark-server's context for the kind, but for SNI: one certificate needs no choice. */
static SSL_CTX *server_context(const struct visit *visit, struct error *err)
{
    const struct layers *layers = visit->layers;
    const struct identity *identity =
        &layers->identities[index_of(&layers->kinds, visit->test_case->kind)];
    struct tls_settings settings = laboratory_settings();

    settings.tickets = visit->into->tickets;
    return tls_context_new(&settings, &identity, 1, err);
}

static bool memory_cost(const struct visit *visit, double cost[static WORK_SIDES],
                        struct error *err)
{
    const struct test_case *test_case = visit->test_case;
    char name[CASE_SERVER_NAME];
    struct pair_settings settings = {
        .server_name = name,
        .pins = test_case,
        .end = visit->layers->plan->load.close == CLOSE_RST ? PAIR_DROP : PAIR_CLOSE,
    };
    enum work_side sender = test_case->direction == DIRECTION_DOWNLOAD ? WORK_SERVER : WORK_CLIENT;
    bool ok;

    case_server_name(test_case, name);
    settings.contexts[WORK_CLIENT] = case_context_new(test_case, &visit->layers->credentials, err);
    settings.contexts[WORK_SERVER] =
        settings.contexts[WORK_CLIENT] ? server_context(visit, err) : NULL;
    ok = settings.contexts[WORK_SERVER] != NULL;
    if (ok && test_case->measure == MEASURE_BULK)
        ok = memory_records(&settings, sender, test_case->record_size, MEMORY_NS, cost, err);
    else if (ok)
        ok = memory_handshakes(&settings, MEMORY_NS, cost, err);
    SSL_CTX_free(settings.contexts[WORK_CLIENT]);
    SSL_CTX_free(settings.contexts[WORK_SERVER]);
    return ok;
}

static void measure_memory(const struct visit *visit)
{
    struct case_layers *into = visit->into;
    double unit = visit->test_case->measure == MEASURE_BULK ? 1 : NS_PER_US;
    double cost[WORK_SIDES];
    struct error err;

    if (into->no_memory[0] != '\0' || into->memory_count == ROUNDS_MAX)
        return;
    if (!memory_cost(visit, cost, &err)) {
        (void)snprintf(into->no_memory, sizeof into->no_memory, "%s", err.text);
        return;
    }
    for (int side = 0; side < WORK_SIDES; side++)
        into->sides[side].memory[into->memory_count] = cost[side] / unit;
    into->memory_count++;
}

/* Nanoseconds of a handshake or of a record into the layers' unit. */
static double primitive_unit(const struct test_case *test_case)
{
    return test_case->measure == MEASURE_BULK ? test_case->record_size / 1024.0 : NS_PER_US;
}

static void measure_primitives(const struct visit *visit)
{
    struct case_layers *into = visit->into;
    double unit = primitive_unit(visit->test_case);
    size_t at = into->primitive_count;

    if (into->no_primitive[0] != '\0' || at == ROUNDS_MAX)
        return;
    for (int side = 0; side < WORK_SIDES; side++) {
        struct layer_values *values = &into->sides[side];
        double components[WORK_COMPONENTS], sum;
        struct work work;
        struct error err;
        work_of(visit->test_case, (enum work_side)side, visit->layers->credentials.trust != NULL,
                &work);
        if (!work_cost(&work, price_book_ask, &visit->layers->prices, components, &sum, &err)) {
            (void)snprintf(into->no_primitive, sizeof into->no_primitive, "%s", err.text);
            return;
        }
        values->primitive[at] = sum / unit;
        for (int i = 0; i < WORK_COMPONENTS; i++)
            values->components[i][at] = components[i] / unit;
    }
    into->primitive_count++;
}

static void *run_visit(void *context)
{
    const struct visit *visit = context;
    int cpu = visit->layers->plan->load.pins[0];

    if (cpu >= 0)
        (void)!host_pin_thread(cpu, NULL); /* where it may not be pinned the run has failed */
    measure_memory(visit);
    measure_primitives(visit);
    return NULL;
}

void layers_visit(void *layers, size_t index)
{
    struct layers *all = layers;
    struct visit visit = {
        .layers = all,
        .test_case = &all->plan->cases[index].test_case,
        .into = &all->cases[index],
    };
    pthread_t thread;

    if (pthread_create(&thread, NULL, run_visit, &visit) == 0)
        pthread_join(thread, NULL);
    else
        (void)snprintf(visit.into->no_memory, sizeof visit.into->no_memory,
                       "no thread could be started");
}
