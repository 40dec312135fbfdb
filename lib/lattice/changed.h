/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of sites that the last sweep changed. Until it is first asked for, only the device has
 * it. Then the lattice has it, and keeps it when it moves or is saved. */
#ifndef LM_CHANGED_H
#define LM_CHANGED_H

#include "lib/lattice/lattice.h"

/* Brings changed[] up to date. */
latmc_status lm_changed_fetch(latmc_lattice *lattice, const char *caller);
/* Takes changed[] from a measurement of the group of changes. */
void lm_changed_take(latmc_lattice *lattice, const double *sums);

#endif
