/* SPDX-License-Identifier: BSD-3-Clause */
/* Settles what a lattice and its plan have not told each other yet (lm_untold). A plan hears of
 * parameters and slots before it sweeps. It is asked for the state of exchanges and for the numbers
 * of changed sites when somebody wants to know them. */
#ifndef LM_UNTOLD_H
#define LM_UNTOLD_H

#include "lib/lattice/lattice.h"

/* A plan is new and knows nothing. Telling it the parameters tells it the slots and the arguments
 * of a step as well, so `slots` and `step` need no change. `changed` was settled with the old plan.
 */
static inline void lm_untold_all(latmc_lattice *lattice)
{
    lattice->untold.params = lattice->untold.state = 1;
    lattice->untold.state_ahead = 0;
}
/* The lattice has moved slots. */
static inline void lm_untold_slots(latmc_lattice *lattice)
{
    lattice->untold.slots = lattice->untold.state = 1;
}

/* Tells the plan what it must hear of before sweeps with the own arguments of a step (-1: of none).
 * `values` has room for the parameters of a step with arguments, [parameter][slot]. */
latmc_status lm_untold_settle(latmc_lattice *lattice, const char *caller, int step, double *values);
/* Brings the state of exchanges up to date. */
latmc_status lm_untold_state(latmc_lattice *lattice, const char *caller);
/* Brings changed[] up to date. The lattice keeps it when it moves or is saved. */
latmc_status lm_untold_changed(latmc_lattice *lattice, const char *caller);
/* The same, from a measurement of the bundle that has it. */
void lm_untold_take_changed(latmc_lattice *lattice, const double *sums);

#endif
