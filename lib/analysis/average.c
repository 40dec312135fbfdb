/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages independent numbers, such as one from each sample, and estimates that should agree. */
#include "lib/analysis/analysis.h"

#include <inttypes.h>
#include <math.h>

#include "lib/base/abi.h"
#include "lib/base/floats.h"
#include "lib/base/status.h"

latmc_status latmc_average(const double *values, int64_t count, latmc_estimate *estimate)
{
    LM_FLOATS;
    latmc_status status = lm_check_estimate(__func__, estimate);
    latmc_estimate result;

    if (!status)
        status = lm_check_series(__func__, values, count);
    if (status)
        return status;
    result = lm_estimate_bins(values, count, 1);
    lm_struct_write(estimate, &result, sizeof result);
    return LATMC_OK;
}

/*
 * Returns the probability of a chi^2 of at least `chi2` with `freedom` degrees of freedom. It is
 * the incomplete gamma function Q(freedom / 2, chi2 / 2). The recursion is Q(a + 1, x) = Q(a, x) +
 * x^a exp(-x) / Gamma(a + 1). It begins with Q(1/2, x) = erfc(sqrt x) or Q(1, x) = exp(-x). (M.
 * Abramowitz and I. A. Stegun, Handbook of Mathematical Functions (1964), 26.4.4 and 26.4.5.)
 */
static double chance_of(double chi2, int64_t freedom)
{
    const int odd = freedom % 2 == 1;
    const double x = chi2 / 2;
    double a = odd ? 0.5 : 1, sum = odd ? erfc(sqrt(x)) : exp(-x);
    double term =
        log(x) - x - (odd ? 0.5 * log(x * acos(-1.0) / 4) : 0); /* logarithm of the term for a */

    if (!(x > 0))
        return 1;
    for (; a < (double)freedom / 2; a++) {
        sum += exp(term);
        term += log(x / (a + 1));
    }
    return sum < 1 ? sum : 1;
}

static const latmc_estimate *estimate_at(const latmc_estimate *estimates, int64_t i)
{
    return (const void *)((const char *)estimates + (size_t)i * estimates->size);
}

static int has_error(const latmc_estimate *e)
{
    return isfinite(e->value) && isfinite(e->error) && e->error > 0;
}

static latmc_status check_estimates(const char *caller, const latmc_estimate *estimates,
                                    int64_t count)
{
    latmc_status status = lm_check_estimate(caller, estimates);

    if (status)
        return status;
    if (count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %" PRId64 "; at least 1 is needed",
                       caller, count);
    for (int64_t i = 1; i < count; i++)
        if (estimate_at(estimates, i)->size != estimates->size)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: estimate %" PRId64 " has size %zu, and estimate 0 has %zu", caller,
                           i, estimate_at(estimates, i)->size, estimates->size);
    return LATMC_OK;
}

latmc_status latmc_compare(const latmc_estimate *estimates, int64_t count, double *chi2,
                           double *probability)
{
    LM_FLOATS;
    latmc_status status = check_estimates(__func__, estimates, count);
    double weights = 0, mean = 0, sum = 0;
    int64_t used = 0;

    if (status)
        return status;
    for (int64_t i = 0; i < count; i++) {
        const latmc_estimate *e = estimate_at(estimates, i);
        const double weight = has_error(e) ? 1 / (e->error * e->error) : 0;

        if (!(weight > 0))
            continue;
        used++;
        weights += weight;
        mean += (e->value - mean) * (weight / weights);
    }
    for (int64_t i = 0; i < count; i++) {
        const latmc_estimate *e = estimate_at(estimates, i);
        const double off = has_error(e) ? (e->value - mean) / e->error : 0;

        sum += off * off;
    }
    if (chi2)
        *chi2 = used < 2 ? (double)NAN : sum;
    if (probability)
        *probability = used < 2 ? (double)NAN : chance_of(sum, used - 1);
    return LATMC_OK;
}
