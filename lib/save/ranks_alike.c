/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/save/ranks_alike.h"

#include "lib/lattice/need.h"
#include "lib/save/save.h"

latmc_status lm_ranks_alike(const latmc_lattice *lattice)
{
    if (lm_ranks_count(lattice->ranks) > 1)
        lm_settings_give(lattice);
    return lm_everywhere(lattice, LATMC_OK);
}
