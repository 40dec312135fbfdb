/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/pending.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/bonds.h"
#include "lib/lattice/derived.h"

latmc_status lm_pending_fetch_state(latmc_lattice *lattice, const char *caller)
{
    const lm_plan plan = lattice->home.plan;
    latmc_status status;

    if (!lattice->pending.state_ahead)
        return LATMC_OK;
    status = lm_fail_in(caller, plan.ops->exchanged(plan.self, lattice->slots));
    lattice->pending.state_ahead = status != LATMC_OK;
    return status;
}

/* Returns all parameters of a step's sweeps. The step's own arguments replace the lattice's
 * parameters of the same name. */
static const double *values_of(const latmc_lattice *lat, int step, double *values)
{
    const lm_list *list = lm_list_of(lat->model, LATMC_PARAMS);
    const lm_step_arguments *own = &lat->rounds.own[step];

    memcpy(values, lat->params, (size_t)(list->count * lat->replicas) * sizeof *values);
    for (int64_t k = 0; k < own->count; k++) {
        const int64_t p = lm_list_find(list, (int)own->params[k]) - list->entries;

        for (int64_t r = 0; r < lat->replicas; r++)
            values[p * lat->replicas + r] = own->values[k];
    }
    return values;
}

/* Tells the plan all of its parameters, or the slots alone. */
static latmc_status tell(const latmc_lattice *lat, int all, int step, double *values)
{
    const lm_plan plan = lat->home.plan;
    const lm_parameters parameters = {.values =
                                          step < 0 ? lat->params : values_of(lat, step, values),
                                      .slots = lat->slots,
                                      .ladder = lm_ladder_slots(lat, lat->replicas),
                                      .type_coupling = lat->type_couplings,
                                      .loose = lat->loose};

    return all ? plan.ops->put_parameters(plan.self, &parameters)
               : lm_plan_put_slots(plan, &parameters);
}

latmc_status lm_pending_send(latmc_lattice *lattice, const char *caller, int step, double *values)
{
    lm_pending *pending = &lattice->pending;
    const int all = pending->params || pending->step != step;
    latmc_status status;

    if (!all && !pending->slots)
        return LATMC_OK;
    status = lm_pending_fetch_state(lattice, caller);
    if (status)
        return status;
    if (pending->params && lm_representation_of(lattice)->kept == LM_IN_WORDS)
        lm_bonds_find_loose(lattice, lattice->loose);
    /* If this fails some of a lattice's slabs may have them and others not. */
    pending->params = 1;
    status = lm_fail_in(caller, tell(lattice, all, step, values));
    if (status)
        return status;
    pending->params = pending->slots = 0;
    pending->step = step;
    return LATMC_OK;
}

void lm_pending_take_changed(latmc_lattice *lattice, const double *sums)
{
    const int k = lm_sums_of(lattice);

    for (int64_t r = 0; r < lattice->replicas; r++)
        lattice->changed[r] = sums[r * k + k - 1];
    lattice->pending.changed = 0;
}

latmc_status lm_pending_fetch_changed(latmc_lattice *lattice, const char *caller)
{
    double *sums;
    latmc_status status;

    if (!lattice->pending.changed)
        return LATMC_OK;
    sums = lm_zeroed(caller, "a measurement", lm_sums_count(lattice), sizeof *sums);
    if (!sums)
        return LATMC_ERROR_MEMORY;
    status = lm_fail_in(
        caller, lm_plan_measure(lattice->home.plan, lm_model_changes(lattice->model), sums));
    if (!status)
        lm_pending_take_changed(lattice, sums);
    free(sums);
    return status;
}
