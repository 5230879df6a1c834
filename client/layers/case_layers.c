#include "client/layers/case_layers.h"

#include <string.h>

static void set_shares(struct layer_summary *summary, double user, double system)
{
    struct layer_shares *shares = &summary->shares;
    double wire = summary->wire;

    for (int i = 0; i < WORK_COMPONENTS; i++)
        shares->components[i] = summary->components[i] / wire;
    shares->libssl = (summary->memory.median - summary->primitive.median) / wire;
    shares->kernel_known = user + system > 0;
    shares->kernel = shares->kernel_known ? system / wire : 0;
    shares->rest = 1 - summary->memory.median / wire - shares->kernel;
    summary->have_shares = true;
}

void case_layers_summary(const struct case_layers *layers, enum work_side side, double wire,
                         double user, double system, struct layer_summary *summary)
{
    const struct layer_values *values = &layers->sides[side];

    memset(summary, 0, sizeof *summary);
    summary->primitive = sample_interval(values->primitive, layers->primitive_count);
    summary->memory = sample_interval(values->memory, layers->memory_count);
    summary->wire = wire;
    for (int i = 0; i < WORK_COMPONENTS; i++)
        summary->components[i] = sample_median(values->components[i], layers->primitive_count);
    summary->have_efficiency = wire > 0 && summary->primitive.count > 0;
    if (!summary->have_efficiency)
        return;
    summary->efficiency = summary->primitive.median / wire;
    if (summary->memory.count > 0)
        set_shares(summary, user, system);
}
