/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of quantities that are derived from several means. */
#include "lib/analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/abi.h"
#include "lib/blocks.h"
#include "lib/floats.h"
#include "lib/memory.h"
#include "lib/status.h"

/* Blocks of a jackknife should have this many autocorrelation times. */
static const double block_taus = 10;

/* One call of latmc_jackknife(). */
typedef struct jackknife {
    const double *const *series;
    int series_count;
    int64_t blocks, length;
    latmc_derived function;
    void *user;
    lm_floats *host; /* the environment that the function runs in */
    double *means;   /* [series]: of all blocks */
    double *probe;   /* [series]: what the function sees */
    double *block;   /* [block][series] */
    double *values;  /* [block]: of the function without this block */
} jackknife;

static void block_means(jackknife *j)
{
    for (int s = 0; s < j->series_count; s++) {
        j->means[s] = lm_mean(j->series[s], j->blocks * j->length);
        for (int64_t b = 0; b < j->blocks; b++)
            j->block[b * j->series_count + s] = lm_mean(j->series[s] + b * j->length, j->length);
    }
}

static double evaluate(const jackknife *j)
{
    double value;

    lm_floats_leave(j->host);
    value = j->function(j->probe, j->user);
    lm_floats_again(j->host);
    return value;
}

/* B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans (SIAM 1982), sections
 * 2.1 (bias) and 3.1 (variance). */
static void leave_out_each(jackknife *j, latmc_estimate *result)
{
    const double n = (double)j->blocks;
    double whole, mean, squares = 0;

    for (int s = 0; s < j->series_count; s++)
        j->probe[s] = j->means[s];
    whole = evaluate(j);
    for (int64_t b = 0; b < j->blocks; b++) {
        for (int s = 0; s < j->series_count; s++)
            j->probe[s] = j->means[s] + (j->means[s] - j->block[b * j->series_count + s]) / (n - 1);
        j->values[b] = evaluate(j);
    }
    mean = lm_mean(j->values, j->blocks);
    for (int64_t b = 0; b < j->blocks; b++)
        squares += (j->values[b] - mean) * (j->values[b] - mean);
    result->value = whole + (n - 1) * (whole - mean);
    result->error = lm_student(j->blocks) * sqrt(squares * (n - 1) / n);
}

static latmc_status check_jackknife(const char *caller, const jackknife *j, int64_t count)
{
    if (!j->series || j->series_count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: there must be at least 1 series, not %d", caller,
                       j->series ? j->series_count : 0);
    if (!j->function)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the function is NULL", caller);
    for (int s = 0; s < j->series_count; s++) {
        latmc_status status = lm_check_series(caller, j->series[s], count);

        if (status)
            return status;
    }
    if (j->blocks < 2 || j->blocks > count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: blocks is %" PRId64 "; 2 to %" PRId64 " are allowed", caller, j->blocks,
                       count);
    return LATMC_OK;
}

/* Is a block too short for any of the series, and does any of them vary? */
static latmc_status judge_blocks(const char *caller, const jackknife *j, int64_t count,
                                 latmc_estimate *out)
{
    int too_short = 0, varies = 0;

    for (int s = 0; s < j->series_count; s++) {
        lm_gamma found;
        latmc_status status = lm_gamma_method(caller, j->series[s], count, LM_STRETCH, &found);

        if (status)
            return status;
        too_short |= found.too_short || (double)j->length < block_taus * found.tau;
        varies |= !isnan(found.tau);
    }
    out->too_short = too_short || (varies && out->error == 0.0); /* such as +1, -1, +1, .. */
    if (!varies)
        out->error = NAN;
    return LATMC_OK;
}

latmc_status latmc_jackknife(const double *const *series, int series_count, int64_t count,
                             int64_t blocks, latmc_derived function, void *user,
                             latmc_estimate *estimate)
{
    LM_FLOATS;
    latmc_status status = lm_check_estimate(__func__, estimate);
    latmc_estimate result = {
        .size = sizeof result, .tau_int = NAN, .tau_error = NAN, .window = blocks};
    jackknife j = {.series = series,
                   .series_count = series_count,
                   .blocks = blocks,
                   .function = function,
                   .user = user,
                   .host = &lm_host};

    if (!status)
        status = check_jackknife(__func__, &j, count);
    if (status)
        return status;
    j.length = count / blocks;
    j.means = lm_zeroed(__func__, "the means of all blocks", series_count * (blocks + 2) + blocks,
                        sizeof *j.means);
    if (!j.means)
        return LATMC_ERROR_MEMORY;
    j.probe = j.means + series_count;
    j.block = j.probe + series_count;
    j.values = j.block + (int64_t)series_count * blocks;
    block_means(&j);
    leave_out_each(&j, &result);
    free(j.means);
    status = judge_blocks(__func__, &j, count, &result);
    if (status)
        return status;
    lm_struct_write(estimate, &result, sizeof result);
    return LATMC_OK;
}
