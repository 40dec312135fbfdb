/* SPDX-License-Identifier: BSD-3-Clause */
/* Time series of all observables of a lattice, their means and errors, and what follows
 * from them, for people and for programs. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdio.h>

#include "json.h"
#include "lattice_flags.h"

enum { QUANTITIES_MAX = 48 };

/* An observable, or a formula of two of them. */
typedef struct quantity {
    const char *name;
    int in_table; /* whether the table for people has a column of it */
    int inputs[2];
    latmc_derived formula; /* NULL: an observable */
    int scale_param;       /* of the parameter beta; -1: the formula needs no scale */
} quantity;

typedef struct results {
    latmc_lattice_info info;
    int params, observables, quantities; /* observables come first among the quantities */
    quantity list[QUANTITIES_MAX];
    latmc_observable ids[QUANTITIES_MAX];
    int64_t records;           /* measurements in a time series, at least 1 */
    double *param_values;      /* [param][replica] */
    double *series;            /* [observable][replica][record] */
    latmc_estimate *estimates; /* [replica][quantity] */
} results;

/* Room for `records` measurements of every observable that the lattice's model knows. */
results results_prepare(const latmc_lattice *lattice, int64_t records);
void results_free(results *r);

/* Fills the estimates from the series. */
void results_analyse(results *r);

void results_table(const results *r, FILE *file);
void results_csv(const results *r, FILE *file);
void results_json(const results *r, json *j); /* the key "replicas" */

#endif
