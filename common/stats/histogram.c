#include "common/stats/histogram.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* METHOD 8: a quantile with fewer samples beyond it is noise. */
#define SAMPLES_BEYOND 10

/* Bucket rows: row 0 holds the values below 64 one by one; row r > 0 those whose highest bit is bit
 * 5 + r, told apart by the 6 bits below it. */
static size_t index_of(uint64_t ns)
{
    if (ns > HISTOGRAM_MAX_NS) {
        ns = HISTOGRAM_MAX_NS;
    }
    if (ns >> HISTOGRAM_SUB_BITS == 0) {
        return (size_t)ns;
    }
    unsigned shift = 63 - (unsigned)__builtin_clzll(ns) - HISTOGRAM_SUB_BITS;
    size_t sub = (size_t)(ns >> shift) & ((1u << HISTOGRAM_SUB_BITS) - 1);
    return ((size_t)(shift + 1) << HISTOGRAM_SUB_BITS) + sub;
}

static uint64_t middle_of(size_t index)
{
    size_t row = index >> HISTOGRAM_SUB_BITS;
    if (row == 0) {
        return index;
    }
    uint64_t sub = index & ((1u << HISTOGRAM_SUB_BITS) - 1);
    uint64_t width = UINT64_C(1) << (row - 1);
    return (((UINT64_C(1) << HISTOGRAM_SUB_BITS) + sub) << (row - 1)) + width / 2;
}

void histogram_record(struct histogram *histogram, uint64_t ns)
{
    histogram->buckets[index_of(ns)]++;
    histogram->count++;
    if (ns > histogram->max_ns) {
        histogram->max_ns = ns;
    }
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        uint32_t room = UINT32_MAX - into->buckets[i];
        uint32_t added = from->buckets[i] < room ? from->buckets[i] : room;
        into->buckets[i] += added;
        into->count += added;
    }
    if (from->max_ns > into->max_ns) {
        into->max_ns = from->max_ns;
    }
}

bool histogram_quantile(const struct histogram *histogram, double quantile, uint64_t *ns)
{
    if (!(quantile > 0 && quantile < 1)) {
        return false;
    }
    /* 0.07 of 100 is the 7th, but 7.000000000000001 in binary: hence the millionth. */
    uint64_t rank = (uint64_t)fmax(1, ceil(quantile * (double)histogram->count - 1e-6));
    if (rank + SAMPLES_BEYOND > histogram->count) {
        return false;
    }
    uint64_t passed = 0;
    size_t index = 0;
    while (index < HISTOGRAM_BUCKETS - 1 && (passed += histogram->buckets[index]) < rank) {
        index++;
    }
    uint64_t middle = middle_of(index);
    *ns = middle < histogram->max_ns ? middle : histogram->max_ns;
    return true;
}

json_t *histogram_to_json(const struct histogram *histogram)
{
    json_t *buckets = json_array();
    for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if (histogram->buckets[i] > 0) {
            json_array_append_new(
                buckets, json_pack("[I,I]", (json_int_t)i, (json_int_t)histogram->buckets[i]));
        }
    }
    uint64_t max = histogram->max_ns < INT64_MAX ? histogram->max_ns : INT64_MAX;
    return json_pack("{s:s, s:i, s:I, s:I, s:o}", "unit", "ns", "sub_bits", HISTOGRAM_SUB_BITS,
                     "count", (json_int_t)histogram->count, "max", (json_int_t)max, "buckets",
                     buckets);
}

/* Reads [[index, count], …] with ascending indexes. */
static bool read_buckets(const json_t *buckets, struct histogram *histogram, struct error *err)
{
    if (!json_is_array(buckets)) {
        return error_set(err, "histogram: \"buckets\" is no array");
    }
    json_int_t last = -1;
    for (size_t i = 0; i < json_array_size(buckets); i++) {
        json_int_t index, count;
        if (json_unpack(json_array_get(buckets, i), "[I,I!]", &index, &count) != 0) {
            return error_set(err, "histogram: bucket %zu is no pair of whole numbers", i);
        }
        if (index <= last || index >= HISTOGRAM_BUCKETS || count < 1 || count > UINT32_MAX) {
            return error_set(err, "histogram: bucket %zu is out of order or range", i);
        }
        histogram->buckets[index] = (uint32_t)count;
        histogram->count += (uint64_t)count;
        last = index;
    }
    return true;
}

/* The maximum must be one of the samples: it lies in the last bucket that is not empty. */
static bool max_fits(const struct histogram *histogram)
{
    if (histogram->count == 0) {
        return histogram->max_ns == 0;
    }
    size_t last = index_of(histogram->max_ns);
    for (size_t i = last + 1; i < HISTOGRAM_BUCKETS; i++) {
        if (histogram->buckets[i] > 0) {
            return false;
        }
    }
    return histogram->buckets[last] > 0;
}

bool histogram_from_json(const json_t *json, struct histogram *histogram, struct error *err)
{
    const char *unit;
    int sub_bits;
    json_int_t count, max;
    json_t *buckets;
    json_error_t reason;
    if (json_unpack_ex((json_t *)json, &reason, 0, "{s:s, s:i, s:I, s:I, s:o}", "unit", &unit,
                       "sub_bits", &sub_bits, "count", &count, "max", &max, "buckets",
                       &buckets) != 0) {
        return error_set(err, "histogram: %s", reason.text);
    }
    if (strcmp(unit, "ns") != 0 || sub_bits != HISTOGRAM_SUB_BITS) {
        return error_set(err, "histogram: in %s with %d sub_bits, not in ns with %d", unit,
                         sub_bits, HISTOGRAM_SUB_BITS);
    }
    struct histogram read = {0};
    if (!read_buckets(buckets, &read, err)) {
        return false;
    }
    read.max_ns = (uint64_t)max;
    if (count < 0 || (uint64_t)count != read.count) {
        return error_set(err, "histogram: \"count\" is not the sum of the buckets");
    }
    if (max < 0 || !max_fits(&read)) {
        return error_set(err, "histogram: \"max\" does not lie in the last bucket");
    }
    *histogram = read;
    return true;
}
