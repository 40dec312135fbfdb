/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares estimators that need only the means of equal blocks of a series. A measurement is a
 * block of one.
 */
#ifndef LM_BLOCKS_H
#define LM_BLOCKS_H

#include <stdint.h>

/* Fewer bins or independent numbers than this say little about their own spread. */
enum { LM_ENOUGH_BINS = 20 };

/* Returns the mean. A second pass removes the rounding of the first. */
double lm_mean(const double *blocks, int64_t count);

/* Returns the square of the error of the mean, from the spread about `mean` of `bins` bins, 2 <=
 * bins <= count. A bin has count / bins whole blocks. Blocks at the end that fill no bin are left
 * out. */
double lm_bins_variance(const double *blocks, int64_t count, int64_t bins, double mean);

/* Returns the factor by which an error from the spread of `count` >= 2 independent numbers must
 * grow. Then 0.683 of the values are within one error of the truth. The factor is the quantile of
 * Student's t for count - 1 degrees of freedom. */
double lm_student_quantile(int64_t count);

/* What bins say about an error whose square is `variance`. */
typedef struct lm_slow {
    int64_t bins;    /* number of bins whose error is larger than chance explains; 0: none */
    double variance; /* the square of these bins' error */
    int unsettled;   /* 1: the error by the longest bins is the largest, and by far, so longer ones
                        might give a still larger one */
} lm_slow;

/* Compares bins and their neighbours with an error. Bins shorter than `least` blocks are left out.
 * If `variance` is 0, the shortest remaining bins give it. */
lm_slow lm_slow_modes(const double *blocks, int64_t count, double mean, double variance,
                      int64_t least);

#endif
