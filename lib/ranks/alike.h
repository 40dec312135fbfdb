/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the settings and arguments of ranks. */
#ifndef LM_ALIKE_H
#define LM_ALIKE_H

#include "lib/lattice/need.h"
#include "lib/save/save.h"

/* Returns LATMC_ERROR_STATE if ranks have different settings, or were given different arguments.
 * Without ranks it compares nothing. */
static inline latmc_status lm_ranks_alike(const latmc_lattice *lattice)
{
    lm_give_settings(lattice);
    return lm_everywhere(lattice, LATMC_OK);
}

#endif
