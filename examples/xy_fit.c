/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * T_KT from the helicity moduli of several sizes.
 *
 * At T_KT (pi / 2 T) Y(L) - 1 = 1 / u(L), in lowest order with u = 2 ln L + C: H. Weber and
 * P. Minnhagen, Phys. Rev. B 37, 5986 (1988). The next order, which the fit has, is
 * u = 2 ln L + C + ln(ln L + C / 2): Y.-D. Hsieh, Y.-J. Kao and A. W. Sandvik, J. Stat. Mech.
 * (2013) P09001. T_KT moves by 0.0018 between the two for L = 16 to 64. The orders after it move
 * T_KT less, so half of that step is the systematic error.
 *
 * Errors are those of a jackknife over blocks of time. A block has all temperatures of a size,
 * since they share replicas by exchanges. So what temperatures have in common is in the error.
 */
#include "xy.h"

#include <math.h>

#include "curve_fit.h"

static const double pi = 3.14159265358979323846;

/* Temperatures near T_KT that the fit uses, and the terms of the polynomial through Y there. */
enum { FIRST = 5, LAST = 14, USED = LAST - FIRST + 1, TERMS = 5 };

static double middle_of(const xy_curve *curve)
{
    return (curve->temperature[FIRST] + curve->temperature[LAST]) / 2;
}

/* Y of one size as a polynomial in T - middle. */
typedef struct smooth_curve {
    double log_size, middle, error; /* the error of Y near the middle */
    double coefficients[TERMS];
} smooth_curve;

/* Y by temperature without block number `left_out` (-1: with all of them). */
static void means(const xy_curve *curve, int left_out, double y[XY_TEMPS])
{
    for (int t = 0; t < XY_TEMPS; t++) {
        y[t] = 0;
        for (int b = 0; b < XY_BLOCKS; b++)
            if (b != left_out)
                y[t] += curve->block[b][t] / (left_out < 0 ? XY_BLOCKS : XY_BLOCKS - 1);
    }
}

/* Errors from the spread of the blocks, smooth along the temperatures. */
static void smooth_errors(const xy_curve *curve, double errors[USED])
{
    double y[XY_TEMPS], raw[USED];

    means(curve, -1, y);
    for (int t = 0; t < USED; t++) {
        double squares = 0;

        for (int b = 0; b < XY_BLOCKS; b++)
            squares += pow(curve->block[b][FIRST + t] - y[FIRST + t], 2);
        raw[t] = sqrt(squares / (XY_BLOCKS * (XY_BLOCKS - 1.0)));
    }
    curve_smooth(USED, curve->temperature + FIRST, raw, errors);
}

static smooth_curve smooth_of(const xy_curve *curve, const double errors[USED], int left_out)
{
    smooth_curve s = {.log_size = log((double)curve->size),
                      .middle = middle_of(curve),
                      .error = errors[USED / 2]};
    double y[XY_TEMPS], x[USED];

    means(curve, left_out, y);
    for (int t = 0; t < USED; t++)
        x[t] = curve->temperature[FIRST + t] - s.middle;
    curve_fit(USED, x, y + FIRST, errors, TERMS, s.coefficients);
    return s;
}

void xy_cross(xy_curve *curve)
{
    curve->crossing = curve->error = (double)NAN;
    curve->too_short = 0;
    for (int t = 0; t + 1 < XY_TEMPS; t++) {
        const latmc_estimate *low = &curve->helicity[t], *high = low + 1;
        const double from = curve->temperature[t], width = curve->temperature[t + 1] - from;
        const double above = low->value - 2 / pi * from;
        const double fall = above - (high->value - 2 / pi * (from + width));
        const double share = above / fall;

        if (!(above > 0 && share <= 1 && fall > 0))
            continue;
        curve->crossing = from + share * width;
        curve->error = width / fall * hypot((1 - share) * low->error, share * high->error);
        curve->too_short = low->too_short || high->too_short;
        return;
    }
}

/* ---- the fit */

typedef enum form { WEBER_MINNHAGEN, NEXT_ORDER } form;

/* u for 2 ln L = log2; where there is none, something so small that no fit takes it. */
static double scale_of(form f, double log2, double c)
{
    const double u = log2 + c;

    if (u < 0.2)
        return 0.01;
    return f == NEXT_ORDER ? fmax(0.05, u + log(u / 2)) : u;
}

double xy_scale(int64_t size, double c)
{
    return scale_of(NEXT_ORDER, 2 * log((double)size), c);
}

typedef struct problem {
    form f;
    int count;
    const smooth_curve *curves;
} problem;

