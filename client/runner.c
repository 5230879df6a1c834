#include "client/runner.h"

#include "client/pace.h"
#include "client/reach.h"
#include "client/slot.h"
#include "client/speed.h"
#include "common/base/clock.h"
#include "common/base/units.h"
#include "common/stats/sample.h"

#include <stdio.h>
#include <stdlib.h>

#define SLOW_SHARE    0.9 /* a round's speed under this is repeated once, then marked (METHOD 6) */
#define SPEEDS_MIN    8   /* so many make a median to compare with */
#define WINDOW_MIN_NS (50 * NS_PER_MS)

/* What a run keeps beside its results. */
struct run {
    const struct runner *runner;
    struct case_result *results;
    size_t *order; /* of the cases that are run, shuffled anew each round */
    size_t order_count;
    double *work_ns;  /* fixed work around each round: [case * ROUNDS_MAX + round] */
    unsigned *misses; /* by case: slots in a row that gave nothing */
    bool gone;        /* the target does not come back: nobody waits for it any more */
    double *all_work_ns;
    size_t all_work_count, all_work_max;
    size_t slots_done, slots, repeats;
    uint64_t window_ns;
    uint64_t overhead_ns; /* of the last round's slots, on average */
    uint64_t random;
    uint64_t last_work_ns;
    uint64_t slot_start_ns;
};

/* splitmix64: small, seedable, the same everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void shuffle(size_t *order, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)(next_random(random) % i);
        size_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

/* Shares the time that is left among the slots that are left, once it is known what a slot costs
 * beside its window. A window that --duration fixed stays. */
static void adapt_window(struct run *run, unsigned round)
{
    const struct plan *plan = run->runner->plan;
    uint64_t elapsed = clock_now_ns() - run->runner->start_ns;
    size_t left = run->order_count * (plan->schedule.rounds - round);
    if (plan->duration_ns > 0 || round == 0 || left == 0)
        return;
    uint64_t share = elapsed < plan->time_ns ? (plan->time_ns - elapsed) / left : 0;
    uint64_t window = share > run->overhead_ns ? share - run->overhead_ns : 0;
    uint64_t low = plan->schedule.window_ns / 2, high = plan->schedule.window_ns * 2;
    low = low > WINDOW_MIN_NS ? low : WINDOW_MIN_NS;
    run->window_ns = window < low ? low : window > high ? high : window;
}

static void report(const struct run *run, size_t index, unsigned round, double rate, bool running)
{
    const struct runner *runner = run->runner;
    if (!runner->progress)
        return;
    uint64_t now = clock_now_ns();
    uint64_t left = (run->slots - run->slots_done) * (run->window_ns + run->overhead_ns);
    uint64_t spent = running ? now - run->slot_start_ns : 0;
    struct progress progress = {
        .test_case = &runner->plan->cases[index].test_case,
        .round = round + 1,
        .rounds = runner->plan->schedule.rounds,
        .slot = run->slots_done,
        .slots = run->slots,
        .rate = rate,
        .running = running,
        .elapsed_ns = now - runner->start_ns,
        .left_ns = left > spent ? left - spent : 0,
    };
    runner->progress(runner->progress_context, &progress);
}

/* A slot, for those who look at it while it runs. */
struct look {
    const struct run *run;
    size_t index;
    unsigned round;
};

static void report_rate(void *context, double rate)
{
    const struct look *look = context;
    report(look->run, look->index, look->round, rate, true);
}

static double last_rate(const struct case_measurement *measurement, enum measure measure)
{
    if (measurement->round_count == 0)
        return 0;
    const struct round *round = &measurement->rounds[measurement->round_count - 1];
    double amount = (double)(measure == MEASURE_BULK ? round->bytes : round->confirmed);
    return round->wall_ns ? amount * 1e9 / (double)round->wall_ns : 0;
}

static bool is_slow(const struct run *run, double work_ns)
{
    if (run->all_work_count < SPEEDS_MIN)
        return false;
    return sample_median(run->all_work_ns, run->all_work_count) < SLOW_SHARE * work_ns;
}

