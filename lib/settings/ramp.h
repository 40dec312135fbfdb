/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what value a parameter has that follows a ramp. */
#ifndef LM_RAMP_H
#define LM_RAMP_H

#include <stdlib.h>

#include "lib/lattice/lattice.h"

/* Returns the replica's value for sweep number `sweep`. The sweep must not be before the ramp's
 * first. */
double lm_ramp_value(const lm_ramp *ramp, int64_t replica, int64_t sweep);
/* Ends the ramp and frees it. The parameter keeps its value. */
static inline void lm_ramp_end(lm_ramp *ramp)
{
    free(ramp->from);
    *ramp = (lm_ramp){0};
}

/* Returns whether any parameter follows a ramp. */
int lm_ramps_any(const latmc_lattice *lattice);
/* Sets the parameters to their values for the next sweep. Ramps at their end are removed. */
void lm_ramps_follow(latmc_lattice *lattice);
/* Removes all ramps. Parameters keep their values. */
void lm_ramps_end(latmc_lattice *lattice);
/* Copies `given` and makes the copy the ramp of parameter number `index`. */
latmc_status lm_ramp_begin(latmc_lattice *lattice, const char *caller, int index,
                           const lm_ramp *given);

#endif
