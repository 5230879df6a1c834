#include "client/slot_parts.h"

#include "client/counts.h"
#include "common/base/clock.h"

#include <stdio.h>

/* How long the server's counters may take to catch up with the last close. */
#define CATCH_UP_NS  NS_PER_S
#define ASK_AGAIN_NS NS_PER_MS

/* Of both ends of one connection: more than Linux gives unless it is told to. */
#define SOCKET_BUFFERS (UINT64_C(16) << 20)

/* Of processes that ended in between less may be told than before. */
static void add_split(struct cpu_split *into, struct cpu_split from, struct cpu_split to)
{
    into->user_ns += to.user_ns > from.user_ns ? to.user_ns - from.user_ns : 0;
    into->system_ns += to.system_ns > from.system_ns ? to.system_ns - from.system_ns : 0;
}

static bool is_upload(const struct test_case *test_case)
{
    return test_case->measure == MEASURE_BULK && test_case->direction == DIRECTION_UPLOAD;
}

static void note(struct case_measurement *into, const char *text)
{
    if (!into->note[0])
        (void)snprintf(into->note, sizeof into->note, "%s", text);
}

/* What a window counts is what ended in it. Where that is less than one for each connection the
 * rate says more of the moment than of the load. */
static void judge_window(const struct slot *slot, const struct round *round,
                         struct case_measurement *into)
{
    bool bulk = slot->settings->test_case->measure == MEASURE_BULK;
    if (!bulk && round->completed < slot->shared.connections)
        note(into, slot->settings->window_given
                       ? "the window is too short for so many connections; give a longer --duration"
                       : "the window is too short for so many connections; give more --time");
}

void slot_add_round(const struct slot *slot, const struct edge *from, const struct edge *to,
                    uint64_t busiest_ns, struct case_measurement *into)
{
    static const struct processes none = {.count = 0};
    const struct slot_settings *settings = slot->settings;
    const struct processes *processes = slot->server_known ? &none : settings->processes;
    const struct server_snapshot *s0 = slot->at_s0, *s1 = slot->at_s1;
    if (into->round_count == ROUNDS_MAX)
        return;
    struct round *round = &into->rounds[into->round_count++];
    edge_round(round, from, to, processes, settings->watch);
    round->number = settings->round;
    round->start_ns = from->ns - settings->run_start_ns;
    round->client_busiest_ns = busiest_ns;
    round->stalled_ns = slot->pulse.stalled_ns;
    judge_window(slot, round, into);
    add_split(&into->client_split, from->split, to->split);
    if (slot->server_known) {
        edge_round_server(round, s0, s1, is_upload(settings->test_case), settings->watch);
        add_split(&into->server_split, (struct cpu_split){s0->user_ns, s0->system_ns},
                  (struct cpu_split){s1->user_ns, s1->system_ns});
    } else if (processes->count > 0) {
        into->server_by_processes = true;
        add_split(&into->server_split, from->server.split, to->server.split);
    }
    edge_round_others(round, from, to, settings->watch);
}

static void merge_latency(struct latency *into, const struct latency *from)
{
    histogram_merge(&into->tcp, &from->tcp);
    histogram_merge(&into->tls, &from->tls);
    histogram_merge(&into->first_byte, &from->first_byte);
    histogram_merge(&into->last_byte, &from->last_byte);
}

static struct client_counts merge(const struct slot *slot, struct case_measurement *into)
{
    struct client_counts totals = {0};
    for (unsigned i = 0; i < slot->started; i++) {
        const struct tally *tally = &slot->workers[i].tally;
        uint64_t attempted = counter_read(&tally->attempted);
        uint64_t completed = counter_read(&tally->completed);
        totals.attempted += attempted;
        totals.failed += failure_table_total(&tally->failures);
        totals.reached += attempted - tally->unconnected;
        totals.established += counter_read(&tally->established);
        totals.completed += completed;
        totals.payload += counter_read(&tally->bytes);
        into->attempted += attempted;
        into->completed += completed;
        into->drifts += tally->drifts;
        into->gave_up = into->gave_up || atomic_load(&tally->gave_up);
        failure_table_merge(&into->failures, &tally->failures);
        merge_latency(&into->unloaded, &tally->unloaded);
        merge_latency(&into->loaded, &tally->loaded);
        if (tally->record_size_observed > into->record_size_observed)
            into->record_size_observed = tally->record_size_observed;
        if (tally->http_status)
            into->http_status = tally->http_status;
    }
    return totals;
}

static struct server_counts server_counts(const struct server_snapshot *from,
                                          const struct server_snapshot *to)
{
    return (struct server_counts){
        .accepted = to->accepted - from->accepted,
        .left_open = to->open > from->open ? to->open - from->open : 0,
        .finished = to->finished - from->finished,
        .payload = to->payload_in - from->payload_in + to->payload_out - from->payload_out,
    };
}

/* A download is stopped in the middle: what then stands in socket buffers was sent for nothing. */
static uint64_t in_flight(const struct slot *slot, uint64_t payload)
{
    const struct test_case *test_case = slot->settings->test_case;
    if (test_case->measure != MEASURE_BULK || is_upload(test_case))
        return 0;
    return slot->shared.connections * SOCKET_BUFFERS + payload / 10;
}

/* After the drain both sides must have counted the same, exactly. The server may be a moment
 * behind: its counters are asked again until they agree or the time for that is over. Gives how
 * many handshakes the server has not finished though we have. */
static uint64_t compare_counts(struct slot *slot, const struct client_counts *totals,
                               struct case_measurement *into)
{
    struct interrupt *interrupt = slot->settings->interrupt;
    uint64_t now = clock_now_ns(), until = now + CATCH_UP_NS;
    struct server_counts server;
    for (;;) {
        slot_snapshot(slot, slot->after);
        server = server_counts(slot->before, slot->after);
        now = clock_now_ns();
        if (!slot->server_known || !counts_are_behind(totals, &server) || now >= until ||
            interrupt->count >= 2)
            break;
        (void)interrupt_wait(interrupt, -1, now + ASK_AGAIN_NS);
    }
    if (!slot->server_known)
        return totals->completed;
    struct counts_verdict verdict = counts_compare(totals, &server);
    into->server_shared |= verdict.shared;
    /* What an abort cut off may be counted by one end alone. */
    if (!verdict.agree && atomic_load(&slot->shared.phase) != PHASE_ABORT)
        into->server_counts_agree = false;
    return verdict.unproved;
}

void slot_settle(struct slot *slot, const struct measurement_mark *before,
                 struct case_measurement *into)
{
    struct measurement_part dropped;
    bool by_server = slot->settings->confirm == CONFIRM_SERVER;
    struct client_counts totals = merge(slot, into);
    totals.in_flight = in_flight(slot, totals.payload);
    uint64_t unproved = 0;
    if (slot->server_known)
        unproved = compare_counts(slot, &totals, into);
    if (by_server && !slot->server_known) {
        unproved = totals.completed;
        measurement_cut(into, before, &dropped);
    }
    into->confirmed += totals.completed - unproved;
    if (into->round_count == before->rounds) {
        into->lost_attempted += totals.attempted;
        into->lost_failed += totals.failed + unproved;
    }
    note(into, slot->server_lost);
}

void slot_add_limit(const struct measurement_mark *before, const struct error *err,
                    struct case_measurement *into)
{
    struct failure failure;
    failure_set(&failure, FAILURE_LOCAL, err->text);
    failure_table_add(&into->failures, &failure, 1);
    into->attempted++;
    if (into->round_count == before->rounds) {
        into->lost_attempted++;
        into->lost_failed++;
    }
}