/* The fixed work before and after: the slower of the two is the slot's. */
static void run_slot(struct run *run, size_t index, unsigned round, double *work_ns)
{
    const struct runner *runner = run->runner;
    const struct plan *plan = runner->plan;
    struct look look = {run, index, round};
    struct slot_settings settings = {
        .load = &plan->load,
        .test_case = &plan->cases[index].test_case,
        .expected = runner->trials[index].done ? &runner->trials[index].negotiated : NULL,
        .confirm = runner->confirm[index],
        .window_ns = run->window_ns,
        .window_given = plan->duration_ns > 0,
        .warmup_ns = plan->schedule.warmup_ns,
        .unloaded_ns = plan->schedule.unloaded_ns,
        .control = runner->control,
        .processes = runner->processes,
        .round = round,
        .interrupt = runner->interrupt,
        .watch = runner->watch,
        .run_start_ns = runner->start_ns,
        .progress = runner->progress ? report_rate : NULL,
        .progress_context = &look,
    };
    run->slot_start_ns = clock_now_ns();
    uint64_t before = run->last_work_ns ? run->last_work_ns : speed_fixed_work_ns(runner->cpus);
    slot_run(&settings, &run->results[index].measurement);
    run->last_work_ns = speed_fixed_work_ns(runner->cpus);
    *work_ns = (double)(before > run->last_work_ns ? before : run->last_work_ns);
    if (run->all_work_count < run->all_work_max)
        run->all_work_ns[run->all_work_count++] = *work_ns;
}

static void note_stall(struct case_measurement *measurement, size_t index)
{
    char text[UNITS_TEXT];
    const struct round *round = &measurement->rounds[index];
    if (measurement->round_count > index && round->stalled_ns > 0 && !measurement->note[0])
        (void)snprintf(measurement->note, sizeof measurement->note,
                       "suitemark did not run for %s of round %u: it was stopped",
                       units_format_duration(text, round->stalled_ns), round->number + 1);
}

static bool is_late(const struct run *run)
{
    const struct plan *plan = run->runner->plan;
    struct pace pace = {
        .time_ns = plan->duration_ns == 0 ? plan->time_ns : 0,
        .elapsed_ns = clock_now_ns() - run->runner->start_ns,
        .slot_ns = run->window_ns + run->overhead_ns,
        .slots_left = run->slots - run->slots_done,
    };
    return pace_is_late(&pace);
}

/* The first try's round is dropped, unless this one gives none. */
static void repeat_slot(struct run *run, size_t index, unsigned round,
                        const struct measurement_mark *before, double *work_ns)
{
    struct case_measurement *measurement = &run->results[index].measurement;
    struct measurement_part first;
    double first_work_ns = *work_ns;
    run->repeats++;
    run->last_work_ns = 0;
    measurement_cut(measurement, before, &first);
    run_slot(run, index, round, work_ns);
    if (measurement->round_count == before->rounds) {
        measurement_put_back(measurement, &first);
        *work_ns = first_work_ns;
    }
}

/* Runs a slot, and once more where the machine was slow or we were stopped. */
static void visit(struct run *run, size_t index, unsigned round)
{
    struct case_measurement *measurement = &run->results[index].measurement;
    uint64_t completed = measurement->completed;
    struct measurement_mark before = measurement_mark(measurement);
    size_t rounds = before.rounds;
    double work_ns;
    run_slot(run, index, round, &work_ns);
    bool may_repeat = pace_may_repeat(run->repeats, run->slots) &&
                      run->runner->interrupt->count == 0 && !is_late(run);
    if (may_repeat && measurement->round_count > rounds &&
        (is_slow(run, work_ns) || measurement->rounds[rounds].stalled_ns > 0))
        repeat_slot(run, index, round, &before, &work_ns);
    if (measurement->round_count > rounds)
        run->work_ns[index * ROUNDS_MAX + rounds] = work_ns;
    bool gave = measurement->round_count > rounds && measurement->completed > completed;
    run->misses[index] = gave ? 0 : run->misses[index] + 1;
    note_stall(measurement, rounds);
}

/* A peer that is gone costs failures or timeouts in each slot. A case that has completed something
 * gets a second chance: the peer may only have been started anew. */
static bool is_lost(const struct run *run, size_t index)
{
    bool proven = run->results[index].measurement.completed > 0;
    return run->misses[index] >= (proven ? 2 : 1);
}

/* What is measured beside the slot, in the same state of the machine; after the first round only
 * while there is time. The fixed work behind the slot is then too old to stand before the next one.
 */
static void visit_beside(struct run *run, size_t index, unsigned round)
{
    const struct runner *runner = run->runner;
    if (!runner->beside || runner->interrupt->count > 0 || (round > 0 && is_late(run)))
        return;
    runner->beside(runner->beside_context, index);
    run->last_work_ns = 0;
}

