#include "client/evp/evp_measure.h"

#include "client/evp/evp_copy.h"
#include "client/evp/evp_crew.h"
#include "common/base/clock.h"
#include "common/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS_MAX     1000
#define OPERATIONS_MIN 8 /* of a thread in a round */

/* A cell in the making. */
struct cell {
    const struct evp_cell *planned;
    struct evp_result *result;
    struct evp_crew crew; /* its tasks, one for each thread */
    uint64_t count;       /* of operations in a batch */
    uint64_t window_ns;   /* of a round with several threads */
    uint64_t spent_ns;
    bool active;
};

struct run {
    const struct evp_measure *measure;
    struct key_ring keys;
    struct cell *cells; /* of the plan, by index */
    size_t *order;      /* a round's */
    uint64_t random;
    uint64_t batch_ns;
    bool keep; /* the memory suffices for all cells at once */
};

/* --- one cell --- */

static void fail(struct cell *cell, const struct error *err)
{
    cell->result->status = EVP_FAILED;
    cell->result->count = 0; /* METHOD 12: one failure, no number */
    (void)snprintf(cell->result->reason, sizeof cell->result->reason, "%s", err->text);
    evp_crew_close(&cell->crew);
    cell->active = false;
}

static bool open_cell(struct run *run, struct cell *cell, struct error *err)
{
    return evp_crew_open(&cell->crew, &cell->planned->what, run->measure->plan->threads, &run->keys,
                         err);
}

/* Several threads are counted over at least a few operations of each. */
static bool size_batch(struct run *run, struct cell *cell, struct error *err)
{
    struct primitive_task *task = &cell->crew.tasks[0];
    struct timed_batch batch;

    if (!timed_loop_size(task, run->batch_ns, &cell->count, err) ||
        !timed_loop_run(task, 1, &batch, err))
        return false;
    cell->window_ns =
        batch.ns * OPERATIONS_MIN > run->batch_ns ? batch.ns * OPERATIONS_MIN : run->batch_ns;
    return true;
}

/* Set up, proved, and the batch's size found. Where messages are so long that those of all cells
 * would not fit into memory, a cell is set up again for each of its rounds. */
static void prepare(struct run *run, struct cell *cell)
{
    struct error err;

    cell->active = true;
    if (!open_cell(run, cell, &err) || !size_batch(run, cell, &err)) {
        fail(cell, &err);
        return;
    }
    (void)snprintf(cell->result->verified, sizeof cell->result->verified, "%s",
                   cell->crew.tasks[0].verified);
    if (!run->keep)
        evp_crew_close(&cell->crew);
}

static void add_round(struct cell *cell, const struct timed_batch *batch)
{
    struct evp_result *result = cell->result;

    result->rounds = memory_grow(result->rounds, result->count + 1, sizeof *result->rounds);
    result->rounds[result->count++] = *batch;
    cell->spent_ns += batch->ns;
}

static void summarise(struct evp_result *result)
{
    double *rates = memory_new(result->count + 1, sizeof *rates);
    double *cycles = memory_new(result->count + 1, sizeof *cycles);

    for (size_t i = 0; i < result->count; i++) {
        const struct timed_batch *batch = &result->rounds[i];
        rates[i] = (double)batch->count * 1e9 / (double)(batch->ns ? batch->ns : 1);
        cycles[i] = (double)batch->cycles / (double)batch->count;
    }
    result->ops = sample_interval(rates, result->count);
    result->cycles = sample_median(cycles, result->count);
    free(rates);
    free(cycles);
}

static bool is_finished(const struct run *run, struct cell *cell)
{
    const struct evp_plan *plan = run->measure->plan;
    const struct evp_result *result = cell->result;

    if (result->count < plan->rounds)
        return false;
    if (cell->spent_ns >= plan->max_time_ns || result->count >= ROUNDS_MAX)
        return true;
    summarise(cell->result);
    return !result->ops.is_range && interval_half_width(result->ops) <= plan->precision;
}

/* One round of one cell. */
static void take_turn(struct run *run, struct cell *cell)
{
    struct timed_batch batch;
    struct error err;

    if ((!run->keep && !open_cell(run, cell, &err)) ||
        !evp_crew_run(&cell->crew, cell->count, cell->window_ns, &batch, &err)) {
        fail(cell, &err);
        return;
    }
    if (!run->measure->cycles)
        batch.cycles = 0;
    add_round(cell, &batch);
    cell->active = !is_finished(run, cell);
    if (!run->keep || !cell->active)
        evp_crew_close(&cell->crew);
}

/* --- all cells --- */

static bool stopped(const struct run *run)
{
    (void)interrupt_wait(run->measure->interrupt, -1, 0); /* takes the signals that are there */
    return run->measure->interrupt->count > 0;
}

