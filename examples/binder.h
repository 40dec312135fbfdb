/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binder cumulants of several sizes, where they cross, and the critical temperature.
 *
 * Each size has its own temperatures, within a window that shrinks as 1/L around the same
 * centre, many independent copies of each, and every copy's time series is cut into slices
 * far longer than its autocorrelation time. A block is the same slice of the same copy at
 * every temperature and size; blocks are independent, so all errors, and the covariance of
 * crossings that share a size, come from one jackknife over blocks.
 */
#ifndef BINDER_H
#define BINDER_H

#include <stdint.h>

enum {
    BINDER_TEMPS = 24, /* temperatures of a size */
    BINDER_BLOCKS = 128,
    BINDER_TERMS = 4, /* of the polynomial through U4(T) */
    BINDER_SIZES = 6  /* at most */
};

/* One size: what was measured, and what follows. */
typedef struct binder_curve {
    int64_t size;
    double centre; /* of the temperatures */
    int too_short; /* blocks are too short to be independent */
    double temperature[BINDER_TEMPS];
    double moments[BINDER_BLOCKS][BINDER_TEMPS][2]; /* <m^2>, <m^4> of each block */

    double u4[BINDER_TEMPS], error[BINDER_TEMPS];
    double smooth[BINDER_TEMPS]; /* the errors without their own noise: the weights of the fit */
    double fit[BINDER_TERMS];    /* U4 as a polynomial in (T / centre - 1) L */
    double chi2;                 /* of that fit, with TEMPS - TERMS degrees of freedom */
} binder_curve;

/* Where the curves of two sizes cross. */
typedef struct binder_crossing {
    int64_t size, larger;
    double temperature, error;
    double u4, u4_error;
} binder_crossing;

typedef struct binder_result {
    int crossings;
    binder_crossing crossing[BINDER_SIZES - 1];
    double tc, statistical, systematic, error;
    double amplitude; /* a of T_x(L) = T_c + a L^-w */
    double chi2;      /* of that fit, with crossings - 2 degrees of freedom */
    int too_short;    /* a curve is: errors are not to be trusted */
} binder_result;

/* U4, its errors and the polynomial from the moments. */
void binder_analyse(binder_curve *curve);

/* The polynomial's value. */
double binder_value(const binder_curve *curve, double temperature);

/* Crossings of neighbouring sizes, in ascending order, and if `fit` (at least three curves) T_c,
 * which is NaN otherwise. Returns 0, without crossings, if two curves do not cross within the
 * window of the larger size. */
int binder_combine(const binder_curve *curves, int count, int fit, binder_result *result);

#endif
