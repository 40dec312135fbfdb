/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimators that need no series, but the means of equal blocks of it. A measurement is a block
 * of one.
 */
#ifndef LM_BLOCKS_H
#define LM_BLOCKS_H

#include <stdint.h>

/* Fewer bins or independent numbers than this say little about their own spread. */
enum { LM_ENOUGH_BINS = 20 };

/* The mean, with the rounding of a first pass taken out by a second. */
double lm_mean(const double *blocks, int64_t count);

/* The square of the error of the mean, from the spread of `bins` bins of count / bins whole blocks
 * about `mean`; blocks at the end that fill no bin are left out. 2 <= bins <= count. */
double lm_bins_variance(const double *blocks, int64_t count, int64_t bins, double mean);

/* By how much an error from the spread of `count` >= 2 independent numbers is to grow, so that
 * 0.683 of the values are within one error of the truth: the quantile of Student's t for count - 1
 * degrees of freedom. */
double lm_student(int64_t count);

/* What bins say of an error whose square is `variance`. */
typedef struct lm_slow {
    int64_t bins;    /* whose error is larger than it may be by chance; 0: none */
    double variance; /* theirs */
    int unsettled;   /* it is larger by far and comes of the longest bins: it might grow further */
} lm_slow;

/* Bins shorter than `least` blocks are left out. If `variance` is 0, the shortest ones that are
 * left stand for it. */
lm_slow lm_slow_modes(const double *blocks, int64_t count, double mean, double variance,
                      int64_t least);

#endif
