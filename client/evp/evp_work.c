#include "client/evp/evp_work.h"

#include "common/base/clock.h"
#include "common/base/memory.h"
#include "common/base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_OF_A_LENGTH 50

static const char *const turn_words[EVP_TURNS] = {
    [EVP_TURN_MORE] = "more",
    [EVP_TURN_NARROW] = "narrow",
    [EVP_TURN_OVER] = "over",
    [EVP_TURN_GONE] = "gone",
};

const char *evp_turn_word(enum evp_turn turn)
{
    return turn_words[turn];
}

enum evp_turn evp_turn_read(const char *word)
{
    for (int i = 0; i < EVP_TURNS; i++)
        if (strcmp(word, turn_words[i]) == 0)
            return (enum evp_turn)i;
    return EVP_TURN_GONE;
}

/* For what stays set up. All of it where that is at most half of what is free; else little, so that
 * long messages still have room when it is their turn. */
static uint64_t memory_to_keep(const struct evp_plan *plan)
{
    uint64_t needed = 0, free_bytes = evp_crew_free_memory();

    for (size_t i = 0; i < plan->count; i++)
        if (plan->cells[i].skipped[0] == '\0')
            needed += evp_crew_memory(&plan->cells[i].what, plan->threads);
    return free_bytes == 0 || needed <= free_bytes / 2 ? needed : free_bytes / 8;
}

/* The rounds fit into the time. */
static uint64_t batch_time(const struct evp_plan *plan)
{
    uint64_t longest = plan->max_time_ns / plan->rounds + 1;

    return longest < TIMED_LOOP_BATCH_NS ? longest : TIMED_LOOP_BATCH_NS;
}

void evp_workshop_init(struct evp_workshop *shop, const struct evp_plan *plan, bool cycles)
{
    *shop = (struct evp_workshop){.plan = plan,
                                  .batch_ns = batch_time(plan),
                                  .memory = memory_to_keep(plan),
                                  .cycles = cycles};
}

static enum evp_turn fail(struct evp_work *work, const struct error *err)
{
    work->result->status = EVP_FAILED;
    work->result->count = 0; /* METHOD 12: one failure, no number */
    (void)snprintf(work->result->reason, sizeof work->result->reason, "%s", err->text);
    evp_crew_close(&work->crew);
    return work->last = EVP_TURN_GONE;
}

static bool open_crew(struct evp_workshop *shop, struct evp_work *work, struct error *err)
{
    return evp_crew_open(&work->crew, &work->planned->what, shop->plan->threads, &shop->keys, err);
}

static bool given_up(const struct evp_workshop *shop)
{
    return shop->keys.give_up && shop->keys.give_up(shop->keys.context);
}

void evp_work_prepare(struct evp_workshop *shop, struct evp_work *work)
{
    const struct evp_plan *plan = shop->plan;
    uint64_t needed = evp_crew_memory(&work->planned->what, plan->threads);
    struct error err;

    work->kept = needed <= shop->memory;
    if (work->kept)
        shop->memory -= needed;
    if (!open_crew(shop, work, &err) ||
        !evp_crew_size(&work->crew, shop->batch_ns, plan->max_time_ns / plan->rounds + 1,
                       &work->batch, &err)) {
        if (given_up(shop))
            work->last = EVP_TURN_GONE;
        else
            (void)fail(work, &err);
        return;
    }
    (void)snprintf(work->result->verified, sizeof work->result->verified, "%s",
                   work->crew.tasks[0].verified);
    if (!work->kept)
        evp_crew_close(&work->crew);
}

static void add_round(struct evp_work *work, const struct timed_batch *batch)
{
    struct evp_result *result = work->result;

    result->rounds = memory_grow(result->rounds, result->count + 1, sizeof *result->rounds);
    result->rounds[result->count++] = *batch;
}

static void find_rate(struct evp_result *result)
{
    double *rates = memory_new(result->count + 1, sizeof *rates);

    for (size_t i = 0; i < result->count; i++) {
        const struct timed_batch *batch = &result->rounds[i];
        rates[i] = (double)batch->count * 1e9 / (double)(batch->ns ? batch->ns : 1);
    }
    result->ops = sample_interval(rates, result->count);
    free(rates);
}

static void find_cycles(struct evp_result *result)
{
    double *cycles = memory_new(result->count + 1, sizeof *cycles);

    for (size_t i = 0; i < result->count; i++)
        cycles[i] = (double)result->rounds[i].cycles / (double)result->rounds[i].count;
    result->cycles = sample_median(cycles, result->count);
    free(cycles);
}

