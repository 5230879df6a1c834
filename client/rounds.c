#include "client/rounds.h"

#include "common/base/clock.h"

#include <math.h>

static double ratio_of(double numerator, uint64_t denominator)
{
    return denominator == 0 ? NAN : numerator / (double)denominator;
}

static const struct round *round_at(const struct case_result *result, size_t index)
{
    return &result->measurement.rounds[index];
}

static bool is_bulk(const struct case_result *result)
{
    return result->test_case->measure == MEASURE_BULK;
}

static bool is_upload(const struct case_result *result)
{
    return is_bulk(result) && result->test_case->direction == DIRECTION_UPLOAD;
}

/* A server that served others too has spent its CPU on them: its figures are not ours. */
static bool server_known(const struct case_result *result, size_t index)
{
    return round_at(result, index)->server_known && !result->measurement.server_shared;
}

double rounds_rate(const struct case_result *result, size_t index)
{
    const struct round *round = round_at(result, index);

    if (is_upload(result)) {
        if (!server_known(result, index))
            return NAN; /* what the client has written may still stand in socket buffers */
        return ratio_of((double)round->server_bytes * NS_PER_S, round->server_wall_ns);
    }
    if (is_bulk(result))
        return ratio_of((double)round->bytes * NS_PER_S, round->wall_ns);
    return ratio_of((double)round->confirmed * NS_PER_S, round->wall_ns);
}

double rounds_client_cost(const struct case_result *result, size_t index)
{
    const struct round *round = round_at(result, index);

    if (is_upload(result)) { /* what arrived is known of the server's window only */
        double cpu_ns =
            ratio_of((double)round->client_cpu_ns * (double)round->server_wall_ns, round->wall_ns);
        return server_known(result, index) ? ratio_of(cpu_ns, round->server_bytes) : NAN;
    }
    if (is_bulk(result))
        return ratio_of((double)round->client_cpu_ns, round->bytes);
    return ratio_of((double)round->client_cpu_ns / NS_PER_US, round->confirmed);
}

double rounds_server_cost(const struct case_result *result, size_t index)
{
    const struct round *round = round_at(result, index);

    if (!server_known(result, index))
        return NAN;
    if (is_bulk(result))
        return ratio_of((double)round->server_cpu_ns, round->server_bytes);
    return ratio_of((double)round->server_cpu_ns / NS_PER_US, round->server_count);
}

double rounds_client_busy(const struct case_result *result, size_t index)
{
    const struct round *round = round_at(result, index);

    return ratio_of((double)round->client_busiest_ns, round->wall_ns);
}

double rounds_server_busy(const struct case_result *result, size_t index)
{
    const struct round *round = round_at(result, index);

    if (!server_known(result, index))
        return NAN;
    return ratio_of((double)round->server_busiest_ns, round->server_wall_ns);
}

struct interval rounds_interval(const struct case_result *result, round_figure *figure)
{
    double values[ROUNDS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < result->measurement.round_count; i++) {
        double value = figure(result, i);
        if (!isnan(value))
            values[count++] = value;
    }
    return sample_interval(values, count);
}

/* By the rounds' numbers: either case may lack some. Both lists ascend. */
static struct interval paired(const struct case_result *dear, const struct case_result *cheap,
                              round_figure *cost)
{
    double a[ROUNDS_MAX], b[ROUNDS_MAX];
    size_t count = 0, i = 0, j = 0;

    while (i < dear->measurement.round_count && j < cheap->measurement.round_count) {
        unsigned left = round_at(dear, i)->number, right = round_at(cheap, j)->number;
        if (left == right) {
            a[count] = cost(dear, i);
            b[count++] = cost(cheap, j);
        }
        i += left <= right;
        j += right <= left;
    }
    return sample_paired_ratio(a, b, count);
}

bool rounds_cost_ratio(const struct case_result *dear, const struct case_result *cheap,
                       struct interval *ratio, bool *of_client)
{
    *of_client = false;
    *ratio = paired(dear, cheap, rounds_server_cost);
    if (ratio->count == 0) {
        *of_client = true;
        *ratio = paired(dear, cheap, rounds_client_cost);
    }
    return ratio->count > 0;
}

bool rounds_ratio_unsure(const struct interval *ratio)
{
    return ratio->count < 2 || (ratio->low <= 1.0 && ratio->high >= 1.0);
}
