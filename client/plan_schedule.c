#include "client/plan.h"

#include "common/base/clock.h"

/* What stands beside the window in each slot (METHOD 2, 3 and 6). */
#define SPEED_NS               (5 * NS_PER_MS)  /* the fixed work, twice where it was slow */
#define DRAIN_NS               (20 * NS_PER_MS) /* the last connections, and the snapshots */
#define RAMP_PER_CONNECTION_NS (1 * NS_PER_MS)  /* both ends of one handshake on one thread */
#define LAYERS_NS              (35 * NS_PER_MS) /* of one case once, and a speed measured anew */
#define UNLOADED_MIN_NS        (10 * NS_PER_MS)
#define UNLOADED_MAX_NS        (100 * NS_PER_MS)
#define WINDOW_MIN_NS          (50 * NS_PER_MS)

/* Kept back for repeated slots and the report: a thirty-second part of the run, 1 s at most. */
#define RESERVE_PART   32
#define RESERVE_MAX_NS NS_PER_S

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static uint64_t less(uint64_t from, uint64_t part)
{
    return from > part ? from - part : 0;
}

/* Every connection finishes once, on its thread one after the other. */
static uint64_t ramp_ns(const struct plan *plan)
{
    uint64_t threads = plan->load.threads ? plan->load.threads : 1;
    uint64_t all_once = plan->load.connections / threads * RAMP_PER_CONNECTION_NS;

    return all_once > plan->schedule.warmup_ns ? all_once : plan->schedule.warmup_ns;
}

void plan_schedule(struct plan *plan, uint64_t spent_ns)
{
    struct schedule *schedule = &plan->schedule;
    uint64_t slots = plan_runnable(plan) * schedule->rounds;
    uint64_t layers = plan->layers ? LAYERS_NS : 0;
    uint64_t fixed = SPEED_NS + ramp_ns(plan) + DRAIN_NS + layers;
    uint64_t reserve = clamp(plan->time_ns / RESERVE_PART, 0, RESERVE_MAX_NS);
    uint64_t left = less(plan->time_ns, spent_ns + reserve);
    uint64_t slot = left / (slots ? slots : 1);

    /* Unloaded latency takes a tenth of the slot, and a ninth of all else in it. */
    if (plan->duration_ns) {
        schedule->window_ns = plan->duration_ns;
        schedule->unloaded_ns =
            clamp((fixed + plan->duration_ns) / 9, UNLOADED_MIN_NS, UNLOADED_MAX_NS);
    } else {
        schedule->unloaded_ns = clamp(slot / 10, UNLOADED_MIN_NS, UNLOADED_MAX_NS);
        schedule->window_ns = less(slot, fixed + schedule->unloaded_ns);
    }
    if (!plan->duration_ns && schedule->window_ns < WINDOW_MIN_NS)
        schedule->window_ns = WINDOW_MIN_NS;
    schedule->layers_ns = layers;
    schedule->slot_ns = fixed + schedule->unloaded_ns + schedule->window_ns;
    schedule->total_ns = schedule->slot_ns * slots;
    schedule->too_tight =
        !plan->duration_ns && slots > 0 && spent_ns + schedule->total_ns > plan->time_ns;
}
