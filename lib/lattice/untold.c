/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/untold.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/bonds.h"
#include "lib/lattice/derived.h"

latmc_status lm_untold_state(latmc_lattice *lattice, const char *caller)
{
    const lm_plan plan = lattice->home.plan;
    latmc_status status;

    if (!lattice->untold.state_ahead)
        return LATMC_OK;
    status = lm_fail_in(caller, plan.ops->exchanged(plan.self, lattice->slots));
    lattice->untold.state_ahead = status != LATMC_OK;
    return status;
}

latmc_status lm_untold_settle(latmc_lattice *lattice, const char *caller, int step,
                              const double *values)
{
    const lm_plan plan = lattice->home.plan;
    lm_untold *untold = &lattice->untold;
    const int all = untold->params || untold->step != step;
    const lm_parameters parameters = {.values = values,
                                      .slots = lattice->slots,
                                      .type_coupling = lattice->type_couplings,
                                      .loose = lattice->loose};
    latmc_status status = lm_untold_state(lattice, caller);

    if (status)
        return status;
    if (untold->params && lm_representation_of(lattice)->kept == LM_IN_WORDS)
        lm_bonds_find_loose(lattice, lattice->loose);
    /* If this fails some of a lattice's slabs may have them and others not. */
    untold->params = 1;
    status = all ? plan.ops->put_parameters(plan.self, &parameters)
                 : lm_plan_put_slots(plan, &parameters);
    if (status)
        return lm_fail_in(caller, status);
    untold->params = untold->slots = 0;
    untold->step = step;
    return LATMC_OK;
}

void lm_untold_take_changed(latmc_lattice *lattice, const double *sums)
{
    const int k = lm_sums_of(lattice);

    for (int64_t r = 0; r < lattice->replicas; r++)
        lattice->changed[r] = sums[r * k + k - 1];
    lattice->untold.changed = 0;
}

latmc_status lm_untold_changed(latmc_lattice *lattice, const char *caller)
{
    double *sums;
    latmc_status status;

    if (!lattice->untold.changed)
        return LATMC_OK;
    sums = lm_zeroed(caller, "a measurement", lm_sums_count(lattice), sizeof *sums);
    if (!sums)
        return LATMC_ERROR_MEMORY;
    status = lm_fail_in(
        caller, lm_plan_measure(lattice->home.plan, lm_model_changes(lattice->model), sums));
    if (!status)
        lm_untold_take_changed(lattice, sums);
    free(sums);
    return status;
}