/* After a slot that gave nothing though its case can be measured. */
static void await_target(struct run *run, size_t index)
{
    const struct load_settings *load = &run->runner->plan->load;
    if (run->misses[index] == 0)
        run->gone = false;
    else if (!run->gone && !is_lost(run, index))
        run->gone = !reach_wait(load, run->runner->interrupt, load->connect_timeout_ns);
}

static void run_round(struct run *run, unsigned round)
{
    const struct runner *runner = run->runner;
    uint64_t spent = 0, visited = 0;
    shuffle(run->order, run->order_count, &run->random);
    for (size_t i = 0; i < run->order_count && runner->interrupt->count == 0; i++) {
        size_t index = run->order[i];
        if (!is_lost(run, index)) {
            uint64_t start = clock_now_ns();
            report(run, index, round, 0, false);
            visit(run, index, round);
            await_target(run, index);
            visit_beside(run, index, round);
            spent += clock_now_ns() - start;
            visited++;
            const struct case_result *result = &run->results[index];
            run->slots_done++;
            report(run, index, round, last_rate(&result->measurement, result->test_case->measure),
                   false);
        } else {
            run->slots_done++;
        }
    }
    uint64_t windows = visited * run->window_ns;
    if (visited > 0)
        run->overhead_ns = spent > windows ? (spent - windows) / visited : 0;
}

static void copy_trial(const struct trial *trial, struct case_measurement *measurement)
{
    measurement->have_negotiated = trial->done;
    measurement->negotiated = trial->negotiated;
    measurement->handshake_bytes_in = trial->handshake_bytes_in;
    measurement->handshake_bytes_out = trial->handshake_bytes_out;
    measurement->tickets = trial->tickets;
    measurement->ticket_bytes = trial->ticket_bytes;
}

static void begin_results(struct run *run)
{
    const struct plan *plan = run->runner->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const struct planned_case *planned = &plan->cases[i];
        run->results[i].test_case = &planned->test_case;
        run->results[i].skipped = planned->skipped[0] ? planned->skipped : NULL;
        run->results[i].measurement.server_counts_agree = run->runner->control != NULL;
        if (planned->skipped[0])
            continue;
        copy_trial(&run->runner->trials[i], &run->results[i].measurement);
        run->order[run->order_count++] = i;
    }
    run->slots = run->order_count * plan->schedule.rounds;
}

/* Speeds are relative to the whole run's median, so they are known only now. */
static void finish_speeds(struct run *run)
{
    double median = sample_median(run->all_work_ns, run->all_work_count);
    for (size_t i = 0; i < run->runner->plan->count; i++) {
        struct case_measurement *measurement = &run->results[i].measurement;
        for (size_t round = 0; round < measurement->round_count; round++) {
            double work_ns = run->work_ns[i * ROUNDS_MAX + round];
            measurement->rounds[round].speed = work_ns > 0 ? median / work_ns : 1;
            measurement->rounds[round].slow = measurement->rounds[round].speed < SLOW_SHARE ||
                                              measurement->rounds[round].stalled_ns > 0;
        }
    }
}

bool runner_run(const struct runner *runner, struct case_result *results, struct error *err)
{
    const struct plan *plan = runner->plan;
    size_t cases = plan->count ? plan->count : 1;
    struct run run = {
        .runner = runner,
        .results = results,
        .order = calloc(cases, sizeof(size_t)),
        .work_ns = calloc(cases * ROUNDS_MAX, sizeof(double)),
        .misses = calloc(cases, sizeof(unsigned)),
        .all_work_max = cases * (plan->schedule.rounds + 1) * 2,
        .window_ns = plan->schedule.window_ns,
        .overhead_ns = plan->schedule.slot_ns - plan->schedule.window_ns,
        .random = plan->schedule.seed,
    };
    run.all_work_ns = calloc(run.all_work_max, sizeof(double));
    bool ok = run.order && run.work_ns && run.misses && run.all_work_ns;
    if (!ok)
        (void)error_set(err, "out of memory for %zu cases", plan->count);
    else
        begin_results(&run);
    for (unsigned round = 0; ok && round < plan->schedule.rounds && runner->interrupt->count == 0;
         round++) {
        adapt_window(&run, round);
        run_round(&run, round);
    }
    if (run.all_work_ns && run.work_ns)
        finish_speeds(&run);
    free(run.order);
    free(run.work_ns);
    free(run.misses);
    free(run.all_work_ns);
    return ok;
}
