/* SPDX-License-Identifier: BSD-3-Clause */
#include "curve_fit.h"

#include <math.h>
#include <string.h>

enum { SMOOTH_TERMS = 3 };

static void swap(double *a, double *b)
{
    const double t = *a;

    *a = *b;
    *b = t;
}

void curve_solve(int n, double a[CURVE_TERMS][CURVE_TERMS], double b[CURVE_TERMS])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;

        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        for (int j = 0; j < n; j++)
            swap(&a[k][j], &a[pivot][j]);
        swap(&b[k], &b[pivot]);
        for (int i = 0; i < n; i++) {
            const double f = a[i][k] / a[k][k];

            if (i == k)
                continue;
            for (int j = k; j < n; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = 0; k < n; k++)
        b[k] /= a[k][k];
}

/* Adds a point of weight w to the normal equations. */
static void add_point(int terms, double x, double y, double w, double a[CURVE_TERMS][CURVE_TERMS],
                      double b[CURVE_TERMS])
{
    for (int i = 0; i < terms; i++) {
        for (int j = 0; j < terms; j++)
            a[i][j] += w * pow(x, i + j);
        b[i] += w * pow(x, i) * y;
    }
}

void curve_fit(int count, const double *x, const double *y, const double *errors, int terms,
               double *coefficients)
{
    double a[CURVE_TERMS][CURVE_TERMS] = {{0}}, b[CURVE_TERMS] = {0};

    for (int k = 0; k < count; k++)
        add_point(terms, x[k], y[k], 1 / (errors[k] * errors[k]), a, b);
    curve_solve(terms, a, b);
    memcpy(coefficients, b, (size_t)terms * sizeof *coefficients);
}

double curve_value(int terms, const double *coefficients, double x)
{
    double value = 0;

    for (int k = terms - 1; k >= 0; k--)
        value = value * x + coefficients[k];
    return value;
}

/* A mean of logarithms is too small for squares: makes the mean square of the ratio 1. */
static void match_squares(int count, const double *errors, double *smooth)
{
    double squares = 0, factor;
    int used = 0;

    for (int k = 0; k < count; k++)
        if (isfinite(errors[k]) && errors[k] > 0) {
            squares += pow(errors[k] / smooth[k], 2);
            used++;
        }
    factor = sqrt(squares / used);
    for (int k = 0; k < count; k++)
        smooth[k] *= factor;
}

void curve_smooth(int count, const double *x, const double *errors, double *smooth)
{
    double a[CURVE_TERMS][CURVE_TERMS] = {{0}}, b[CURVE_TERMS] = {0};
    const double middle = (x[0] + x[count - 1]) / 2, half = (x[count - 1] - x[0]) / 2;
    int used = 0;

    for (int k = 0; k < count; k++)
        if (isfinite(errors[k]) && errors[k] > 0) {
            add_point(SMOOTH_TERMS, (x[k] - middle) / half, log(errors[k]), 1, a, b);
            used++;
        }
    if (used > SMOOTH_TERMS)
        curve_solve(SMOOTH_TERMS, a, b);
    for (int k = 0; k < count; k++)
        smooth[k] =
            used > SMOOTH_TERMS ? exp(curve_value(SMOOTH_TERMS, b, (x[k] - middle) / half)) : 1;
    if (used > SMOOTH_TERMS)
        match_squares(count, errors, smooth);
}
