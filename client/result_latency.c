#include "client/result_parts.h"

#include "common/base/clock.h"

static json_t *quantile_json(const struct histogram *histogram, double quantile)
{
    uint64_t ns;

    if (!histogram_quantile(histogram, quantile, &ns))
        return json_null();
    return json_real((double)ns / NS_PER_MS);
}

static json_t *part_json(const struct histogram *histogram)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I}", "p50", quantile_json(histogram, 0.5), "p90",
                     quantile_json(histogram, 0.9), "p99", quantile_json(histogram, 0.99), "p999",
                     quantile_json(histogram, 0.999), "max",
                     result_number(histogram->count > 0, (double)histogram->max_ns / NS_PER_MS),
                     "count", (json_int_t)histogram->count);
}

json_t *result_latency(const struct case_measurement *measurement)
{
    const struct latency *unloaded = &measurement->unloaded;

    return json_pack("{s:i, s:o, s:o, s:o, s:o}", "connections", 1, "tcp",
                     part_json(&unloaded->tcp), "tls", part_json(&unloaded->tls), "first_byte",
                     part_json(&unloaded->first_byte), "last_byte",
                     part_json(&unloaded->last_byte));
}

static json_t *latency_histograms(const struct latency *latency)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "tcp", histogram_to_json(&latency->tcp), "tls",
                     histogram_to_json(&latency->tls), "first_byte",
                     histogram_to_json(&latency->first_byte), "last_byte",
                     histogram_to_json(&latency->last_byte));
}

json_t *result_histograms(const struct case_measurement *measurement)
{
    return json_pack("{s:o, s:o}", "unloaded", latency_histograms(&measurement->unloaded), "loaded",
                     latency_histograms(&measurement->loaded));
}
