/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finite-size scaling of U4 = 1 - <m^4> / (3 <m^2>^2), K. Binder, Z. Phys. B 43, 119 (1981).
 *
 * The curves of two sizes cross near T_c, at T_x(L) = T_c + a L^-w with w = 1/nu + omega. In
 * two dimensions nu = 1, and omega = 7/4: the singular part of <M^2>/N grows as L^7/4 beside
 * a regular part that does not grow (irrelevant operators follow with omega = 2). So w = 11/4;
 * transfer matrices up to L = 10 bear that out. The fit has T_c and a free and uses the
 * covariance of the crossings. How far T_c moves when w is 5/2 or 3 instead is the systematic
 * error, added in squares to the statistical one.
 */
#include "binder.h"

#include "curve_fit.h"

#include <math.h>
#include <string.h>

static const double exponent = 2.75, exponent_low = 2.5, exponent_high = 3;

_Static_assert((int)BINDER_SIZES <= (int)CURVE_TERMS, "equations of all crossings");

static double scaled(const binder_curve *c, double temperature)
{
    return (temperature / c->centre - 1) * (double)c->size;
}

double binder_value(const binder_curve *curve, double temperature)
{
    return curve_value(BINDER_TERMS, curve->fit, scaled(curve, temperature));
}

/* U4 at every temperature without block number `left_out` (-1: with all of them). */
static void cumulants(const binder_curve *c, int left_out, double u4[BINDER_TEMPS])
{
    for (int t = 0; t < BINDER_TEMPS; t++) {
        double m2 = 0, m4 = 0;
        const double blocks = left_out < 0 ? BINDER_BLOCKS : BINDER_BLOCKS - 1;

        for (int b = 0; b < BINDER_BLOCKS; b++)
            if (b != left_out) {
                m2 += c->moments[b][t][0];
                m4 += c->moments[b][t][1];
            }
        u4[t] = 1 - blocks * m4 / (3 * m2 * m2);
    }
}

/* Weights are smooth, since U4 and its error are correlated: where U4 is too large by chance its
 * error is too small. Weights by such errors pull the curve up, and the crossings with it. */
static void fit_polynomial(const binder_curve *c, const double u4[BINDER_TEMPS],
                           double coefficients[BINDER_TERMS])
{
    double x[BINDER_TEMPS];

    for (int t = 0; t < BINDER_TEMPS; t++)
        x[t] = scaled(c, c->temperature[t]);
    curve_fit(BINDER_TEMPS, x, u4, c->smooth, BINDER_TERMS, coefficients);
}

/* Jackknife over blocks: value without bias and error from `whole` and the values with one
 * block left out each. */
static void jackknife(double whole, const double *parts, double *value, double *error)
{
    const double n = BINDER_BLOCKS;
    double mean = 0, squares = 0;

    for (int b = 0; b < BINDER_BLOCKS; b++)
        mean += parts[b] / n;
    for (int b = 0; b < BINDER_BLOCKS; b++)
        squares += (parts[b] - mean) * (parts[b] - mean);
    *value = whole + (n - 1) * (whole - mean);
    *error = sqrt(squares * (n - 1) / n);
}

void binder_analyse(binder_curve *c)
{
    double whole[BINDER_TEMPS], parts[BINDER_TEMPS][BINDER_BLOCKS], u4[BINDER_TEMPS];

    cumulants(c, -1, whole);
    for (int b = 0; b < BINDER_BLOCKS; b++) {
        cumulants(c, b, u4);
        for (int t = 0; t < BINDER_TEMPS; t++)
            parts[t][b] = u4[t];
    }
    for (int t = 0; t < BINDER_TEMPS; t++)
        jackknife(whole[t], parts[t], &c->u4[t], &c->error[t]);
    curve_smooth(BINDER_TEMPS, c->temperature, c->error, c->smooth);
    fit_polynomial(c, c->u4, c->fit);
    c->chi2 = 0;
    for (int t = 0; t < BINDER_TEMPS; t++)
        c->chi2 += pow((c->u4[t] - binder_value(c, c->temperature[t])) / c->smooth[t], 2);
}

/* Polynomials of all sizes without one block. */
typedef double fits[BINDER_SIZES][BINDER_TERMS];

static double difference(const binder_curve *c, fits f, int i, double temperature)
{
    return curve_value(BINDER_TERMS, f[i], scaled(&c[i], temperature)) -
           curve_value(BINDER_TERMS, f[i + 1], scaled(&c[i + 1], temperature));
}

