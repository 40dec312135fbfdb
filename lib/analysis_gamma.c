/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Gamma method: error of a mean from the autocorrelation function summed up to an
 * automatic window. U. Wolff, Comput. Phys. Commun. 156, 143 (2004), hep-lat/0306017;
 * equation numbers below are of that paper.
 *
 * The first lags are summed directly. Where the window lies beyond them all others come
 * from one Fourier transform, so that the work is O(n log n) however slow the series is.
 */
#include "lib/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "lib/memory.h"

/* Assumed ratio of the exponential to the integrated autocorrelation time: S of (51). */
static const double stretch = 1.5;

/* A series shorter than this many tau_int is flagged. */
static const double enough = 100;

/* One that changes its value less often is, too: it has shown too few of its changes. */
enum { ENOUGH_CHANGES = 20 };

enum { DIRECT_LAGS = 100 };

/* The autocovariance of a series, lag by lag. */
typedef struct lags {
    const double *series;
    int64_t count;
    double mean;
    double *far; /* all lags up to count / 2 once a lag beyond DIRECT_LAGS was asked for */
} lags;

typedef struct point {
    double re, im;
} point;

double lm_mean(const double *series, int64_t count)
{
    double sum = 0, rest = 0, mean;

    for (int64_t i = 0; i < count; i++)
        sum += series[i];
    mean = sum / (double)count;
    for (int64_t i = 0; i < count; i++)
        rest += series[i] - mean;
    return mean + rest / (double)count;
}

/* exp(-2 pi i k / size) for k < size / 2 */
static void fill_roots(point *roots, int64_t size)
{
    const double turn = 2 * acos(-1.0) / (double)size;

    for (int64_t k = 0; k < size / 2; k++)
        roots[k] = (point){cos(turn * (double)k), -sin(turn * (double)k)};
}

/* Fourier transform by decimation in frequency: the result is in bit-reversed order. */
static void transform(point *a, int64_t size, const point *roots)
{
    for (int64_t span = size / 2; span > 0; span /= 2)
        for (int64_t block = 0; block < size; block += 2 * span)
            for (int64_t k = 0; k < span; k++) {
                point *u = &a[block + k], *v = u + span;
                const point w = roots[k * (size / (2 * span))];
                const point d = {u->re - v->re, u->im - v->im};

                *u = (point){u->re + v->re, u->im + v->im};
                *v = (point){d.re * w.re - d.im * w.im, d.re * w.im + d.im * w.re};
            }
}

/* Its inverse but for a factor `size`: takes bit-reversed order and gives natural order. */
static void transform_back(point *a, int64_t size, const point *roots)
{
    for (int64_t span = 1; span < size; span *= 2)
        for (int64_t block = 0; block < size; block += 2 * span)
            for (int64_t k = 0; k < span; k++) {
                point *u = &a[block + k], *v = u + span;
                const point w = roots[k * (size / (2 * span))];
                const point d = {v->re * w.re + v->im * w.im, v->im * w.re - v->re * w.im};

                *v = (point){u->re - d.re, u->im - d.im};
                *u = (point){u->re + d.re, u->im + d.im};
            }
}

/*
 * All lags up to count / 2 by the theorem of Wiener and Khinchin. The series is padded
 * with zeros, so that no product reaches around the end; `room` has 3/2 `size` points.
 */
static void far_lags(lags *l, point *room, int64_t size)
{
    point *a = room, *roots = room + size;

    fill_roots(roots, size);
    for (int64_t i = 0; i < size; i++)
        a[i] = (point){i < l->count ? l->series[i] - l->mean : 0, 0};
    transform(a, size, roots);
    for (int64_t i = 0; i < size; i++)
        a[i] = (point){a[i].re * a[i].re + a[i].im * a[i].im, 0};
    transform_back(a, size, roots);
    for (int64_t t = 0; t <= l->count / 2; t++)
        l->far[t] = a[t].re / ((double)size * (double)(l->count - t));
}

static latmc_status compute_far_lags(const char *caller, lags *l)
{
    const char *const what = "the autocorrelations of a series";
    int64_t size = 1;
    point *room;

    while (size < l->count + l->count / 2 + 1)
        size *= 2;
    room = lm_zeroed(caller, what, size + size / 2, sizeof *room);
    l->far = room ? lm_zeroed(caller, what, l->count / 2 + 1, sizeof *l->far) : NULL;
    if (l->far)
        far_lags(l, room, size);
    free(room);
    return l->far ? LATMC_OK : LATMC_ERROR_MEMORY;
}

/* Gamma(t) of (31) */
static double covariance(const lags *l, int64_t t)
{
    double sum = 0;

    if (l->far)
        return l->far[t];
    for (int64_t i = 0; i + t < l->count; i++)
        sum += (l->series[i] - l->mean) * (l->series[i + t] - l->mean);
    return sum / (double)(l->count - t);
}

/* Is g(W) of (52) negative, that is: has the statistical error of the sum overtaken the
 * truncation error? `sum` is that of rho(t) over 1 <= t <= W. The paper stops at once where
 * it is negative; taking its magnitude serves anticorrelated series too. */
static int window_found(double sum, int64_t window, int64_t count)
{
    const double tau = stretch / log1p(1 / fabs(sum)); /* (51), where 2 tau_int = 1 + 2 sum */

    return exp(-(double)window / tau) <= tau / sqrt((double)window * (double)count);
}

/* How often a series changes its value, up to ENOUGH_CHANGES. */
static int changes(const double *series, int64_t count)
{
    int n = 0;

    for (int64_t i = 1; i < count && n < ENOUGH_CHANGES; i++)
        n += series[i] != series[i - 1];
    return n;
}

/* From Gamma(0) and the sum of Gamma(t) over 1 <= t <= W to errors. */
static void conclude(lm_gamma *out, double variance, double sum, int64_t count, int found)
{
    const double n = (double)count, window = (double)out->window;
    double total = variance + 2 * sum; /* C(W) of (35) */
    double spread;

    if (total <= 0) { /* too few numbers: noise has overwhelmed the sum */
        out->tau = 0.5;
        out->error = sqrt(variance / n);
        found = 0;
    } else {
        variance += total / n; /* the bias of each Gamma(t), (49) */
        total *= 1 + (2 * window + 1) / n;
        out->tau = total / (2 * variance);
        out->error = sqrt(total / n);
    }
    spread = window + 0.5 - out->tau;
    out->tau_error = 2 * out->tau * sqrt((spread > 0 ? spread : 0) / n); /* (42) */
    out->too_short = !found || n < enough * out->tau;
}

latmc_status lm_gamma_method(const char *caller, const double *series, int64_t count, lm_gamma *out)
{
    lags l = {.series = series, .count = count, .mean = lm_mean(series, count)};
    double variance, sum = 0;
    int found = 0;

    *out =
        (lm_gamma){.mean = series[0], .error = NAN, .tau = NAN, .tau_error = NAN, .too_short = 1};
    if (changes(series, count) == 0)
        return LATMC_OK;
    *out = (lm_gamma){.mean = l.mean};
    variance = covariance(&l, 0);
    while (!found && out->window < count / 2) {
        if (++out->window == DIRECT_LAGS + 1) {
            const latmc_status status = compute_far_lags(caller, &l);

            if (status)
                return status;
        }
        sum += covariance(&l, out->window);
        found = window_found(sum / variance, out->window, count);
    }
    free(l.far);
    conclude(out, variance, sum, count, found);
    out->too_short |= changes(series, count) < ENOUGH_CHANGES;
    return LATMC_OK;
}
