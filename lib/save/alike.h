/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what ranks were told. */
#ifndef LM_ALIKE_H
#define LM_ALIKE_H

#include "lib/lattice/lattice.h"

/* LATMC_ERROR_STATE if ranks have other settings than others, or were given
 * other arguments. Nothing is looked at where there are no ranks. */
latmc_status lm_ranks_alike(const latmc_lattice *lattice);

#endif
