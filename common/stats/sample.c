#include "common/stats/sample.h"

#include "common/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COVERAGE 0.95

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double *sorted_copy(const double *values, size_t count)
{
    double *sorted = memory_new(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    return sorted;
}

static double middle(const double *sorted, size_t count)
{
    return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* How many values to leave out at each end: the most that keep the coverage. False where even
 * minimum to maximum covers too little. The true median is as likely above a value as below it, so
 * that the number of values below it is binomial with p = 1/2, and it escapes below the interval
 * when at most `left_out` values lie below it; above the interval likewise. */
static bool values_to_leave_out(size_t count, size_t *left_out)
{
    double log_term = -(double)count * log(2); /* of P(no value lies below) */
    double tail = exp(log_term);
    if (1 - 2 * tail < COVERAGE) {
        return false;
    }
    *left_out = 0;
    for (size_t k = 1; 2 * k < count; k++) {
        log_term += log((double)(count - k + 1) / (double)k);
        tail += exp(log_term);
        if (1 - 2 * tail < COVERAGE) {
            break;
        }
        *left_out = k;
    }
    return true;
}

struct interval sample_interval(const double *values, size_t count)
{
    if (count == 0) {
        return (struct interval){0};
    }
    double *sorted = sorted_copy(values, count);
    size_t left_out = 0;
    bool covered = values_to_leave_out(count, &left_out);
    struct interval interval = {
        .median = middle(sorted, count),
        .low = sorted[left_out],
        .high = sorted[count - 1 - left_out],
        .count = count,
        .is_range = !covered,
    };
    free(sorted);
    return interval;
}

double sample_median(const double *values, size_t count)
{
    return sample_interval(values, count).median;
}

double interval_half_width(struct interval interval)
{
    return interval.median != 0 ? (interval.high - interval.low) / 2 / interval.median : 0;
}

struct interval sample_paired_ratio(const double *a, const double *b, size_t count)
{
    double *ratios = memory_new(count, sizeof *ratios);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnormal(a[i]) && isnormal(b[i])) {
            ratios[kept++] = a[i] / b[i];
        }
    }
    struct interval interval = sample_interval(ratios, kept);
    free(ratios);
    return interval;
}
