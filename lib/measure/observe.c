/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring now. */
#include <stdlib.h>

#include "lib/measure/course.h"
#include "lib/base/floats.h"
#include "lib/lattice/lattice.h"
#include "lib/base/status.h"

int64_t lm_sums_count(const latmc_lattice *lattice)
{
    return lattice->replicas * lm_sums_of(lattice);
}

lm_reading lm_reading_of(const latmc_lattice *lattice, const double *params, const double *sums)
{
    return (lm_reading){.dims = lattice->dims,
                        .options = lattice->options,
                        .components = lm_components_of(lattice),
                        .sites = (double)lattice->sites,
                        .axis_coupling = lattice->axis_couplings,
                        .params = params,
                        .sums = sums,
                        .kept = lm_representation_of(lattice)->kept};
}

lm_reading lm_reading_at(const latmc_lattice *lattice, int64_t replica, const double *params,
                         const double *sums)
{
    lm_reading in = lm_reading_of(lattice, params, sums);

    in.replica = replica;
    in.slot = lattice->slots[replica];
    in.waves = lm_plane_waves_of(lattice, replica);
    return in;
}

double lm_value_of(const latmc_lattice *lattice, const lm_entry *observable, int64_t replica,
                   const double *sums)
{
    double params[LM_MAX_PARAMS];

    lm_params_of(lattice, lattice->slots[replica], params);
    return lm_entry_value(observable, lm_reading_at(lattice, replica, params, sums));
}

/*
 * Some groups of the sums of all replicas; the caller frees them. What the last sweep changed is
 * known to the device that did it, until it is first asked; then to the lattice, which also
 * survives a move and a save.
 */
static latmc_status measure(latmc_lattice *lattice, const char *caller, unsigned groups,
                            double **sums)
{
    const unsigned changes = groups & lm_model_changes(lattice->model);
    const unsigned planes = groups & lm_representation_of(lattice)->by_planes;
    const unsigned asked = (lattice->changed_pending ? groups : groups & ~changes) & ~planes;
    const int k = lm_sums_of(lattice);
    double *taken = lm_zeroed(caller, "a measurement", lm_sums_count(lattice), sizeof *taken);
    latmc_status status = taken ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (!status && asked)
        status = lm_course_settle(lattice, caller);
    if (!status && asked)
        status = lm_fail_in(caller, lm_plan_measure(lattice->place.plan, asked, taken));
    if (!status && planes)
        status = lm_plane_waves_measure(lattice, caller);
    if (status) {
        free(taken);
        return status;
    }
    for (int64_t r = 0; r < lattice->replicas && changes; r++)
        if (lattice->changed_pending)
            lattice->changed[r] = taken[r * k + k - 1];
        else
            taken[r * k + k - 1] = lattice->changed[r];
    if (changes)
        lattice->changed_pending = 0;
    *sums = taken;
    return LATMC_OK;
}

latmc_status lm_fetch_changed(latmc_lattice *lattice, const char *caller)
{
    double *sums = NULL;
    latmc_status status = LATMC_OK;

    if (lattice->changed_pending)
        status = measure(lattice, caller, lm_model_changes(lattice->model), &sums);
    free(sums);
    return status;
}

/* Has some slot, now or later, or some site a field? */
static int in_fields(const latmc_lattice *lattice)
{
    const lm_list *params = lm_list_of(lattice->model, LATMC_PARAMS);
    int any = lm_kinds_of(lattice).site_fields;

    for (int p = 0; p < params->count; p++)
        if (params->entries[p].id == LATMC_FIELD) {
            any |= lattice->ramps[p].sweeps > 0;
            for (int64_t s = 0; s < lattice->replicas; s++)
                any |= lattice->params[p * lattice->replicas + s] != 0.0;
        }
    return any;
}

unsigned lm_groups_in_use(const latmc_lattice *lattice, unsigned groups)
{
    const lm_model *model = lattice->model;

    return model->idle_groups
               ? groups & ~model->idle_groups(lattice->options, lattice->dims, in_fields(lattice))
               : groups;
}

latmc_status lm_groups_of(const latmc_lattice *lattice, const char *caller, int count,
                          const latmc_observable *observables, unsigned *groups)
{
    unsigned all = 0;

    for (int o = 0; o < count; o++) {
        const lm_entry *entry =
            lm_model_need(lattice->model, LATMC_OBSERVABLES, (int)observables[o], caller);

        if (!entry)
            return LATMC_ERROR_UNKNOWN;
        all |= entry->groups;
    }
    *groups = lm_groups_in_use(lattice, all);
    return LATMC_OK;
}

static latmc_status observe(latmc_lattice *lattice, const char *caller, int count,
                            const latmc_observable *observables, double *values)
{
    unsigned groups;
    double *sums;
    latmc_status status;
    int k;

    if (!observables || !values)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       observables ? "values" : "observables");
    if (count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %d; it must be at least 1", caller,
                       count);
    status = lm_groups_of(lattice, caller, count, observables, &groups);
    if (status)
        return status;
    lm_given_integer(lattice->ranks, "count", count);
    lm_given_array(lattice->ranks, "observables", observables, (size_t)count * sizeof *observables);
    status = lm_ranks_alike(lattice);
    if (!status)
        status = measure(lattice, caller, groups, &sums);
    if (status)
        return status;
    k = lm_sums_of(lattice);
    for (int o = 0; o < count; o++) {
        const lm_entry *entry =
            lm_thing_find(lattice->model, LATMC_OBSERVABLES, (int)observables[o]);

        for (int64_t i = 0; i < lattice->replicas; i++) {
            const int64_t r = lm_replica_at(lattice, i);

            values[o * lattice->replicas + i] = lm_value_of(lattice, entry, r, sums + r * k);
        }
    }
    free(sums);
    return LATMC_OK;
}

latmc_status latmc_observe(latmc_lattice *lattice, int count, const latmc_observable *observables,
                           double *values)
{
    LM_FLOATS;
    const latmc_status status = lm_need_started(lattice, __func__);

    return status ? status
                  : lm_everywhere(lattice, observe(lattice, __func__, count, observables, values));
}
