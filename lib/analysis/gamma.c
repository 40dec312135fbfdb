/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Gamma method computes the error of a mean from the autocorrelation function, summed up to an
 * automatic window. U. Wolff, Comput. Phys. Commun. 156, 143 (2004), hep-lat/0306017. Equation
 * numbers below are of this paper.
 *
 * The first lags are summed directly. If the window lies beyond them, all others come from one
 * Fourier transform. So the work is O(n log n) for any autocorrelation time.
 *
 * The window closes where the bulk of the autocorrelation has decayed. Slow modes of small weight
 * lie beyond it. So the error is compared with that of bins: lib/analysis/blocks.c.
 */
#include "lib/analysis/analysis.h"

#include <math.h>
#include <stdlib.h>

#include "lib/analysis/blocks.h"
#include "lib/base/memory.h"

/* A series shorter than this many tau_int is flagged. */
static const double enough = 100;

/* A series that changes its value less often is flagged, too. It has shown too few of its
 * changes. */
enum { ENOUGH_CHANGES = 20 };

enum { DIRECT_LAGS = 100 };

/* An alternating series has a small tau_int, however slowly its signs decay. It is flagged below
 * this many windows. Bins are compared if they have at least one window, those of an alternating
 * series ALTERNATING_BINS of them, because the error of shorter bins is too large. */
enum { ALTERNATING_ENOUGH = 50, ALTERNATING_BINS = 4 };

/* The autocovariance of a series, lag by lag. */
typedef struct lags {
    const double *series;
    int64_t count;
    double mean;
    double *far; /* NULL until a lag beyond DIRECT_LAGS is asked for; then all lags up to count / 2
                  */
} lags;

typedef struct point {
    double re, im;
} point;

/* Sets the roots exp(-2 pi i k / size) for k < size / 2. */
static void fill_roots(point *roots, int64_t size)
{
    const double turn = 2 * acos(-1.0) / (double)size;

    for (int64_t k = 0; k < size / 2; k++)
        roots[k] = (point){cos(turn * (double)k), -sin(turn * (double)k)};
}

/* Makes a Fourier transform by decimation in frequency. The result is in bit-reversed order. */
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

/* Inverts transform(), up to a factor `size`. It takes bit-reversed order and gives natural
 * order. */
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
 * Computes all lags up to count / 2 by the theorem of Wiener and Khinchin. The series is padded
 * with zeros, so no product reaches around the end. `work` has 3/2 `size` points.
 */
static void far_lags(lags *l, point *work, int64_t size)
{
    point *a = work, *roots = work + size;

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
    point *work;

    while (size < l->count + l->count / 2 + 1)
        size *= 2;
    work = lm_zeroed(caller, what, size + size / 2, sizeof *work);
    l->far = work ? lm_zeroed(caller, what, l->count / 2 + 1, sizeof *l->far) : NULL;
    if (l->far)
        far_lags(l, work, size);
    free(work);
    return l->far ? LATMC_OK : LATMC_ERROR_MEMORY;
}

/* Returns Gamma(t) of (31). */
static double covariance(const lags *l, int64_t t)
{
    double sum = 0;

    if (l->far)
        return l->far[t];
    for (int64_t i = 0; i + t < l->count; i++)
        sum += (l->series[i] - l->mean) * (l->series[i + t] - l->mean);
    return sum / (double)(l->count - t);
}

/* The sums of Gamma(t) over 1 <= t <= W: plain, and with the signs of an alternating series. */
typedef struct partial {
    int64_t window;
    double last, sum, alternating;
} partial;

static void add_lag(partial *p, double gamma)
{
    p->window++;
    p->last = gamma;
    p->sum += gamma;
    p->alternating += p->window % 2 ? -gamma : gamma;
}

/* Returns whether the series tends to change its sign from one measurement to the next. */
static int alternates(const partial *p)
{
    return fabs(p->alternating) > fabs(p->sum);
}

/* Returns whether g(W) of (52) is negative: the statistical error of the sum has overtaken the
 * truncation error. The paper stops at once if the sum of rho(t) is negative. Here the decay is
 * that of |rho(t)|, which the larger of both sums tells. */
static int window_found(const partial *p, double variance, double wolff_s, int64_t count)
{
    const double sum = fmax(fabs(p->sum), fabs(p->alternating)) / variance;
    const double tau = wolff_s / log1p(1 / sum); /* (51), where 2 tau_int = 1 + 2 sum */

    return exp(-(double)p->window / tau) <= tau / sqrt((double)p->window * (double)count);
}