/* xorshift64*: the same order for the same seed, on every machine. */
static uint64_t draw(struct run *run)
{
    run->random ^= run->random >> 12;
    run->random ^= run->random << 25;
    run->random ^= run->random >> 27;
    return run->random * UINT64_C(2685821657736338717);
}

/* The cells that still take part, shuffled; how many. */
static size_t draw_order(struct run *run)
{
    size_t count = 0;

    for (size_t i = 0; i < run->measure->plan->count; i++)
        if (run->cells[i].active)
            run->order[count++] = i;
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)(draw(run) % i), kept = run->order[i - 1];
        run->order[i - 1] = run->order[other];
        run->order[other] = kept;
    }
    return count;
}

static void show(const struct run *run, const struct cell *cell)
{
    const struct evp_plan *plan = run->measure->plan;
    struct evp_progress progress = {.what = &cell->planned->what};

    if (!run->measure->progress)
        return;
    for (size_t i = 0; i < plan->count; i++) {
        const struct cell *other = &run->cells[i];
        progress.cells += other->planned->skipped[0] == '\0';
        progress.done += other->result->count > 0 && !other->active;
        if (other->active && other->spent_ns < plan->max_time_ns)
            progress.left_ns += plan->max_time_ns - other->spent_ns;
    }
    run->measure->progress(run->measure->progress_context, &progress);
}

/* At most half of what is free is kept. */
static bool memory_suffices(const struct evp_plan *plan)
{
    uint64_t needed = 0, free_bytes = evp_crew_free_memory();

    for (size_t i = 0; i < plan->count; i++)
        if (plan->cells[i].skipped[0] == '\0')
            needed += evp_crew_memory(&plan->cells[i].what, plan->threads);
    return free_bytes == 0 || needed <= free_bytes / 2;
}

static void prepare_all(struct run *run, struct evp_result *results)
{
    const struct evp_plan *plan = run->measure->plan;

    for (size_t i = 0; i < plan->count; i++) {
        struct cell *cell = &run->cells[i];
        *cell = (struct cell){.planned = &plan->cells[i], .result = &results[i]};
        (void)snprintf(results[i].reason, sizeof results[i].reason, "%s", plan->cells[i].skipped);
    }
    for (size_t i = 0; i < plan->count && !stopped(run); i++) {
        if (plan->cells[i].skipped[0] != '\0')
            continue;
        show(run, &run->cells[i]);
        prepare(run, &run->cells[i]);
    }
}

static void run_rounds(struct run *run)
{
    size_t count;

    while ((count = draw_order(run)) > 0) {
        for (size_t i = 0; i < count; i++) {
            if (stopped(run))
                return;
            if (i % 16 == 0)
                show(run, &run->cells[run->order[i]]);
            take_turn(run, &run->cells[run->order[i]]);
        }
    }
}

/* An interrupt leaves cells without their last round, or without any. */
static void finish(struct cell *cell)
{
    struct evp_result *result = cell->result;

    if (result->status == EVP_SKIPPED && cell->planned->skipped[0] == '\0') {
        bool whole = result->count > 0 && !cell->active;
        result->status = whole ? EVP_MEASURED : EVP_PARTIAL;
        if (!whole)
            (void)snprintf(result->reason, sizeof result->reason, "interrupted after %zu rounds",
                           result->count);
    }
    summarise(result);
    evp_crew_close(&cell->crew);
}

void evp_measure_run(const struct evp_measure *measure, struct evp_result *results)
{
    const struct evp_plan *plan = measure->plan;
    struct run run = {.measure = measure,
                      .cells = memory_new(plan->count + 1, sizeof *run.cells),
                      .order = memory_new(plan->count + 1, sizeof *run.order),
                      .random = plan->seed ? plan->seed : 1,
                      .batch_ns = TIMED_LOOP_BATCH_NS,
                      .keep = memory_suffices(plan)};

    if (plan->max_time_ns / plan->rounds < run.batch_ns)
        run.batch_ns = plan->max_time_ns / plan->rounds + 1;
    else if (plan->max_time_ns / (ROUNDS_MAX / 4) > run.batch_ns)
        run.batch_ns = plan->max_time_ns / (ROUNDS_MAX / 4);
    evp_copy_measure(plan, results);
    prepare_all(&run, results);
    run_rounds(&run);
    for (size_t i = 0; i < plan->count; i++)
        finish(&run.cells[i]);
    key_ring_cleanup(&run.keys);
    free(run.cells);
    free(run.order);
}

void evp_results_free(struct evp_result *results, size_t count)
{
    for (size_t i = 0; results && i < count; i++)
        free(results[i].rounds);
    free(results);
}
