/* SPDX-License-Identifier: BSD-3-Clause */
/* How many sites the last sweep changed. The device that did it knows, until it is first asked;
 * then the lattice, which keeps it when it moves or is saved. */
#ifndef LM_CHANGED_H
#define LM_CHANGED_H

#include "lib/lattice/lattice.h"

/* Brings changed[] up to date. */
latmc_status lm_changed_fetch(latmc_lattice *lattice, const char *caller);
/* From a measurement of the group that has it. */
void lm_changed_take(latmc_lattice *lattice, const double *sums);

#endif