/* Returns how often a series changes its value, up to ENOUGH_CHANGES. */
static int changes(const double *series, int64_t count)
{
    int n = 0;

    for (int64_t i = 1; i < count && n < ENOUGH_CHANGES; i++)
        n += series[i] != series[i - 1];
    return n;
}

/*
 * Returns C(W) of (35) from Gamma(0) and the sums. The last lag counts half if the series
 * alternates. A sum with a sharp end contains the frequency of the alternation, whose weight may be
 * hundreds of times that of C(W). With half of the last lag its weight is 0.
 */
static double windowed(const partial *p, double variance)
{
    return variance + 2 * p->sum - (alternates(p) ? p->last : 0);
}

/* Computes the error and tau_int from C(W). */
static void conclude(lm_gamma *out, double variance, double total, int64_t count)
{
    const double n = (double)count, window = (double)out->window;
    double spread;

    variance += total / n; /* the bias of each Gamma(t), (49) */
    total *= 1 + (2 * window + 1) / n;
    out->tau = total / (2 * variance);
    out->error = sqrt(total / n);
    spread = window + 0.5 - out->tau;
    out->tau_error = 2 * out->tau * sqrt((spread > 0 ? spread : 0) / n); /* (42) */
}

/* Gives up: noise has overwhelmed the sum, and there are no bins to compare. */
static void give_up(lm_gamma *out, double variance, int64_t count)
{
    out->tau = 0.5;
    out->tau_error = 2 * out->tau * sqrt((double)out->window / (double)count);
    out->error = sqrt(variance / (double)count);
    out->too_short = 1;
}

/* Takes the error of bins if they show a slow mode, or if the window has no error (0). tau_int
 * follows the error. */
static void heed_bins(lm_gamma *out, double variance, const double *series, int64_t count,
                      int64_t least)
{
    const lm_slow slow = lm_slow_modes(series, count, out->mean, out->error * out->error, least);

    if (slow.bins) {
        out->bin_length = count / slow.bins;
        out->error = sqrt(slow.variance);
        out->tau = (double)count * slow.variance / (2 * (variance + slow.variance));
        out->tau_error = out->tau * sqrt(6 / (double)(slow.bins - 1));
        out->too_short |= slow.unsettled;
    } else if (!(out->error > 0)) {
        give_up(out, variance, count);
    }
    out->too_short |= (double)count < enough * out->tau;
}

/* Sums lags until the window is found, or until there are no more. */
static latmc_status sum_lags(const char *caller, lags *l, double variance, double wolff_s,
                             partial *p, int *found)
{
    while (!*found && p->window < l->count / 2) {
        if (p->window == DIRECT_LAGS) {
            const latmc_status status = compute_far_lags(caller, l);

            if (status)
                return status;
        }
        add_lag(p, covariance(l, p->window + 1));
        *found = window_found(p, variance, wolff_s, l->count);
    }
    return LATMC_OK;
}

latmc_status lm_gamma_method(const char *caller, const double *series, int64_t count,
                             double wolff_s, lm_gamma *out)
{
    lags l = {.series = series, .count = count, .mean = lm_mean(series, count)};
    partial p = {0};
    latmc_status status;
    double variance, total;
    int found = 0;

    *out =
        (lm_gamma){.mean = series[0], .error = NAN, .tau = NAN, .tau_error = NAN, .too_short = 1};
    if (changes(series, count) == 0)
        return LATMC_OK;
    variance = covariance(&l, 0);
    status = sum_lags(caller, &l, variance, wolff_s, &p, &found);
    free(l.far);
    if (status)
        return status;
    total = windowed(&p, variance);
    *out = (lm_gamma){.mean = l.mean, .window = p.window, .too_short = !found};
    if (total > 0)
        conclude(out, variance, total, count);
    heed_bins(out, variance, series, count, (alternates(&p) ? ALTERNATING_BINS : 1) * p.window);
    out->too_short |= alternates(&p) && count < ALTERNATING_ENOUGH * p.window;
    out->too_short |= changes(series, count) < ENOUGH_CHANGES;
    return LATMC_OK;
}

latmc_status lm_autocorrelation(const char *caller, const double *series, int64_t count,
                                int64_t count_lags, double *rho)
{
    lags l = {.series = series, .count = count, .mean = lm_mean(series, count)};
    latmc_status status = LATMC_OK;
    double variance;

    if (count_lags > DIRECT_LAGS)
        status = compute_far_lags(caller, &l);
    if (status)
        return status;
    variance = changes(series, count) ? covariance(&l, 0) : (double)NAN;
    for (int64_t t = 0; t < count_lags; t++)
        rho[t] = covariance(&l, t) / variance;
    free(l.far);
    return LATMC_OK;
}
