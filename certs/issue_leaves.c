#include "certs/issue.h"

#include "common/base/host.h"
#include "common/base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What issue_leaves is asked for, and whom it tells. */
struct order {
    const struct authority *authority;
    const struct certificate_kind *const *kinds;
    size_t count;
    struct identity *identities;
    issue_progress *progress;
    void *context;
};

/* One leaf whose key takes seconds. Written by its thread, read after the join. */
struct slow_leaf {
    const struct authority *authority;
    const struct certificate_kind *kind;
    struct identity *identity;
    pthread_t thread;
    bool started, ok;
    struct error err;
};

static void *slow_leaf_run(void *argument)
{
    struct slow_leaf *leaf = argument;
    leaf->ok = authority_issue(leaf->authority, leaf->kind, leaf->identity, &leaf->err);
    return NULL;
}

static void tell(const struct order *order, const char *verb, const struct certificate_kind *kind)
{
    char text[64];
    if (order->progress == NULL)
        return;
    (void)snprintf(text, sizeof(text), "%s the %s key", verb, kind->name);
    order->progress(order->context, text);
}

static bool slow_leaf_start(struct slow_leaf *leaf, const struct order *order, struct error *err)
{
    tell(order, "making", leaf->kind);
    int code = pthread_create(&leaf->thread, NULL, slow_leaf_run, leaf);
    if (code != 0)
        return error_set(err, "no thread for the %s key: %s", leaf->kind->name, strerror(code));
    leaf->started = true;
    return true;
}

/* True also for a leaf that was never started. */
static bool slow_leaf_finish(struct slow_leaf *leaf, const struct order *order, struct error *err)
{
    if (!leaf->started)
        return true;
    (void)pthread_join(leaf->thread, NULL);
    leaf->started = false;
    if (!leaf->ok)
        return error_set(err, "%s", leaf->err.text);
    tell(order, "made", leaf->kind);
    return true;
}

static size_t cpu_count(void)
{
    struct cpu_list cpus;
    return host_allowed_cpus(&cpus, NULL) && cpus.count > 0 ? cpus.count : 1;
}

static bool issue_fast(const struct order *order, struct error *err)
{
    for (size_t i = 0; i < order->count; i++)
        if (!order->kinds[i]->slow_key && order->identities[i].leaf == NULL &&
            !authority_issue(order->authority, order->kinds[i], &order->identities[i], err))
            return false;
    return true;
}

/* Starts the next slow leaf whenever one has ended, `width` at once; the fast ones are made while
 * the first slow ones run. Every thread that was started has ended on return. */
static bool issue_all(const struct order *order, struct slow_leaf *slow, size_t slow_count,
                      struct error *err)
{
    size_t width = cpu_count();
    bool ok = true;
    for (size_t i = 0; ok && i < slow_count && i < width; i++)
        ok = slow_leaf_start(&slow[i], order, err);
    ok = ok && issue_fast(order, err);
    for (size_t i = 0; i < slow_count; i++) {
        ok = slow_leaf_finish(&slow[i], order, ok ? err : NULL) && ok;
        if (ok && i + width < slow_count)
            ok = slow_leaf_start(&slow[i + width], order, err);
    }
    return ok;
}

static size_t slow_leaves(const struct order *order, struct slow_leaf *slow)
{
    size_t count = 0;
    for (size_t i = 0; i < order->count; i++)
        if (order->kinds[i]->slow_key && order->identities[i].leaf == NULL)
            slow[count++] = (struct slow_leaf){.authority = order->authority,
                                               .kind = order->kinds[i],
                                               .identity = &order->identities[i]};
    return count;
}

bool issue_leaves(const struct authority *authority, const struct certificate_kind *const *kinds,
                  size_t count, struct identity *identities, issue_progress *progress,
                  void *context, struct error *err)
{
    const struct order order = {.authority = authority,
                                .kinds = kinds,
                                .count = count,
                                .identities = identities,
                                .progress = progress,
                                .context = context};
    struct slow_leaf *slow = memory_new(count + 1, sizeof(*slow));
    bool ok = issue_all(&order, slow, slow_leaves(&order, slow), err);
    free(slow);
    for (size_t i = 0; !ok && i < count; i++)
        identity_cleanup(&identities[i]);
    return ok;
}
