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
double lm_student_quantile(int64_t count)
{
    const double freedom = (double)(count - 1);

    if (count == 2)
        return tan(acos(0.0) * erf(sqrt(0.5)));
    return 1 + (0.5 + (0.25 + 0.0625 / freedom) / freedom) / freedom;
}

/*
 * Returns the square of the error of the mean, from the spread of `bins` bins and twice the
 * covariance of neighbours. As a lag window this is flat up to the length of a bin, and falls to 0
 * at two lengths: D. N. Politis and J. P. Romano, J. Time Ser. Anal. 16, 67 (1995). It misses
 * exp(-length / T) of a mode of time T, where the spread alone misses T / length. The mean is that
 * of the same bins, which makes their three covariances too small by 1 / bins each.
 */
static double joined_variance(const double *blocks, int64_t count, int64_t bins, double mean)
{
    const int64_t length = count / bins;
    double sum = 0, before = 0;

    for (int64_t b = 0; b < bins; b++) {
        double off = 0;

        for (int64_t i = b * length; i < (b + 1) * length; i++)
            off += blocks[i] - mean;
        off /= (double)length;
        sum += off * (off + 2 * before);
        before = off;
    }
    return sum * (double)length / ((double)(bins - 3) * (double)count);
}

/*
 * Finds slow modes. The error of bins and their neighbours grows with their length until bins are
 * longer than every mode: H. Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91, 461 (1989). B bins
 * and their neighbours know the square of the error to a relative sqrt(6 / (B - 1)). The paper
 * looks for the length at which the error stops growing. Here an error is already known, and bins
 * tell whether it is too small. It is too small if the bins' error is larger by `notable` of these
 * deviations. Longer bins replace shorter ones if their error is larger by `further` deviations.
 * Without this margin the largest of many errors would be too large by chance. The numbers of bins
 * go in steps of sqrt(2). More bins would see no more, and fewer know too little.
 */
static const int64_t bin_counts[] = {1280, 960, 680, 480, 340, 240, 170, 120, 85, 60, 42, 30};
static const double notable = 2.5, further = 0.5;

/* If as few bins as this show the largest error, and show it clearly, it might grow further. */
enum { LAST_BINS = 42 };
static const double certain = 3;

lm_slow lm_slow_modes(const double *blocks, int64_t count, double mean, double variance,
                      int64_t least)
{
    lm_slow slow = {.variance = variance};
    double largest = variance;

    for (size_t c = 0; c < sizeof bin_counts / sizeof bin_counts[0]; c++) {
        const int64_t bins = bin_counts[c];
        const double deviation = sqrt(6 / (double)(bins - 1));
        double theirs;

        if (count < bins || count / bins < least)
            continue;
        theirs = joined_variance(blocks, count, bins, mean);
        if (theirs <= largest || theirs <= variance * (1 + notable * deviation))
            continue;
        if (!(variance > 0))
            variance = theirs;
        largest = theirs;
        slow.unsettled = bins <= LAST_BINS && theirs > variance * (1 + certain * deviation);
        if (slow.bins && theirs <= slow.variance * (1 + further * deviation))
            continue;
        slow.bins = bins;
        slow.variance = theirs;
    }
    return slow;
}
