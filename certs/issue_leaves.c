#include "certs/issue.h"

#include "certs/key.h"
#include "common/base/host.h"
#include "common/base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What issue_leaves is asked for, and whom it tells. */
struct order {
    struct authority *authority;
    const struct certificate_kind *const *kinds;
    size_t count;
    struct identity *identities;
    issue_progress *progress;
    void *context;
};

/* One key that takes long. Its thread writes `key` and `err`, which are read after the join. */
struct key_job {
    const struct certificate_kind *kind;
    struct identity *identity; /* what the key is for */
    pthread_t thread;
    bool started;
    EVP_PKEY *key;
    struct error err;
};

static void *key_job_run(void *argument)
{
    struct key_job *job = argument;
    job->key = key_new(job->kind, &job->err);
    return NULL;
}

static void tell(const struct order *order, const char *verb, const struct certificate_kind *kind)
{
    char text[64];
    if (order->progress == NULL || !kind->slow_key)
        return;
    (void)snprintf(text, sizeof(text), "%s the %s key", verb, kind->name);
    order->progress(order->context, text);
}

static bool key_job_start(struct key_job *job, const struct order *order, struct error *err)
{
    tell(order, "making", job->kind);
    int code = pthread_create(&job->thread, NULL, key_job_run, job);
    if (code != 0)
        return error_set(err, "no thread for the %s key: %s", job->kind->name, strerror(code));
    job->started = true;
    return true;
}

/* Waits for the key and makes its identity, or when that is `wanted` no more, drops it. */
static bool key_job_finish(struct key_job *job, bool wanted, const struct order *order,
                           struct error *err)
{
    if (!job->started)
        return wanted;
    (void)pthread_join(job->thread, NULL);
    if (!wanted) {
        EVP_PKEY_free(job->key);
        return false;
    }
    if (job->key == NULL)
        return error_set(err, "%s", job->err.text);
    tell(order, "made", job->kind);
    return authority_certify(order->authority, job->kind, job->key, job->identity, err);
}

/* RSA keys of any size: even 2048 bits take longer than all else that is not slow. */
static bool has_own_thread(const struct certificate_kind *kind)
{
    return kind->slow_key || strncmp(kind->key_type, "RSA", 3) == 0;
}

static bool is_wanted(const struct order *order, size_t index)
{
    return order->identities[index].leaf == NULL;
}

static size_t collect_jobs(const struct order *order, struct key_job *jobs)
{
    size_t count = 0;
    for (size_t i = 0; i < order->count; i++)
        if (has_own_thread(order->kinds[i]) && is_wanted(order, i))
            jobs[count++] =
                (struct key_job){.kind = order->kinds[i], .identity = &order->identities[i]};
    return count;
}

/* What the calling thread does while the first keys are being made. */
static bool issue_fast(const struct order *order, struct error *err)
{
    if (order->authority->root == NULL && !authority_init(order->authority, err))
        return false;
    for (size_t i = 0; i < order->count; i++)
        if (!has_own_thread(order->kinds[i]) && is_wanted(order, i) &&
            !authority_issue(order->authority, order->kinds[i], &order->identities[i], err))
            return false;
    return true;
}

static size_t cpu_count(void)
{
    struct cpu_list cpus;
    return host_allowed_cpus(&cpus, NULL) && cpus.count > 0 ? cpus.count : 1;
}

/* `width` threads at once: the next one starts when the first has ended. All have ended on return.
 */
static bool issue_all(const struct order *order, struct key_job *jobs, struct error *err)
{
    size_t count = collect_jobs(order, jobs), width = cpu_count();
    bool ok = true;
    for (size_t i = 0; ok && i < count && i < width; i++)
        ok = key_job_start(&jobs[i], order, err);
    ok = ok && issue_fast(order, err);
    for (size_t i = 0; i < count; i++) {
        ok = key_job_finish(&jobs[i], ok, order, err);
        if (ok && i + width < count)
            ok = key_job_start(&jobs[i + width], order, err);
    }
    return ok;
}

bool issue_leaves(struct authority *authority, const struct certificate_kind *const *kinds,
                  size_t count, struct identity *identities, issue_progress *progress,
                  void *context, struct error *err)
{
    const struct order order = {.authority = authority,
                                .kinds = kinds,
                                .count = count,
                                .identities = identities,
                                .progress = progress,
                                .context = context};
    struct key_job *jobs = memory_new(count + 1, sizeof(*jobs));
    bool ok = issue_all(&order, jobs, err);
    free(jobs);
    for (size_t i = 0; !ok && i < count; i++)
        identity_cleanup(&identities[i]);
    return ok;
}
