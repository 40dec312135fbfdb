/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters that follow a ramp. */
#ifndef LM_RAMP_H
#define LM_RAMP_H

#include "lib/lattice/lattice.h"

/* What the replica's value is for sweep number `sweep`, which is not before the ramp. */
double lm_ramp_value(const lm_ramp *ramp, int64_t replica, int64_t sweep);
/* Leaves no ramp; the parameter stays what it is. */
void lm_ramp_end(lm_ramp *ramp);

/* Does a parameter follow a ramp? */
int lm_ramps_any(const latmc_lattice *lattice);
/* Parameters become those of the next sweep; ramps at their end are no more. */
void lm_ramps_follow(latmc_lattice *lattice);
/* Parameters stay as they are. */
void lm_ramps_end(latmc_lattice *lattice);
/* A copy of the ramp becomes that of parameter number `place`. */
latmc_status lm_ramp_begin(latmc_lattice *lattice, const char *caller, int place,
                           const lm_ramp *given);

#endif
