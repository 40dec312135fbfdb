/* SPDX-License-Identifier: BSD-3-Clause */
#include "xy.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

void xy_cross(xy_curve *curve)
{
    curve->crossing = curve->error = (double)NAN;
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
        return;
    }
}

/* pi Y / (2 T) - 1 at a temperature of the range, and its error. */
static void excess(const xy_curve *curve, double temperature, double *value, double *error)
{
    int t = 0;
    double share;

    while (t + 2 < XY_TEMPS && curve->temperature[t + 1] <= temperature)
        t++;
    share =
        (temperature - curve->temperature[t]) / (curve->temperature[t + 1] - curve->temperature[t]);
    *value = pi / (2 * temperature) *
                 ((1 - share) * curve->helicity[t].value + share * curve->helicity[t + 1].value) -
             1;
    *error = pi / (2 * temperature) *
             hypot((1 - share) * curve->helicity[t].error, share * curve->helicity[t + 1].error);
}

static double chi2_of(const xy_curve *curves, int count, double temperature, double c)
{
    double chi2 = 0;

    for (int i = 0; i < count; i++) {
        double value, error;

        excess(&curves[i], temperature, &value, &error);
        chi2 += pow((value - 1 / (2 * log((double)curves[i].size) + c)) / error, 2);
    }
    return chi2;
}

/* The least chi2 at a temperature: the correction falls with C, so one minimum, by thirds. */
static double best_c(const xy_curve *curves, int count, double temperature, double *c)
{
    double low = 0.1 - 2 * log((double)curves[0].size), high = 200;

    for (int i = 0; i < 120; i++) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;

        if (chi2_of(curves, count, temperature, left) < chi2_of(curves, count, temperature, right))
            high = right;
        else
            low = left;
    }
    *c = (low + high) / 2;
    return chi2_of(curves, count, temperature, *c);
}

enum { STEPS = 2000 }; /* temperatures that are tried */

xy_fit xy_fit_of(const xy_curve *curves, int count)
{
    const double from = curves[0].temperature[0];
    const double step = (curves[0].temperature[XY_TEMPS - 1] - from) / STEPS;
    xy_fit fit = {(double)NAN, (double)NAN, (double)NAN, INFINITY, count - 2};
    int least = 0, first = STEPS, last = 0;
    double c;

    for (int i = 0; i <= STEPS && count > 1; i++)
        if (best_c(curves, count, from + i * step, &c) < fit.chi2) {
            fit.chi2 = best_c(curves, count, from + i * step, &fit.c);
            least = i;
        }
    if (count < 2 || least == 0 || least == STEPS)
        return (xy_fit){(double)NAN, (double)NAN, (double)NAN, (double)NAN, count - 2};
    for (first = least; first > 0; first--)
        if (best_c(curves, count, from + first * step, &c) > fit.chi2 + 1)
            break;
    for (last = least; last < STEPS; last++)
        if (best_c(curves, count, from + last * step, &c) > fit.chi2 + 1)
            break;
    fit.temperature = from + least * step;
    fit.error = (last - first) * step / 2;
    return fit;
}
