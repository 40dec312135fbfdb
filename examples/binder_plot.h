/* SPDX-License-Identifier: BSD-3-Clause */
/* The picture of the cumulants, drawn by gnuplot. */
#ifndef BINDER_PLOT_H
#define BINDER_PLOT_H

#include "binder.h"

#define BINDER_PICTURE "ising-binder.png"
#define BINDER_DATA    "ising-binder.dat"

/* Both in the current directory. The data: a block of lines for each size. 1 if it was written,
 * otherwise says why not. */
int binder_write_data(const binder_curve *curves, int count);

/* From the data. 1 if the picture was drawn, 0 if gnuplot is missing, -1 if it failed. */
int binder_draw(const binder_curve *curves, int count, const binder_result *result, double exact);

#endif