/* Where curves i and i + 1 cross, by bisection; NaN if they do not. */
static double cross(const binder_curve *c, fits f, int i)
{
    double low = c[i + 1].temperature[0], high = c[i + 1].temperature[BINDER_TEMPS - 1];

    if (!(difference(c, f, i, low) < 0 && difference(c, f, i, high) > 0))
        return (double)NAN;
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;

        if (difference(c, f, i, middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Crossings with all blocks and without each. */
typedef struct samples {
    int count;
    double whole[BINDER_SIZES - 1][2]; /* temperature, U4 */
    double part[BINDER_SIZES - 1][2][BINDER_BLOCKS];
} samples;

static int sample(const binder_curve *c, int left_out, double out[BINDER_SIZES - 1][2], int count)
{
    double u4[BINDER_TEMPS];
    fits f;

    for (int i = 0; i <= count; i++) {
        cumulants(&c[i], left_out, u4);
        fit_polynomial(&c[i], u4, f[i]);
    }
    for (int i = 0; i < count; i++) {
        out[i][0] = cross(c, f, i);
        out[i][1] = curve_value(BINDER_TERMS, f[i], scaled(&c[i], out[i][0]));
        if (isnan(out[i][0]))
            return 0;
    }
    return 1;
}

static int take_samples(const binder_curve *c, samples *s)
{
    if (!sample(c, -1, s->whole, s->count))
        return 0;
    for (int b = 0; b < BINDER_BLOCKS; b++) {
        double one[BINDER_SIZES - 1][2];

        if (!sample(c, b, one, s->count))
            return 0;
        for (int i = 0; i < s->count; i++)
            for (int k = 0; k < 2; k++)
                s->part[i][k][b] = one[i][k];
    }
    return 1;
}

static double covariance(const double *x, const double *y)
{
    const double n = BINDER_BLOCKS;
    double mean_x = 0, mean_y = 0, sum = 0;

    for (int b = 0; b < BINDER_BLOCKS; b++) {
        mean_x += x[b] / n;
        mean_y += y[b] / n;
    }
    for (int b = 0; b < BINDER_BLOCKS; b++)
        sum += (x[b] - mean_x) * (y[b] - mean_y);
    return sum * (n - 1) / n;
}

/* A straight line through the crossings against L^-w. */
typedef struct line {
    double tc, amplitude, error, chi2;
} line;

static double inverse_form(const samples *s, const double *x, const double *y)
{
    double a[CURVE_TERMS][CURVE_TERMS], b[CURVE_TERMS], sum = 0;

    for (int i = 0; i < s->count; i++) {
        b[i] = y[i];
        for (int j = 0; j < s->count; j++)
            a[i][j] = covariance(s->part[i][0], s->part[j][0]);
    }
    curve_solve(s->count, a, b);
    for (int i = 0; i < s->count; i++)
        sum += x[i] * b[i];
    return sum;
}

/* Generalized least squares: x C^-1 y for the constant, the power and the data. */
static line fit_line(const samples *s, const binder_result *r, double w)
{
    double one[BINDER_SIZES], power[BINDER_SIZES], data[BINDER_SIZES], rest[BINDER_SIZES];
    double oo, op, pp, od, pd, determinant;
    line out;

    for (int i = 0; i < s->count; i++) {
        one[i] = 1;
        power[i] = pow((double)r->crossing[i].size, -w);
        data[i] = r->crossing[i].temperature;
    }
    oo = inverse_form(s, one, one);
    op = inverse_form(s, one, power);
    pp = inverse_form(s, power, power);
    od = inverse_form(s, one, data);
    pd = inverse_form(s, power, data);
    determinant = oo * pp - op * op;
    out.tc = (pp * od - op * pd) / determinant;
    out.amplitude = (oo * pd - op * od) / determinant;
    out.error = sqrt(pp / determinant);
    for (int i = 0; i < s->count; i++)
        rest[i] = data[i] - out.tc - out.amplitude * power[i];
    out.chi2 = inverse_form(s, rest, rest);
    return out;
}

static void fit_tc(const samples *s, binder_result *result)
{
    const line best = fit_line(s, result, exponent);
    const line low = fit_line(s, result, exponent_low), high = fit_line(s, result, exponent_high);

    result->tc = best.tc;
    result->amplitude = best.amplitude;
    result->chi2 = best.chi2;
    result->statistical = best.error;
    result->systematic = fmax(fabs(low.tc - best.tc), fabs(high.tc - best.tc));
    result->error = hypot(result->statistical, result->systematic);
}

int binder_combine(const binder_curve *curves, int count, int fit, binder_result *result)
{
    samples s = {.count = count - 1};

    *result = (binder_result){.tc = NAN,
                              .amplitude = NAN,
                              .chi2 = NAN,
                              .statistical = NAN,
                              .systematic = NAN,
                              .error = NAN};
    if (count < 2)
        return 1;
    if (!take_samples(curves, &s))
        return 0;
    result->crossings = s.count;
    for (int i = 0; i < count; i++)
        result->too_short |= curves[i].too_short;
    for (int i = 0; i < s.count; i++) {
        binder_crossing *x = &result->crossing[i];

        x->size = curves[i].size;
        x->larger = curves[i + 1].size;
        jackknife(s.whole[i][0], s.part[i][0], &x->temperature, &x->error);
        jackknife(s.whole[i][1], s.part[i][1], &x->u4, &x->u4_error);
    }
    if (fit)
        fit_tc(&s, result);
    return 1;
}
