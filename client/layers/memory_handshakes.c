#include "client/layers/memory.h"

#include "client/layers/cpu_lap.h"
#include "common/base/clock.h"

/* As many as a client thread has in flight; fewer where a handshake takes milliseconds. */
#define PAIRS_MAX 16
#define PAIRS_MIN 2
#define TURNS_MAX 16 /* more than any handshake needs, HelloRetryRequest and closing included */

static bool all_done(const struct pair *pairs, size_t count, enum work_side side)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].state[side] != PAIR_DONE)
            return false;
    return true;
}

static bool step_all(struct pair *pairs, size_t count, enum work_side side,
                     const struct pair_settings *settings, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!pair_step(&pairs[i], side, settings, err))
            return false;
    return true;
}

/* One batch; adds each side's CPU time to `used`. */
static bool run_batch(struct pair *pairs, size_t count, const struct pair_settings *settings,
                      struct cpu_lap *lap, double used[static WORK_SIDES], struct error *err)
{
    for (size_t i = 0; i < count; i++)
        pair_reset(&pairs[i]);
    (void)cpu_lap_ns(lap);
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        for (int side = 0; side < WORK_SIDES; side++) {
            if (!step_all(pairs, count, (enum work_side)side, settings, err))
                return false;
            used[side] += (double)cpu_lap_ns(lap);
        }
        if (all_done(pairs, count, WORK_CLIENT) && all_done(pairs, count, WORK_SERVER))
            return true;
    }
    return error_set(err, "no end after %d turns", TURNS_MAX);
}

/* The first handshake checks what was negotiated, warms up, and says how many make a batch. */
static bool warm_up(struct pair *pairs, const struct pair_settings *settings, uint64_t budget_ns,
                    struct cpu_lap *lap, size_t *count, struct error *err)
{
    double used[WORK_SIDES] = {0};
    struct pair_settings unchecked = *settings;

    unchecked.pins = NULL;
    if (!run_batch(pairs, 1, settings, lap, used, err))
        return false;
    used[WORK_CLIENT] = used[WORK_SERVER] = 0;
    if (!run_batch(pairs, 1, &unchecked, lap, used, err))
        return false;
    double fit = (double)budget_ns / (used[WORK_CLIENT] + used[WORK_SERVER] + 1);
    *count = fit < PAIRS_MIN ? PAIRS_MIN : fit > PAIRS_MAX ? PAIRS_MAX : (size_t)fit;
    return true;
}

static bool measure(struct pair *pairs, const struct pair_settings *settings, uint64_t budget_ns,
                    double cost[static WORK_SIDES], struct error *err)
{
    struct pair_settings unchecked = *settings;
    struct cpu_lap lap;
    size_t count = 0, done = 0;
    double used[WORK_SIDES] = {0};

    unchecked.pins = NULL;
    cpu_lap_init(&lap);
    if (!warm_up(pairs, settings, budget_ns, &lap, &count, err))
        return false;
    for (uint64_t until = clock_now_ns() + budget_ns; done == 0 || clock_now_ns() < until;
         done += count)
        if (!run_batch(pairs, count, &unchecked, &lap, used, err))
            return false;
    for (int side = 0; side < WORK_SIDES; side++)
        cost[side] = used[side] / (double)done;
    return true;
}

bool memory_handshakes(const struct pair_settings *settings, uint64_t budget_ns,
                       double cost[static WORK_SIDES], struct error *err)
{
    struct pair pairs[PAIRS_MAX] = {{.pipes = {NULL}}};
    bool ok = true;

    for (size_t i = 0; i < PAIRS_MAX; i++)
        ok = pair_init(&pairs[i]) && ok;
    ok = ok ? measure(pairs, settings, budget_ns, cost, err)
            : error_set(err, "no memory for %d pairs", PAIRS_MAX);
    for (size_t i = 0; i < PAIRS_MAX; i++)
        pair_cleanup(&pairs[i]);
    return ok;
}
