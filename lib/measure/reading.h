/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes observables from sums. */
#ifndef LM_READING_H
#define LM_READING_H

#include "lib/lattice/lattice.h"

/* Times of a core of 2024, in ns: to read a replica or a pair, and to compute each value of it. */
#define LM_ITEM_NS  30.0
#define LM_VALUE_NS 2.0

/* Removes the bundles that are idle with these options, or without fields. */
unsigned lm_bundles_in_use(const latmc_lattice *lattice, unsigned bundles);
/* Returns a reading for observables and actions. For pairs, `params` is NULL. */
lm_reading lm_reading_of(const latmc_lattice *lattice, const double *params, const double *sums);
/* Returns a reading of a replica, with its slot, and with its waves from the last measurement. */
lm_reading lm_reading_at(const latmc_lattice *lattice, int64_t replica, const double *params,
                         const double *sums);
/* Turns a reading to another replica of its lattice. */
void lm_reading_turn(lm_reading *reading, const latmc_lattice *lattice, int64_t replica,
                     const double *params, const double *sums);
/* Returns one replica's value of a quantity that it has, from the sums of its bundles. */
double lm_quantity_value(const latmc_lattice *lattice, const latmc_quantity *quantity,
                         int64_t replica, const double *sums);

#endif
