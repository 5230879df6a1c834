#include "client/measurement.h"

static struct cpu_split less(struct cpu_split from, struct cpu_split what)
{
    return (struct cpu_split){from.user_ns - what.user_ns, from.system_ns - what.system_ns};
}

static struct cpu_split plus(struct cpu_split to, struct cpu_split what)
{
    return (struct cpu_split){to.user_ns + what.user_ns, to.system_ns + what.system_ns};
}

struct measurement_mark measurement_mark(const struct case_measurement *m)
{
    return (struct measurement_mark){m->round_count, m->client_split, m->server_split};
}

void measurement_cut(struct case_measurement *m, const struct measurement_mark *mark,
                     struct measurement_part *cut)
{
    *cut = (struct measurement_part){.has_round = m->round_count > mark->rounds};
    if (!cut->has_round)
        return;
    cut->round = m->rounds[mark->rounds];
    cut->client_split = less(m->client_split, mark->client_split);
    cut->server_split = less(m->server_split, mark->server_split);
    m->round_count = mark->rounds;
    m->client_split = mark->client_split;
    m->server_split = mark->server_split;
}

void measurement_put_back(struct case_measurement *m, const struct measurement_part *cut)
{
    if (!cut->has_round || m->round_count == ROUNDS_MAX)
        return;
    m->rounds[m->round_count++] = cut->round;
    m->client_split = plus(m->client_split, cut->client_split);
    m->server_split = plus(m->server_split, cut->server_split);
}
