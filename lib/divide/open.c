/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the plan of a lattice: on one device, as slabs or as lots of replicas. */
#include "lib/divide/pieces.h"

latmc_status lm_pieces_open(const lm_where *where, const lm_spec *spec, const lm_division *division,
                            lm_ranks *ranks, lm_plan *plan)
{
    if (division->kind == LATMC_DIVIDE_SLABS)
        return lm_cut_open(where, spec, division, ranks, plan);
    if (division->kind == LATMC_DIVIDE_REPLICAS)
        return lm_deal_open(where, spec, division, ranks, plan);
    return lm_plan_open(where->devices[0]->backend, spec, where->devices[0]->index, plan);
}
