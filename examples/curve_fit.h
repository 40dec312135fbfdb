/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials through points with errors, as the programs' fits need them. */
#ifndef CURVE_FIT_H
#define CURVE_FIT_H

enum { CURVE_TERMS = 6 }; /* at most */

/* Solves a x = b by elimination with pivots. Both are overwritten, b with x. */
void curve_solve(int n, double a[CURVE_TERMS][CURVE_TERMS], double b[CURVE_TERMS]);

/* Least squares through `count` points with weights 1 / errors^2: `terms` coefficients, the
 * constant first. */
void curve_fit(int count, const double *x, const double *y, const double *errors, int terms,
               double *coefficients);

double curve_value(int terms, const double *coefficients, double x);

/* The errors along a parabola through their logarithms. An error has noise of its own: a point that
 * by chance fluctuates little has too small an error and would get too much weight. Smooth errors
 * are the weights that fits should use. x rises. Errors that are not finite or not positive are
 * left out; if fewer than four are left, all are 1. */
void curve_smooth(int count, const double *x, const double *errors, double *smooth);

#endif
