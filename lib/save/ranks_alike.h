/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the settings and arguments of ranks. */
#ifndef LM_RANKS_ALIKE_H
#define LM_RANKS_ALIKE_H

#include "lib/lattice/lattice.h"

/* Returns LATMC_ERROR_STATE if ranks have different settings, or were given different arguments.
 * Without ranks it compares nothing. */
latmc_status lm_ranks_alike(const latmc_lattice *lattice);

#endif
