/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends a plan what the lattice has not told it yet, and fetches what the plan has not told yet
 * (lm_pending). A plan hears of parameters and slots before it sweeps. It is asked for the state of
 * exchanges and for the numbers of changed sites when somebody wants to know them. */
#ifndef LM_PENDING_H
#define LM_PENDING_H

#include "lib/lattice/lattice.h"

/* A plan is new and knows nothing. Telling it the parameters tells it the slots and the arguments
 * of a step as well, so `slots` and `step` need no change. `changed` was fetched from the old plan.
 */
static inline void lm_pending_all(latmc_lattice *lattice)
{
    lattice->pending.params = lattice->pending.state = 1;
    lattice->pending.state_ahead = 0;
}
/* The lattice has moved slots. */
static inline void lm_pending_slots(latmc_lattice *lattice)
{
    lattice->pending.slots = lattice->pending.state = 1;
}

/* Sends the plan what it must know before sweeps with the own arguments of a step (-1: of none).
 * `values` has room for the parameters of a step with arguments, [parameter][slot]. */
latmc_status lm_pending_send(latmc_lattice *lattice, const char *caller, int step, double *values);
/* Fetches the state of exchanges if only the plan has it. */
latmc_status lm_pending_fetch_state(latmc_lattice *lattice, const char *caller);
/* Fetches changed[] if only the plan has it. The lattice keeps it when it moves or is saved. */
latmc_status lm_pending_fetch_changed(latmc_lattice *lattice, const char *caller);
/* The same, from a measurement of the bundle that has it. */
void lm_pending_take_changed(latmc_lattice *lattice, const double *sums);

#endif
