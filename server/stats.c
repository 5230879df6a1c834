#include "server/stats.h"

#include "common/base/cpu_clock.h"

void stats_set_clock(struct worker_stats *stats)
{
    if (cpu_clock_of_thread(pthread_self(), &stats->clock, NULL))
        atomic_store_explicit(&stats->has_clock, true, memory_order_release);
}

static void add_worker(struct stats_totals *totals, const struct worker_stats *stats)
{
    /* What happens later in a connection's life is read first: then no difference falls below
     * zero. */
    const uint64_t control_closed = counter_read(&stats->control_closed);
    const uint64_t closed = counter_read(&stats->closed);
    const uint64_t control = counter_read(&stats->control);
    const uint64_t accepted = counter_read(&stats->accepted);
    const uint64_t open = accepted - closed, control_open = control - control_closed;

    totals->accepted += accepted - control;
    totals->open += open > control_open ? open - control_open : 0;
    totals->control += control;
    totals->refused += counter_read(&stats->refused);
    totals->resumed += counter_read(&stats->resumed);
    totals->finished += counter_read(&stats->finished);
    totals->failed += counter_read(&stats->failed);
    totals->control_finished += counter_read(&stats->control_finished);
    totals->payload_in += counter_read(&stats->payload_in);
    totals->payload_out += counter_read(&stats->payload_out);
    for (size_t i = 0; i <= SNI_IDENTITIES_MAX; i++)
        totals->certificates[i] += counter_read(&stats->certificates[i]);
    outcomes_merge(&totals->outcomes, &stats->outcomes);
}

void stats_read(const struct stats_source *source, struct stats_totals *totals)
{
    *totals = (struct stats_totals){0};
    for (size_t i = 0; i < source->worker_count; i++)
        add_worker(totals, source->workers[i]);
}