static double chi2_of(const problem *p, const double *excess, const double *errors, double c)
{
    double chi2 = 0;

    for (int i = 0; i < p->count; i++)
        chi2 += pow((excess[i] - 1 / scale_of(p->f, 2 * p->curves[i].log_size, c)) / errors[i], 2);
    return chi2;
}

/* The least chi2 at a temperature: the correction falls with C, so one minimum, by thirds. */
static double best_c(const problem *p, double temperature, double *c)
{
    double excess[XY_SIZES], errors[XY_SIZES];
    double low = 0.1 - 2 * p->curves[0].log_size, high = 200;

    for (int i = 0; i < p->count; i++) {
        const smooth_curve *s = &p->curves[i];
        const double scale = pi / (2 * temperature);

        excess[i] = scale * curve_value(TERMS, s->coefficients, temperature - s->middle) - 1;
        errors[i] = scale * s->error;
    }
    for (int i = 0; i < 60; i++) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;

        if (chi2_of(p, excess, errors, left) < chi2_of(p, excess, errors, right))
            high = right;
        else
            low = left;
    }
    *c = (low + high) / 2;
    return chi2_of(p, excess, errors, *c);
}

enum { STEPS = 60 }; /* temperatures that are tried first */

/* The temperature where chi2 is least; NaN if that is not within the range. */
static double solve(const problem *p, double from, double to, double *c, double *chi2)
{
    const double step = (to - from) / STEPS;
    double least = INFINITY, low, high;
    int at = 0;

    for (int i = 0; i <= STEPS; i++) {
        const double found = best_c(p, from + i * step, c);

        if (found < least) {
            least = found;
            at = i;
        }
    }
    if (at == 0 || at == STEPS)
        return (double)NAN;
    low = from + (at - 1) * step;
    high = from + (at + 1) * step;
    for (int i = 0; i < 40; i++) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;

        if (best_c(p, left, c) < best_c(p, right, c))
            high = right;
        else
            low = left;
    }
    *chi2 = best_c(p, (low + high) / 2, c);
    return (low + high) / 2;
}

static double temperature_of(form f, const smooth_curve *smooth, const xy_curve *curves, int count,
                             double *c, double *chi2)
{
    const problem p = {f, count, smooth};

    return solve(&p, curves[0].temperature[FIRST], curves[0].temperature[LAST], c, chi2);
}

/* The jackknife over the blocks of each size in turn. Sizes are independent. */
static double statistical(smooth_curve *smooth, double errors[][USED], const xy_curve *curves,
                          int count)
{
    double variance = 0, c, chi2;

    for (int i = 0; i < count; i++) {
        const smooth_curve whole = smooth[i];
        double part[XY_BLOCKS], mean = 0;

        for (int b = 0; b < XY_BLOCKS; b++) {
            smooth[i] = smooth_of(&curves[i], errors[i], b);
            part[b] = temperature_of(NEXT_ORDER, smooth, curves, count, &c, &chi2);
            mean += part[b] / XY_BLOCKS;
        }
        for (int b = 0; b < XY_BLOCKS; b++)
            variance += pow(part[b] - mean, 2) * (XY_BLOCKS - 1) / XY_BLOCKS;
        smooth[i] = whole;
    }
    return sqrt(variance);
}

/* A point within the range of the fit is. */
static int any_too_short(const xy_curve *curves, int count)
{
    for (int i = 0; i < count; i++)
        for (int t = FIRST; t <= LAST; t++)
            if (curves[i].helicity[t].too_short)
                return 1;
    return 0;
}

xy_fit xy_fit_of(const xy_curve *curves, int count)
{
    xy_fit fit = {.degrees = count - 2, .too_short = any_too_short(curves, count)};
    smooth_curve smooth[XY_SIZES];
    double errors[XY_SIZES][USED], lowest, c, chi2;

    fit.temperature = fit.error = fit.c = fit.chi2 = (double)NAN;
    fit.statistical = fit.systematic = (double)NAN;
    if (count < 2)
        return fit;
    for (int i = 0; i < count; i++) {
        smooth_errors(&curves[i], errors[i]);
        smooth[i] = smooth_of(&curves[i], errors[i], -1);
    }
    fit.temperature = temperature_of(NEXT_ORDER, smooth, curves, count, &fit.c, &fit.chi2);
    lowest = temperature_of(WEBER_MINNHAGEN, smooth, curves, count, &c, &chi2);
    fit.systematic = fabs(fit.temperature - lowest) / 2;
    fit.statistical = statistical(smooth, errors, curves, count);
    fit.error = hypot(fit.statistical, fit.systematic);
    return fit;
}
