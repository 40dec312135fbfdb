/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring now. */
#include <math.h>
#include <stdlib.h>

#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"

int64_t lm_sums_count(const latmc_lattice *lattice)
{
    return lattice->replicas * lattice->model->sums(lattice->dims);
}

double lm_value_of(const latmc_lattice *lattice, const lm_entry *observable, int64_t replica,
                   const double *sums)
{
    double value, params[LM_MAX_PARAMS];
    const lm_reading reading = {.dims = lattice->dims,
                                .sites = (double)lattice->sites,
                                .axis_coupling = lattice->axis_couplings,
                                .params = params,
                                .sums = sums,
                                .which = observable->which};

    lm_params_of(lattice, replica, params);
    value = observable->observe(&reading);
    if (observable->power >= 2)
        value = value * value;
    if (observable->power == 4)
        value = value * value;
    return observable->modulus ? fabs(value) : value;
}

/*
 * The sums of all replicas; the caller frees them. What the last sweep changed is known to
 * the device that did it, until it is first asked; then to the lattice, which also
 * survives a move and a save.
 */
static latmc_status measure(latmc_lattice *lattice, const char *caller, double **sums)
{
    const int k = lattice->model->sums(lattice->dims);
    const int64_t count = lm_sums_count(lattice);
    double *taken = lm_zeroed(caller, "a measurement", count, sizeof *taken);
    latmc_status status;

    if (!taken)
        return LATMC_ERROR_MEMORY;
    status = lm_place_settle(lattice, caller);
    if (!status)
        status = lm_fail_in(caller, lm_plan_measure(lattice->place.plan, taken));
    if (status) {
        free(taken);
        return status;
    }
    for (int64_t r = 0; r < lattice->replicas; r++)
        if (lattice->changed_pending)
            lattice->changed[r] = taken[r * k + k - 1];
        else
            taken[r * k + k - 1] = lattice->changed[r];
    lattice->changed_pending = 0;
    *sums = taken;
    return LATMC_OK;
}

latmc_status lm_fetch_changed(latmc_lattice *lattice, const char *caller)
{
    double *sums = NULL;
    latmc_status status = LATMC_OK;

    if (lattice->changed_pending)
        status = measure(lattice, caller, &sums);
    free(sums);
    return status;
}

latmc_status latmc_observe(latmc_lattice *lattice, latmc_observable observable, double *values)
{
    LM_FLOATS;
    const lm_entry *entry;
    double *sums;
    latmc_status status = lm_need_started(lattice, __func__);

    if (status)
        return status;
    if (!values)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: values is NULL", __func__);
    entry = lm_model_need(lattice->model, LATMC_OBSERVABLES, (int)observable, __func__);
    if (!entry)
        return LATMC_ERROR_UNKNOWN;
    status = measure(lattice, __func__, &sums);
    if (status)
        return status;
    for (int64_t r = 0; r < lattice->replicas; r++)
        values[r] = lm_value_of(lattice, entry, r, sums + r * lattice->model->sums(lattice->dims));
    free(sums);
    return LATMC_OK;
}
