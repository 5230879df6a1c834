#include "client/evp/evp_measure.h"

#include "client/evp/evp_child.h"
#include "client/evp/evp_copy.h"
#include "client/evp/evp_options.h"
#include "client/evp/evp_work.h"
#include "common/base/memory.h"
#include "common/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX (1 + EVP_COLUMNS_MAX)

/* A cell and its place in the rounds. */
struct cell {
    struct evp_work work;
    char id[EVP_ID];
    uint64_t gone; /* set of columns that have it not; bit 0 is this process */
    unsigned turns;
    bool active;
};

struct run {
    const struct evp_measure *measure;
    struct evp_workshop shop;
    struct cell *cells; /* of the plan, by index */
    size_t *order;      /* a round's */
    uint64_t random;
};

static bool stopped(const struct run *run)
{
    (void)interrupt_wait(run->measure->interrupt, -1, 0); /* takes the signals that are there */
    return run->measure->interrupt->count > 0;
}

static bool gives_up(void *run)
{
    return stopped(run);
}

static void show(const struct run *run, const struct cell *cell)
{
    const struct evp_plan *plan = run->measure->plan;
    struct evp_progress progress = {.what = &cell->work.planned->what};

    if (!run->measure->progress)
        return;
    for (size_t i = 0; i < plan->count; i++) {
        const struct cell *other = &run->cells[i];
        progress.cells += other->work.planned->skipped[0] == '\0';
        progress.done += other->turns > 0 && !other->active;
        if (other->active && other->work.spent_ns < plan->max_time_ns)
            progress.left_ns += plan->max_time_ns - other->work.spent_ns;
    }
    progress.left_ns *= 1 + run->measure->column_count;
    run->measure->progress(run->measure->progress_context, &progress);
}

/* --- set-up --- */

static void prepare_all(struct run *run, struct evp_result *results)
{
    const struct evp_plan *plan = run->measure->plan;

    for (size_t i = 0; i < plan->count; i++) {
        const struct evp_work work = {.planned = &plan->cells[i], .result = &results[i]};
        run->cells[i] = (struct cell){.work = work};
        (void)evp_plan_id(&plan->cells[i].what, run->cells[i].id);
        (void)snprintf(results[i].reason, sizeof results[i].reason, "%s", plan->cells[i].skipped);
    }
    for (size_t i = 0; i < plan->count && !stopped(run); i++) {
        struct cell *cell = &run->cells[i];
        if (plan->cells[i].skipped[0] != '\0')
            continue;
        show(run, cell);
        evp_work_prepare(&run->shop, &cell->work);
        cell->gone = cell->work.last == EVP_TURN_GONE;
        cell->active = cell->gone == 0 || run->measure->column_count > 0;
    }
}

static void open_run(struct run *run, const struct evp_measure *measure, struct evp_result *results)
{
    const struct evp_plan *plan = measure->plan;

    *run = (struct run){.measure = measure,
                        .cells = memory_new(plan->count + 1, sizeof *run->cells),
                        .order = memory_new(plan->count + 1, sizeof *run->order),
                        .random = plan->seed ? plan->seed : 1};
    evp_workshop_init(&run->shop, plan, measure->cycles);
    run->shop.keys.give_up = gives_up;
    run->shop.keys.context = run;
    evp_copy_measure(plan, results);
    prepare_all(run, results);
}

static void close_run(struct run *run, bool whole)
{
    for (size_t i = 0; i < run->measure->plan->count; i++)
        evp_work_finish(&run->shop, &run->cells[i].work, whole);
    key_ring_cleanup(&run->shop.keys);
    free(run->cells);
    free(run->order);
}

/* --- rounds --- */

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

static enum evp_turn turn_of(struct run *run, struct cell *cell, size_t column)
{
    if (column == 0)
        return evp_work_turn(&run->shop, &cell->work);
    return evp_child_turn(&run->measure->columns[column - 1], cell->id, run->measure->interrupt);
}

/* The columns that have a cell; how many. */
static size_t find_present(const struct run *run, const struct cell *cell,
                           size_t present[static COLUMNS_MAX])
{
    size_t count = 0;

    for (size_t column = 0; column <= run->measure->column_count; column++)
        if (!(cell->gone & UINT64_C(1) << column))
            present[count++] = column;
    return count;
}

/* One round of one cell in every column that has it; which is first changes from turn to turn. All
 * go on until each is narrow, or the time of one is over. */
static void take_turns(struct run *run, struct cell *cell)
{
    size_t present[COLUMNS_MAX], count = find_present(run, cell, present);
    bool more = false, over = false;

    for (size_t i = 0; i < count && !stopped(run); i++) {
        size_t column = present[(cell->turns + i) % count];
        enum evp_turn turn = turn_of(run, cell, column);
        more |= turn == EVP_TURN_MORE;
        over |= turn == EVP_TURN_OVER;
        if (turn == EVP_TURN_GONE)
            cell->gone |= UINT64_C(1) << column;
    }
    cell->turns++;
    cell->active = more && !over;
    if (!cell->active)
        evp_crew_close(&cell->work.crew);
}

/* False where a signal ended them. */
static bool run_rounds(struct run *run)
{
    size_t count;

    while ((count = draw_order(run)) > 0) {
        for (size_t i = 0; i < count; i++) {
            struct cell *cell = &run->cells[run->order[i]];
            if (i % 16 == 0)
                show(run, cell);
            take_turns(run, cell);
            if (stopped(run))
                return false;
        }
    }
    return !stopped(run);
}

void evp_measure_run(const struct evp_measure *measure, struct evp_result *results)
{
    struct run run;

    open_run(&run, measure, results);
    close_run(&run, run_rounds(&run));
}

/* --- as a column --- */

static struct cell *find(const struct run *run, const char *id)
{
    for (size_t i = 0; i < run->measure->plan->count; i++)
        if (strcmp(run->cells[i].id, id) == 0)
            return &run->cells[i];
    return NULL;
}

static enum evp_turn obey(struct run *run, const char *id)
{
    struct cell *cell = find(run, id);

    if (!cell || !cell->active || cell->work.last == EVP_TURN_GONE)
        return EVP_TURN_GONE;
    return evp_work_turn(&run->shop, &cell->work);
}

void evp_measure_obey(const struct evp_measure *measure, FILE *in, FILE *out,
                      struct evp_result *results)
{
    char line[EVP_ID + sizeof "turn \n"];
    struct run run;
    bool whole = false;

    open_run(&run, measure, results);
    (void)fprintf(out, EVP_READY "\n");
    while (fflush(out) == 0 && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        whole = strcmp(line, "end") == 0;
        if (!text_starts_nocase(line, "turn "))
            break;
        (void)fprintf(out, "%s\n", evp_turn_word(obey(&run, line + strlen("turn "))));
    }
    close_run(&run, whole && !stopped(&run));
}

void evp_results_free(struct evp_result *results, size_t count)
{
    for (size_t i = 0; results && i < count; i++)
        free(results[i].rounds);
    free(results);
}
