/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions on time series share. */
#ifndef LM_ANALYSIS_H
#define LM_ANALYSIS_H

#include <latmc/latmc.h>

/* Refusals in the name of a public function: fewer than 2 numbers or one that is not finite;
 * no estimate or one of the wrong size. */
latmc_status lm_check_series(const char *caller, const double *series, int64_t count);
latmc_status lm_check_estimate(const char *caller, const latmc_estimate *estimate);

/* What the Gamma method found; see lib/analysis_gamma.c. */
typedef struct lm_gamma {
    double mean;
    double error;
    double tau;
    double tau_error;
    int64_t window;
    int too_short;
} lm_gamma;

/* `count` >= 2 finite numbers. Fails only for want of memory. */
latmc_status lm_gamma_method(const char *caller, const double *series, int64_t count,
                             lm_gamma *out);

/* The mean, with the rounding of a first pass taken out by a second. */
double lm_mean(const double *series, int64_t count);

#endif
