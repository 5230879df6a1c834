#ifndef COMMON_STATS_HISTOGRAM_H
#define COMMON_STATS_HISTOGRAM_H

#include "common/base/error.h"

#include <jansson.h>
#include <stdint.h>

/* A log-linear histogram of durations in nanoseconds, mergeable, of fixed size: values up to 2^6 ns
 * are exact, above that each power of two has 64 buckets, so a value read back is off by less than
 * 1/64 (1.6 %). Values over HISTOGRAM_MAX_NS count in the last bucket; the exact maximum is kept
 * apart. Zeroed is valid and empty. */

#define HISTOGRAM_SUB_BITS 6
#define HISTOGRAM_MAX_BITS 37 /* 2^37 ns = 137 s */
#define HISTOGRAM_MAX_NS   ((UINT64_C(1) << HISTOGRAM_MAX_BITS) - 1)
#define HISTOGRAM_BUCKETS  ((HISTOGRAM_MAX_BITS - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

struct histogram {
    uint64_t count, max_ns;
    uint32_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_record(struct histogram *histogram, uint64_t ns);
void histogram_merge(struct histogram *into, const struct histogram *from);

/* The value (middle of its bucket, never above the maximum) that `quantile` (0 < q < 1) of the
 * samples do not exceed. False, and *ns untouched, when fewer than 10 samples lie beyond it (METHOD
 * 8). */
bool histogram_quantile(const struct histogram *histogram, double quantile, uint64_t *ns);

/* {"unit":"ns","sub_bits":6,"count":…,"max":…,"buckets":[[index,count],…]}: only buckets that are
 * not empty, so that saved results can be merged. histogram_from_json refuses anything malformed.
 */
json_t *histogram_to_json(const struct histogram *histogram);
bool histogram_from_json(const json_t *json, struct histogram *histogram,
                         struct error *err) MUST_CHECK;

#endif
