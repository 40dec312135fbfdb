/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions on time series share. */
#ifndef LM_ANALYSIS_H
#define LM_ANALYSIS_H

#include <latmc/latmc.h>

/* Refusals in the name of a public function: fewer than 2 numbers or one that is not finite;
 * no estimate or one of the wrong size. */
latmc_status lm_check_series(const char *caller, const double *series, int64_t count);
latmc_status lm_check_estimate(const char *caller, const latmc_estimate *estimate);

/* The mean and its error by the spread of bins of `length` numbers, as latmc_bin() gives them. Two
 * bins must fit. */
latmc_estimate lm_estimate_bins(const double *series, int64_t count, int64_t length);

/* What the Gamma method found; see lib/analysis/gamma.c. */
typedef struct lm_gamma {
    double mean;
    double error;
    double tau;
    double tau_error;
    int64_t window;
    int64_t bin_length; /* of the bins that have the error; 0: the window has it */
    int too_short;
} lm_gamma;

/* The usual `stretch`: the assumed ratio of the exponential to the integrated autocorrelation time,
 * S of Wolff's paper. */
#define LM_STRETCH 1.5

/* `count` >= 2 finite numbers. Fails only for want of memory. */
latmc_status lm_gamma_method(const char *caller, const double *series, int64_t count,
                             double stretch, lm_gamma *out);

/* rho(t) for 0 <= t < count_lags <= count / 2 + 1; NaN of a constant series. */
latmc_status lm_autocorrelation(const char *caller, const double *series, int64_t count,
                                int64_t count_lags, double *rho);

#endif
