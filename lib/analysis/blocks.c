/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/analysis/blocks.h"

#include <math.h>
#include <stddef.h>

double lm_mean(const double *blocks, int64_t count)
{
    double sum = 0, rest = 0, mean;

    for (int64_t i = 0; i < count; i++)
        sum += blocks[i];
    mean = sum / (double)count;
    for (int64_t i = 0; i < count; i++)
        rest += blocks[i] - mean;
    return mean + rest / (double)count;
}

double lm_bins_variance(const double *blocks, int64_t count, int64_t bins, double mean)
{
    const int64_t length = count / bins;
    double squares = 0;

    for (int64_t b = 0; b < bins; b++) {
        double off = 0;

        for (int64_t i = b * length; i < (b + 1) * length; i++)
            off += blocks[i] - mean;
        off /= (double)length;
        squares += off * off;
    }
    return squares / ((double)bins * (double)(bins - 1));
}

/* Follows M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.7.5, at the
 * normal quantile 1. It is 0.1 % off for 3 numbers, and less for more. For 2 numbers t has Cauchy's
 * distribution. */
double lm_student(int64_t count)
{
    const double freedom = (double)(count - 1);

    if (count == 2)
        return tan(acos(0.0) * erf(sqrt(0.5)));
    return 1 + (0.5 + (0.25 + 0.0625 / freedom) / freedom) / freedom;
}

/*
 * Finds slow modes after H. Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91, 461 (1989). The error
 * of bins grows with their length until bins are longer than every mode. B bins know the square of
 * the error to a relative sqrt(2 / (B - 1)). The paper looks for the length at which the error
 * stops growing. Here an error is already known, and bins tell whether it is too small. It is too
 * small if the bins' error is larger by `notable` of these deviations. The largest such error is
 * taken. The numbers of bins go in steps of sqrt(2). Shorter bins would see no more, and longer
 * bins are too few.
 */
static const int64_t bin_counts[] = {160, 112, 80, 56, 40, 28, 20};
static const double notable = 2.5;

/* If as few bins as this show the largest error, and show it clearly, it might grow further. */
enum { LAST_BINS = 28 };
static const double certain = 3;

lm_slow lm_slow_modes(const double *blocks, int64_t count, double mean, double variance,
                      int64_t least)
{
    lm_slow slow = {.variance = variance};

    for (size_t c = 0; c < sizeof bin_counts / sizeof bin_counts[0]; c++) {
        const int64_t bins = bin_counts[c];
        const double deviation = sqrt(2 / (double)(bins - 1));
        double theirs;

        if (count < bins || count / bins < least)
            continue;
        theirs = lm_bins_variance(blocks, count, bins, mean);
        if (theirs <= slow.variance || theirs <= variance * (1 + notable * deviation))
            continue;
        if (!(variance > 0))
            variance = theirs;
        slow.bins = bins;
        slow.variance = theirs;
        slow.unsettled = bins <= LAST_BINS && theirs > variance * (1 + certain * deviation);
    }
    return slow;
}
