#include "server/stats.h"

#include "common/base/clock.h"
#include "common/base/cpu_clock.h"

#include <stdlib.h>

/* jansson passes a NULL on: one that is returned means that some piece found no memory. */

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *threads_json(const struct stats_source *source)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < source->worker_count; i++) {
        const struct worker_stats *stats = source->workers[i];
        const bool known = atomic_load_explicit(&stats->has_clock, memory_order_acquire);
        (void)json_array_append_new(threads, number(known ? cpu_clock_read_ns(stats->clock) : 0));
    }
    return threads;
}

static json_t *certificates_json(const struct stats_source *source,
                                 const struct stats_totals *totals)
{
    json_t *certificates = json_object();
    for (size_t i = 0; i < source->identity_count; i++)
        (void)json_object_set_new(certificates, source->identities[i].name,
                                  number(totals->certificates[i]));
    return certificates;
}

static json_t *outcomes_json(const struct outcomes *outcomes)
{
    json_t *object = json_object();
    for (size_t i = 0; i < outcomes->count; i++)
        (void)json_object_set_new(object, outcomes->rows[i].text,
                                  number(counter_read(&outcomes->rows[i].count)));
    return object;
}

/* The clocks are read first and the counters right behind them, so that both describe one moment.
 */
static json_t *clocks_json(const struct stats_source *source)
{
    const struct cpu_split split = cpu_clock_process_split();
    json_t *object = json_object();
    (void)json_object_set_new(object, "schema", json_string("suitemark-stats/1"));
    (void)json_object_set_new(object, "user_ns", number(split.user_ns));
    (void)json_object_set_new(object, "system_ns", number(split.system_ns));
    (void)json_object_set_new(object, "steal_ns", number(host_steal_ns(source->cpus)));
    (void)json_object_set_new(object, "threads", threads_json(source));
    (void)json_object_set_new(object, "cpu_ns", number(cpu_clock_process_ns()));
    (void)json_object_set_new(object, "clock_ns", number(clock_now_ns()));
    return object;
}

static json_t *document(const struct stats_source *source)
{
    struct stats_totals totals;
    json_t *object = clocks_json(source);
    stats_read(source, &totals);
    (void)json_object_set_new(object, "connections",
                              json_pack("{s:o,s:o,s:o,s:o}", "accepted", number(totals.accepted),
                                        "open", number(totals.open), "control",
                                        number(totals.control), "refused", number(totals.refused)));
    (void)json_object_set_new(object, "handshakes",
                              json_pack("{s:o,s:o,s:o,s:o}", "finished", number(totals.finished),
                                        "failed", number(totals.failed), "resumed",
                                        number(totals.resumed), "control",
                                        number(totals.control_finished)));
    (void)json_object_set_new(object, "certificates", certificates_json(source, &totals));
    (void)json_object_set_new(object, "outcomes", outcomes_json(&totals.outcomes));
    (void)json_object_set_new(
        object, "payload",
        json_pack("{s:o,s:o}", "in", number(totals.payload_in), "out", number(totals.payload_out)));
    /* Copies, since a reference to an object that all workers share would have to be counted. */
    (void)json_object_set_new(object, "configuration", json_deep_copy(source->configuration));
    (void)json_object_set_new(object, "environment", json_deep_copy(source->environment));
    return object;
}

char *stats_json(const struct stats_source *source)
{
    json_t *object = document(source);
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}
