/* SPDX-License-Identifier: BSD-3-Clause */
/* Time series of all observables of a lattice, their means and errors, and what follows
 * from them, for people and for programs. */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdio.h>

#include "json.h"
#include "lattice_flags.h"

enum { QUANTITIES_MAX = 48 };

/* What a formula of the library gets besides the means. */
typedef union formula_user {
    latmc_scale scale;
    latmc_momentum momentum;
} formula_user;

/* Fills it for one lattice and the value of one parameter. */
typedef formula_user quantity_prepare(const latmc_lattice_info *info, double param);

/* An observable, or a formula of two of them. */
typedef struct quantity {
    const char *name;
    int in_table; /* whether the table for people has a column of it */
    int inputs[2];
    latmc_derived formula; /* NULL: an observable */
    quantity_prepare *prepare;
    int param; /* that `prepare` asks for, the place of it; -1: none */
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

/* A replica's estimate of a quantity by its name, which must be one of the list. */
const latmc_estimate *results_find(const results *r, int64_t replica, const char *name);

/* A number with the two leading digits of its error behind: -1.41421(12), 36.2(1.5). */
void results_number(const latmc_estimate *e, char *text, size_t bytes);

void results_table(const results *r, FILE *file);
void results_csv(const results *r, FILE *file);
void results_json(const results *r, json *j); /* the key "replicas" */

#endif
