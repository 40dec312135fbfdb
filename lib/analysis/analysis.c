/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes means and errors of time series, and derived quantities. */
#include "lib/analysis/analysis.h"

#include <inttypes.h>
#include <math.h>

#include "lib/analysis/blocks.h"
#include "lib/base/abi.h"
#include "lib/base/floats.h"
#include "lib/base/status.h"

/* Bounds of the stretch in latmc_analyse_window(). Without them the window would never close, or
 * would close at once. */
#define STRETCH_MIN 0.1
#define STRETCH_MAX 100.0

latmc_status lm_check_series(const char *caller, const double *series, int64_t count)
{
    if (!series)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the series is NULL", caller);
    if (count < 2)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %" PRId64 "; at least 2 are needed",
                       caller, count);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(series[i]))
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: number %" PRId64 " of the series is not finite", caller, i);
    return LATMC_OK;
}

latmc_status lm_check_estimate(const char *caller, const latmc_estimate *estimate)
{
    if (!estimate)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the estimate is NULL", caller);
    return lm_struct_check(caller, "latmc_estimate", estimate->size,
                           LM_SIZE_THROUGH(latmc_estimate, reserved));
}

/* Does what latmc_analyse() and latmc_analyse_window() do, without setting the environment. */
static latmc_status analyse(const char *caller, const double *series, int64_t count, double stretch,
                            latmc_estimate *estimate)
{
    latmc_status status = lm_check_estimate(caller, estimate);
    latmc_estimate result = {.size = sizeof result};
    lm_gamma found;

    if (!status)
        status = lm_check_series(caller, series, count);
    if (!status)
        status = lm_gamma_method(caller, series, count, stretch, &found);
    if (status)
        return status;
    result.value = found.mean;
    result.error = found.error;
    result.tau_int = found.tau;
    result.tau_error = found.tau_error;
    result.window = found.window;
    result.bin_length = found.bin_length;
    result.too_short = found.too_short;
    lm_struct_write(estimate, &result, sizeof result);
    return LATMC_OK;
}

latmc_status latmc_analyse(const double *series, int64_t count, latmc_estimate *estimate)
{
    LM_FLOATS;

    return analyse(__func__, series, count, LM_WOLFF_S, estimate);
}

latmc_status latmc_analyse_window(const double *series, int64_t count, double stretch,
                                  latmc_estimate *estimate)
{
    LM_FLOATS;

    if (!(stretch >= STRETCH_MIN && stretch <= STRETCH_MAX))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: stretch is %g; %g to %g is allowed", __func__,
                       stretch, STRETCH_MIN, STRETCH_MAX);
    return analyse(__func__, series, count, stretch, estimate);
}

latmc_status latmc_autocorrelation(const double *series, int64_t count, int64_t lags, double *rho)
{
    LM_FLOATS;
    latmc_status status = lm_check_series(__func__, series, count);

    if (status)
        return status;
    if (lags < 1 || lags > count / 2 + 1)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: lags is %" PRId64 "; 1 to %" PRId64 " is allowed for %" PRId64
                       " numbers",
                       __func__, lags, count / 2 + 1, count);
    if (!rho)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: rho is NULL", __func__);
    return lm_autocorrelation(__func__, series, count, lags, rho);
}

latmc_estimate lm_estimate_bins(const double *series, int64_t count, int64_t length)
{
    const int64_t bins = count / length;
    const double mean = lm_mean(series, bins * length);
    const double variance = lm_bins_variance(series, bins * length, bins, mean);

    return (latmc_estimate){.size = sizeof(latmc_estimate),
                            .value = mean,
                            .error = variance > 0 ? lm_student_quantile(bins) * sqrt(variance)
                                                  : (double)NAN,
                            .tau_int = NAN,
                            .tau_error = NAN,
                            .window = length,
                            .too_short = bins < LM_ENOUGH_BINS || !(variance > 0)};
}

latmc_status latmc_binned(const double *series, int64_t count, int64_t length,
                          latmc_estimate *estimate)
{
    LM_FLOATS;
    latmc_status status = lm_check_estimate(__func__, estimate);
    latmc_estimate result;

    if (!status)
        status = lm_check_series(__func__, series, count);
    if (status)
        return status;
    if (length < 1 || length > count / 2)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: length is %" PRId64 "; 1 to %" PRId64
                       " is allowed, so that two bins fit in %" PRId64 " numbers",
                       __func__, length, count / 2, count);
    result = lm_estimate_bins(series, count, length);
    lm_struct_write(estimate, &result, sizeof result);
    return LATMC_OK;
}

/* ---- formulas
 *
 * A result that is returned in a register could be computed after the environment has changed back.
 * So it goes through memory. */

double latmc_specific_heat(const double *means, void *user)
{
    LM_FLOATS;
    const latmc_scale *scale = user;
    volatile double heat;

    if (!scale || scale->size != sizeof *scale)
        return NAN;
    heat = scale->beta * scale->beta * scale->sites * (means[1] - means[0] * means[0]);
    return heat;
}

double latmc_susceptibility(const double *means, void *user)
{
    LM_FLOATS;
    const latmc_scale *scale = user;
    volatile double chi;

    if (!scale || scale->size != sizeof *scale)
        return NAN;
    chi = scale->beta * scale->sites * (means[1] - means[0] * means[0]);
    return chi;
}

double latmc_spin_glass_susceptibility(const double *means, void *user)
{
    LM_FLOATS;
    const latmc_scale *scale = user;
    volatile double chi;

    if (!scale || scale->size != sizeof *scale)
        return NAN;
    chi = scale->sites * means[0];
    return chi;
}

double latmc_binder(const double *means, void *user)
{
    LM_FLOATS;
    volatile double u4;

    (void)user;
    u4 = 1 - means[1] / (3 * means[0] * means[0]);
    return u4;
}

double latmc_correlation_length(const double *means, void *user)
{
    LM_FLOATS;
    const latmc_momentum *momentum = user;
    const double ratio = means[0] / means[1] - 1;
    volatile double xi;

    if (!momentum || momentum->size != sizeof *momentum)
        return NAN;
    xi = ratio > 0 ? sqrt(ratio) / (2 * sin(momentum->k / 2)) : 0;
    return xi;
}
