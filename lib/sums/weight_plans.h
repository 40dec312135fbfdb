/* SPDX-License-Identifier: BSD-3-Clause */
/* Weighted sums that plans make (lib/sums/row_sums.h). */
#ifndef LM_WEIGHT_PLANS_H
#define LM_WEIGHT_PLANS_H

#include "lib/lattice/lattice.h"

latmc_status lm_weights_ask(latmc_lattice *lattice, const char *caller, int *made);
/* Sets lm_weights.by_plan. */
int lm_weights_made(latmc_lattice *lattice, int made);

#endif
