/* SPDX-License-Identifier: BSD-3-Clause */
/* Proposes ladders for parallel tempering whose neighbours exchange equally often.
 * doc/tempering.md has the method and its sources. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/base/text.h"

/* Differences of such values are finite, too. */
#define MOST_VALUE 1e300

/* Acceptances are clamped to these bounds. They limit how near or far a pair counts. */
static const double least = 1e-6, most = 1 - 1e-6;

/* Returns x with erfc(x / 2) = the acceptance. It is the distance of two slots, in units of the
 * mean width of their energy distributions. erfc falls, and is below `least` at half of 8. */
static double distance_of(double acceptance)
{
    const double wanted = fmin(fmax(acceptance, least), most);
    double low = 0.0, high = 8.0;

    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);

        if (erfc(0.5 * middle) > wanted)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* The values as a function of the distance from the first one, and their slopes. A monotone cubic
 * lies between each two values. */
typedef struct curve {
    int64_t count;
    const double *values;
    double *at, *slopes;
} curve;

static double rise(const curve *c, int64_t k)
{
    return (c->values[k + 1] - c->values[k]) / (c->at[k + 1] - c->at[k]);
}

/* Returns the slope at an end. It is that of the parabola through three points, limited so that the
 * cubic stays monotone. */
static double end_slope(double near, double far, double step, double next)
{
    const double slope = ((2 * step + next) * near - step * far) / (step + next);

    return slope / near < 0 ? 0 : slope / near > 3 ? 3 * near : slope;
}

/* Follows F. N. Fritsch and J. Butland, SIAM J. Sci. Stat. Comput. 5, 300 (1984). The slopes are
 * harmonic means, weighted by the widths of the two intervals. */
static void find_slopes(curve *c)
{
    const int64_t last = c->count - 1;

    for (int64_t k = 1; k < last; k++) {
        const double before = c->at[k] - c->at[k - 1], after = c->at[k + 1] - c->at[k];
        const double w1 = 2 * after + before, w2 = after + 2 * before;

        c->slopes[k] = (w1 + w2) / (w1 / rise(c, k - 1) + w2 / rise(c, k));
    }
    if (last == 1) {
        c->slopes[0] = c->slopes[1] = rise(c, 0);
        return;
    }
    c->slopes[0] = end_slope(rise(c, 0), rise(c, 1), c->at[1] - c->at[0], c->at[2] - c->at[1]);
    c->slopes[last] = end_slope(rise(c, last - 1), rise(c, last - 2), c->at[last] - c->at[last - 1],
                                c->at[last - 1] - c->at[last - 2]);
}

/* Returns the value at a distance in interval k. */
static double value_at(const curve *c, int64_t k, double at)
{
    const double h = c->at[k + 1] - c->at[k], t = (at - c->at[k]) / h, u = 1 - t;

    return u * u * ((1 + 2 * t) * c->values[k] + t * h * c->slopes[k]) +
           t * t * ((1 + 2 * u) * c->values[k + 1] - u * h * c->slopes[k + 1]);
}

static void spread(const curve *c, int64_t slots, double *ladder)
{
    const int64_t last = c->count - 1;
    int64_t k = 0;

    for (int64_t s = 1; s < slots - 1; s++) {
        const double at = c->at[last] * ((double)s / (double)(slots - 1));

        while (k < last - 1 && c->at[k + 1] < at)
            k++;
        ladder[s] = value_at(c, k, at);
    }
    ladder[0] = c->values[0];
    ladder[slots - 1] = c->values[last];
}

static latmc_status check(const char *caller, int64_t count, const double *values,
                          const double *acceptance, int64_t slots, const double *ladder)
{
    if (!values || !acceptance || !ladder)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       !values       ? "values"
                       : !acceptance ? "acceptance"
                                     : "ladder");
    if (count < 2 || slots < 2)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: count is %" PRId64 " and slots is %" PRId64 "; each must be at least 2",
                       caller, count, slots);
    for (int64_t k = 0; k < count; k++)
        if (!(fabs(values[k]) <= MOST_VALUE))
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: value %" PRId64 " is %s; numbers from -1e300 to 1e300 are allowed",
                           caller, k, lm_number(values[k]).text);
    for (int64_t k = 0; k + 1 < count; k++) {
        if (!((values[k + 1] - values[k]) * (values[count - 1] > values[0] ? 1 : -1) > 0))
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: values %" PRId64 " and %" PRId64
                           " are %s and %s; they must rise from first to last, or fall",
                           caller, k, k + 1, lm_number(values[k]).text,
                           lm_number(values[k + 1]).text);
        if (!(acceptance[k] >= 0 && acceptance[k] <= 1))
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "%s: the acceptance of values %" PRId64 " and %" PRId64
                           " is %s; it must be a number from 0 to 1",
                           caller, k, k + 1, lm_number(acceptance[k]).text);
    }
    return LATMC_OK;
}

latmc_status latmc_propose_ladder(int64_t count, const double *values, const double *acceptance,
                                  int64_t slots, double *ladder)
{
    LM_FLOATS;
    latmc_status status = check(__func__, count, values, acceptance, slots, ladder);
    curve c = {.count = count};
    double *own;

    if (status)
        return status;
    own = lm_zeroed(__func__, "a ladder", count, 3 * sizeof *own);
    if (!own)
        return LATMC_ERROR_MEMORY;
    memcpy(own, values, (size_t)count * sizeof *own); /* ladder may be the same array */
    c.values = own;
    c.at = own + count;
    c.slopes = c.at + count;
    for (int64_t k = 0; k + 1 < count; k++)
        c.at[k + 1] = c.at[k] + distance_of(acceptance[k]);
    find_slopes(&c);
    spread(&c, slots, ladder);
    free(own);
    return LATMC_OK;
}
