/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes errors of quantities that are derived from several means. */
#include "lib/analysis/analysis.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/abi.h"
#include "lib/analysis/blocks.h"
#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"

/* A block of a jackknife should have this many autocorrelation times, and a jackknife this many
 * blocks. */
static const double block_taus = 10;
enum { ENOUGH_BLOCKS = 10 };

/* A function is linear enough if it changes by the error, within these factors, where the means
 * move. */
static const double least_change = 0.85, most_change = 1.15;

/* How far the means move, in errors. */
static const double reaches[] = {1, 2, -1, -2};

/* The share of an error that rounding may make. */
static const double rounding_share = 0.25;

/* One call of latmc_jackknife(). */
typedef struct jackknife {
    const double *const *series;
    int64_t series_count;
    int64_t count, blocks, length;
    latmc_derived function;
    void *user;
    lm_floats *host; /* the floating-point environment of the function */
    double *means;   /* [series]: means over all blocks */
    double *probe;   /* [series]: the function's input */
    double *along;   /* [series]: by how much means differ if the quantity is one error larger */
    double *block;   /* [block][series] */
    double *values;  /* [block]: the function's value without this block */
} jackknife;

static void block_means(jackknife *j)
{
    for (int64_t s = 0; s < j->series_count; s++) {
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

/* Returns the function's value with the means moved by `errors` errors along the direction that
 * changes the quantity. */
static double moved(const jackknife *j, double errors)
{
    for (int64_t s = 0; s < j->series_count; s++)
        j->probe[s] = j->means[s] + errors * j->along[s];
    return evaluate(j);
}

/* Finds the direction: the covariance of quantity and means, divided by the quantity's error. */
static void find_direction(jackknife *j, double mean, double error)
{
    for (int64_t s = 0; s < j->series_count; s++) {
        double sum = 0;

        for (int64_t b = 0; b < j->blocks; b++)
            sum -= (j->values[b] - mean) * (j->block[b * j->series_count + s] - j->means[s]);
        j->along[s] = sum / ((double)j->blocks * error);
    }
}

/* Returns whether the function bends within the errors. If it does, the error becomes the
 * function's change. A side where the function is not finite does not count. */
static int bends(jackknife *j, double whole, double mean, double *error)
{
    double most = 0;
    int bent = 0;

    find_direction(j, mean, *error);
    for (size_t r = 0; r < sizeof reaches / sizeof reaches[0]; r++) {
        const double change = fabs((moved(j, reaches[r]) - whole) / reaches[r]);

        bent |= !(change >= least_change * *error && change <= most_change * *error);
        if (isfinite(change))
            most = fmax(most, change);
    }
    if (bent && most > 0)
        *error = most;
    return bent;
}

/* Returns by how much the quantity changes with the last digit of the means. */
static double last_digits(const jackknife *j, double whole)
{
    double sum = 0;

    for (int64_t s = 0; s < j->series_count; s++)
        j->probe[s] = j->means[s];
    for (int64_t s = 0; s < j->series_count; s++) {
        j->probe[s] = j->means[s] * (1 + DBL_EPSILON);
        sum += fabs(evaluate(j) - whole);
        j->probe[s] = j->means[s];
    }
    return sum;
}

/* Follows B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans (SIAM 1982), sections
 * 2.1 (bias) and 3.1 (variance). */
static void leave_out_each(jackknife *j, latmc_estimate *result)
{
    const double n = (double)j->blocks;
    double whole, mean, error, squares = 0;
    int bent, eaten;

    for (int64_t s = 0; s < j->series_count; s++)
        j->probe[s] = j->means[s];
    whole = evaluate(j);
    for (int64_t b = 0; b < j->blocks; b++) {
        for (int64_t s = 0; s < j->series_count; s++)
            j->probe[s] = j->means[s] + (j->means[s] - j->block[b * j->series_count + s]) / (n - 1);
        j->values[b] = evaluate(j);
    }
    mean = lm_mean(j->values, j->blocks);
    for (int64_t b = 0; b < j->blocks; b++)
        squares += (j->values[b] - mean) * (j->values[b] - mean);
    error = sqrt(squares * (n - 1) / n);
    bent = error > 0 && isfinite(error) && bends(j, whole, mean, &error);
    eaten = n * last_digits(j, whole) > rounding_share * error;
    result->value = bent || eaten ? whole : whole + (n - 1) * (whole - mean);
    result->error = lm_student_quantile(j->blocks) * error;
    result->too_short = eaten;
}

static latmc_status check_jackknife(const char *caller, const jackknife *j)
{
    if (!j->series)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: series is NULL", caller);
    if (j->series_count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: series_count is %" PRId64 "; it must be >= 1",
                       caller, j->series_count);
    if (!j->function)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the function is NULL", caller);
    for (int64_t s = 0; s < j->series_count; s++) {
        latmc_status status = lm_check_series(caller, j->series[s], j->count);

        if (status)
            return status;
    }
    if (j->blocks < 2 || j->blocks > j->count)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: blocks is %" PRId64 "; 2 to %" PRId64 " are allowed", caller, j->blocks,
                       j->count);
    return LATMC_OK;
}

/* Sets the error to NaN and flags the result if all series are constant. An error of 0 is flagged,
 * too. */
static void heed_constants(const jackknife *j, latmc_estimate *out)
{
    int varies = 0;

    for (int64_t s = 0; s < j->series_count; s++)
        for (int64_t i = 1; i < j->count && !varies; i++)
            varies = j->series[s][i] != j->series[s][0];
    if (!varies)
        out->error = NAN;
    out->too_short |= !varies || out->error == 0.0; /* for example +1, -1, +1, .. */
}

/* Flags the result if a block is too short for any of the series. */
static latmc_status judge_blocks(const char *caller, const jackknife *j, latmc_estimate *out)
{
    out->too_short |= j->blocks < ENOUGH_BLOCKS;
    for (int64_t s = 0; s < j->series_count; s++) {
        lm_gamma found;
        latmc_status status = lm_gamma_method(caller, j->series[s], j->count, LM_WOLFF_S, &found);

        if (status)
            return status;
        out->too_short |= found.too_short || (double)j->length < block_taus * found.tau;
    }
    return LATMC_OK;
}

/* Does everything except judging the blocks. */
static latmc_status derive(const char *caller, jackknife *j, latmc_estimate *result)
{
    latmc_status status = check_jackknife(caller, j);

    if (status)
        return status;
    j->length = j->count / j->blocks;
    j->means = lm_zeroed(caller, "the means of all blocks",
                         j->series_count * (j->blocks + 3) + j->blocks, sizeof *j->means);
    if (!j->means)
        return LATMC_ERROR_MEMORY;
    j->probe = j->means + j->series_count;
    j->along = j->probe + j->series_count;
    j->block = j->along + j->series_count;
    j->values = j->block + j->series_count * j->blocks;
    *result = (latmc_estimate){
        .size = sizeof *result, .tau_int = NAN, .tau_error = NAN, .window = j->blocks};
    block_means(j);
    leave_out_each(j, result);
    free(j->means);
    heed_constants(j, result);
    return LATMC_OK;
}

/* Reads a derivation for blocks, or for one block a number. */
static latmc_status read_derivation(const char *caller, const latmc_derivation *given,
                                    int by_blocks, jackknife *j)
{
    latmc_derivation known;
    latmc_status status;

    if (!given)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: derivation is NULL", caller);
    status = lm_struct_check(caller, "latmc_derivation", given->size,
                             LM_SIZE_THROUGH(latmc_derivation, user));
    if (!status)
        status = lm_struct_read(caller, "latmc_derivation", given, &known, sizeof known);
    if (status)
        return status;
    if (!by_blocks && known.blocks)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: blocks is %" PRId64 "; it must be 0, as each number is a block", caller,
                       known.blocks);
    *j = (jackknife){.series = known.series,
                     .series_count = known.series_count,
                     .count = known.count,
                     .blocks = by_blocks ? known.blocks : known.count,
                     .function = known.function,
                     .user = known.user};
    return LATMC_OK;
}

/* Estimates by blocks of numbers, or with each number as a block. */
static latmc_status estimate_derived(const char *caller, lm_floats *host, int by_blocks,
                                     const latmc_derivation *derivation, latmc_estimate *estimate)
{
    latmc_status status = lm_check_estimate(caller, estimate);
    latmc_estimate result;
    jackknife j;

    if (!status)
        status = read_derivation(caller, derivation, by_blocks, &j);
    if (status)
        return status;
    j.host = host;
    status = derive(caller, &j, &result);
    if (!status && by_blocks)
        status = judge_blocks(caller, &j, &result);
    if (status)
        return status;
    result.too_short |= !by_blocks && j.count < LM_ENOUGH_BINS;
    lm_struct_write(estimate, &result, sizeof result);
    return LATMC_OK;
}

latmc_status latmc_jackknife(const latmc_derivation *derivation, latmc_estimate *estimate)
{
    LM_FLOATS;
    return estimate_derived(__func__, &lm_host, 1, derivation, estimate);
}

latmc_status latmc_average_derived(const latmc_derivation *derivation, latmc_estimate *estimate)
{
    LM_FLOATS;
    return estimate_derived(__func__, &lm_host, 0, derivation, estimate);
}
