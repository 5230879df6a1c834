#include "client/summary.h"

#include "client/rounds.h"
#include "client/verdict.h"
#include "common/base/clock.h"

#include <math.h>
#include <string.h>

#define BUSY         0.92 /* a side whose busiest thread is this busy is the bottleneck */
#define EXTRAPOLATED 0.90 /* below it a side's capacity is a guess from its cost */
#define WIDE         0.05

/* Other processes' time is known in ticks of 10 ms for each CPU and edge of a window: less of it
 * all says too little. */
#define OTHERS_LEAST_NS (2.0 * NS_PER_S)

/* Units of work per CPU-second from CPU time per unit: what was dearest makes the least. */
static struct interval capacity_of(struct interval cpu, double units_per_s)
{
    struct interval capacity = cpu;

    capacity.median = units_per_s / cpu.median;
    capacity.low = units_per_s / cpu.high;
    capacity.high = units_per_s / cpu.low;
    return capacity;
}

static void summarise_side(const struct case_result *result, round_figure *cost, round_figure *busy,
                           struct cpu_split split, struct side_summary *side)
{
    bool bulk = result->test_case->measure == MEASURE_BULK;
    double total = (double)split.user_ns + (double)split.system_ns;

    side->cpu = rounds_interval(result, cost);
    side->known = side->cpu.median > 0;
    if (!side->known) {
        memset(side, 0, sizeof *side);
        return;
    }
    if (total > 0) {
        side->user = side->cpu.median * (double)split.user_ns / total;
        side->system = side->cpu.median * (double)split.system_ns / total;
    }
    side->utilisation = fmin(rounds_interval(result, busy).median, 1.0);
    side->capacity = capacity_of(side->cpu, bulk ? 1e9 : 1e6);
    side->extrapolated = side->utilisation < EXTRAPOLATED;
}

static enum bottleneck bottleneck_of(const struct side_summary *client,
                                     const struct side_summary *server)
{
    bool client_busy = client->known && client->utilisation >= BUSY;
    bool server_busy = server->known && server->utilisation >= BUSY;

    if (client_busy && server_busy)
        return BOTTLENECK_BOTH;
    if (server_busy)
        return BOTTLENECK_SERVER;
    if (client_busy)
        return BOTTLENECK_CLIENT;
    return client->known && server->known ? BOTTLENECK_NEITHER : BOTTLENECK_UNKNOWN;
}

/* What others took of the windows' CPU time. */
static void summarise_machine(const struct case_measurement *m, struct case_summary *summary)
{
    double steal = 0, steal_of = 0, others = 0, others_of = 0;

    for (size_t i = 0; i < m->round_count; i++) {
        const struct round *round = &m->rounds[i];
        steal += (double)round->steal_ns;
        steal_of += (double)round->wall_ns * round->steal_cpus;
        others += (double)round->others_ns;
        others_of += (double)round->wall_ns * round->others_cpus;
        summary->slow_rounds += round->slow;
    }
    summary->steal_known = steal_of > 0;
    if (summary->steal_known)
        summary->steal_share = steal / steal_of;
    summary->others_known = others_of >= OTHERS_LEAST_NS;
    if (summary->others_known)
        summary->others_share = fmax(others, 0) / others_of;
}

static void summarise_relative(const struct case_result *result, const struct case_result *baseline,
                               unsigned rounds, struct case_summary *summary)
{
    char unused[VERDICT_REASON];

    if (baseline == NULL || baseline->test_case->measure != result->test_case->measure ||
        !verdict_has_figures(verdict_of(baseline, rounds, unused)))
        return;
    summary->have_relative =
        rounds_cost_ratio(result, baseline, &summary->relative, &summary->relative_of_client);
    summary->relative_unsure =
        summary->have_relative && result != baseline && rounds_ratio_unsure(&summary->relative);
}

void summary_of(const struct case_result *result, unsigned rounds,
                const struct case_result *baseline, struct case_summary *summary)
{
    const struct case_measurement *m = &result->measurement;

    memset(summary, 0, sizeof *summary);
    summary->status = verdict_of(result, rounds, summary->reason);
    if (!verdict_has_figures(summary->status))
        return;
    summary->rate = rounds_interval(result, rounds_rate);
    summary->wide = interval_half_width(summary->rate) > WIDE;
    summarise_side(result, rounds_client_cost, rounds_client_busy, m->client_split,
                   &summary->client);
    summarise_side(result, rounds_server_cost, rounds_server_busy, m->server_split,
                   &summary->server);
    summary->bottleneck = bottleneck_of(&summary->client, &summary->server);
    summarise_machine(m, summary);
    summarise_relative(result, baseline, rounds, summary);
}

const char *case_status_name(enum case_status status)
{
    static const char *const names[] = {"measured", "partial", "failed", "skipped"};

    return names[status];
}

const char *bottleneck_name(enum bottleneck bottleneck)
{
    static const char *const names[] = {"unknown", "client", "server", "both", "neither"};

    return names[bottleneck];
}
