#ifndef COMMON_STATS_SAMPLE_H
#define COMMON_STATS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

/* A median of rounds with what the rounds say of its noise (METHOD 6). */
struct interval {
    double median, low, high;
    size_t count;  /* of rounds */
    bool is_range; /* fewer than 6 rounds: low and high are minimum and maximum, not a 95 % interval
                    */
};

/* From `count` values in any order (left as they are). The interval is by order statistics,
 * distribution-free: the narrowest pair of order statistics symmetric about the median whose
 * coverage is at least 95 % (binomial, p = 1/2): min to max of 6 to 8, second to second-last of 9
 * to 11, and so on. Zero values give a zeroed interval. */
struct interval sample_interval(const double *values, size_t count);

double sample_median(const double *values, size_t count); /* 0 of none */

/* Half the interval's width over its median; 0 where the median is 0. "Wide" is over 0.05. */
double interval_half_width(struct interval interval);

/* Ratio of paired rounds a[i] / b[i]: median and interval of the ratios. Pairs with a zero or NaN
 * are left out. */
struct interval sample_paired_ratio(const double *a, const double *b, size_t count);

#endif