/* Batches of several operations were made to fit into the time, so that it can be over before the
 * least number of rounds only where they are single operations, or threads have to wait for each
 * other. */
static enum evp_turn judge(const struct evp_workshop *shop, const struct evp_work *work)
{
    const struct evp_plan *plan = shop->plan;
    struct evp_result *result = work->result;
    bool over = work->spent_ns >= plan->max_time_ns;

    if (result->count < plan->rounds)
        return over && (work->batch.count == 1 || plan->threads > 1) ? EVP_TURN_OVER
                                                                     : EVP_TURN_MORE;
    if (over || result->count >= EVP_ROUNDS_MAX)
        return EVP_TURN_OVER;
    find_rate(result);
    bool narrow = !result->ops.is_range && interval_half_width(result->ops) <= plan->precision;
    return narrow ? EVP_TURN_NARROW : EVP_TURN_MORE;
}

/* Batches begin short, since most cells are narrow soon. Where the time is long, those of a cell
 * that is not get longer, so that no more rounds are kept than EVP_ROUNDS_MAX. */
static void lengthen_batch(const struct evp_plan *plan, struct evp_work *work)
{
    const struct evp_result *result = work->result;

    if (result->count % ROUNDS_OF_A_LENGTH != 0 || work->spent_ns >= plan->max_time_ns)
        return;
    uint64_t left_ns = plan->max_time_ns - work->spent_ns;
    uint64_t rounds_left = EVP_ROUNDS_MAX - result->count;
    if (left_ns > result->rounds[result->count - 1].ns * rounds_left) {
        work->batch.count *= 2;
        work->batch.window_ns *= 2;
    }
}

/* A round and the time that it takes: with threads also that before and behind the window. */
static bool run_round(struct evp_work *work, struct timed_batch *batch, struct error *err)
{
    uint64_t start_ns = clock_now_ns();
    bool ok = evp_crew_run(&work->crew, &work->batch, batch, err);

    work->spent_ns += work->crew.count > 1 ? clock_now_ns() - start_ns : batch->ns;
    return ok;
}

enum evp_turn evp_work_turn(struct evp_workshop *shop, struct evp_work *work)
{
    struct timed_batch batch = {0};
    struct error err;

    if ((!work->kept && !open_crew(shop, work, &err)) || !run_round(work, &batch, &err))
        return fail(work, &err);
    if (!shop->cycles)
        batch.cycles = 0;
    add_round(work, &batch);
    lengthen_batch(shop->plan, work);
    if (!work->kept)
        evp_crew_close(&work->crew);
    return work->last = judge(shop, work);
}

/* Why a figure has fewer rounds than were asked for: an operation takes long, here or in a column
 * that takes its turns with this one. */
static void note_few_rounds(const struct evp_plan *plan, const struct evp_work *work)
{
    struct evp_result *result = work->result;
    const struct timed_batch *batch = &result->rounds[0];
    uint64_t operation_ns = batch->ns * plan->threads / batch->count;
    char each[UNITS_TEXT];
    int used = snprintf(result->reason, sizeof result->reason,
                        "--max-time ended it after %zu of %u rounds", result->count, plan->rounds);

    if (work->spent_ns < plan->max_time_ns)
        (void)snprintf(result->reason + used, sizeof result->reason - (size_t)used,
                       ", with another column's");
    else
        (void)snprintf(result->reason + used, sizeof result->reason - (size_t)used,
                       " (an operation takes %s)", units_format_duration(each, operation_ns));
}

/* Threads that do the same from one start to the last one's end wait for each other. */
static void note_waiting(const struct evp_plan *plan, const struct evp_work *work)
{
    size_t used = strlen(work->result->reason);

    if (plan->threads > 1 && work->batch.window_ns == 0)
        (void)snprintf(work->result->reason + used, sizeof work->result->reason - used,
                       "%sat least this: the threads end at different times, and the last one "
                       "counts",
                       used > 0 ? "; " : "");
}

void evp_work_finish(const struct evp_workshop *shop, struct evp_work *work, bool whole)
{
    struct evp_result *result = work->result;

    find_rate(result);
    find_cycles(result);
    evp_crew_close(&work->crew);
    if (result->status != EVP_SKIPPED || work->planned->skipped[0] != '\0')
        return;
    if (result->count > 0 && (whole || work->last != EVP_TURN_MORE)) {
        result->status = EVP_MEASURED;
        if (result->count < shop->plan->rounds)
            note_few_rounds(shop->plan, work);
        note_waiting(shop->plan, work);
        return;
    }
    result->status = EVP_PARTIAL;
    (void)snprintf(result->reason, sizeof result->reason, "interrupted after %zu rounds",
                   result->count);
}
