/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the functions that all analysis of time series shares. */
#ifndef LM_ANALYSIS_H
#define LM_ANALYSIS_H

#include <latmc/latmc.h>

/* Refuse arguments of a public function, which messages name. The first refuses fewer than 2
 * numbers, or a number that is not finite. The second refuses a NULL estimate, or one of the wrong
 * size. */
latmc_status lm_check_series(const char *caller, const double *series, int64_t count);
latmc_status lm_check_estimate(const char *caller, const latmc_estimate *estimate);

/* Returns the mean and its error by the spread of bins of `length` numbers, as latmc_binned() does.
 * Two bins must fit. */
latmc_estimate lm_estimate_bins(const double *series, int64_t count, int64_t length);

/* The result of the Gamma method; see lib/analysis/gamma.c. */
typedef struct lm_gamma {
    double mean;
    double error;
    double tau;
    double tau_error;
    int64_t window;
    int64_t bin_length; /* length of the bins that gave the error; 0: the window gave it */
    int too_short;
} lm_gamma;

/* The usual `stretch`: the assumed ratio of the exponential to the integrated autocorrelation time,
 * S of Wolff's paper. */
#define LM_WOLFF_S 1.5

/* Applies the Gamma method to `count` >= 2 finite numbers. It fails only for lack of memory. */
latmc_status lm_gamma_method(const char *caller, const double *series, int64_t count,
                             double stretch, lm_gamma *out);

/* Computes rho(t) for 0 <= t < count_lags <= count / 2 + 1. It is a NaN for a constant series. */
latmc_status lm_autocorrelation(const char *caller, const double *series, int64_t count,
                                int64_t count_lags, double *rho);

#endif
