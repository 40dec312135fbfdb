/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures quantities of the present sites. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/floats.h"
#include "lib/base/memory.h"
#include "lib/base/ranks.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/home.h"
#include "lib/lattice/need.h"
#include "lib/lattice/pending.h"
#include "lib/measure/quantity.h"
#include "lib/measure/reading.h"
#include "lib/ranks/alike.h"
#include "lib/settings/slots.h"
#include "lib/sums/row_sums.h"

/* Opens the plan if there is none, and gives it the parameters: sums may depend on the bond types'
 * couplings. */
static latmc_status open_plan(latmc_lattice *lattice, const char *caller)
{
    const latmc_status status = lm_home_to_device(lattice, caller);

    return status || !lattice->pending.params ? status : lm_pending_send(lattice, caller, -1, NULL);
}

/*
 * Measures some bundles of the sums of all replicas. The caller frees them. The bundle of
 * changes comes from the device until it is first asked for. After that it comes from the lattice,
 * where it also survives a move and a save.
 */
static latmc_status measure(latmc_lattice *lattice, const char *caller, unsigned bundles,
                            double **sums)
{
    const unsigned changes = bundles & lm_model_changes(lattice->model);
    const unsigned own = lm_row_sums(lattice, bundles);
    const unsigned asked = (lattice->pending.changed ? bundles : bundles & ~changes) & ~own;
    const int k = lm_sums_of(lattice);
    double *taken = lm_zeroed(caller, "a measurement", lm_sums_count(lattice), sizeof *taken);
    latmc_status status = taken ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (!status && asked)
        status = open_plan(lattice, caller);
    if (!status && asked)
        status = lm_fail_in(caller, lm_plan_measure(lattice->home.plan, asked, taken));
    if (!status && own)
        status = lm_row_sums_measure(lattice, caller, own);
    if (status) {
        free(taken);
        return status;
    }
    if (changes && lattice->pending.changed)
        lm_pending_take_changed(lattice, taken);
    for (int64_t r = 0; r < lattice->replicas && changes; r++)
        taken[r * k + k - 1] = lattice->changed[r];
    *sums = taken;
    return LATMC_OK;
}

/* Checks what is asked for, and finds the bundles for it. */
static latmc_status check(const latmc_lattice *lattice, const char *caller, latmc_order order,
                          int64_t count, const latmc_quantity *quantities, const double *values,
                          unsigned *bundles)
{
    latmc_status status = lm_order_check(lattice, caller, (int64_t)order);

    if (status)
        return status;

    if (!quantities || !values)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       quantities ? "values" : "quantities");
    if (count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: quantity_count is %" PRId64 "; it must be at least 1", caller, count);
    status = lm_quantities_need(lattice, caller, LATMC_OBSERVABLES, count, quantities, bundles);
    *bundles = lm_bundles_in_use(lattice, *bundles);
    if (status)
        return status;
    lm_given_integer(lattice->ranks, "quantity_count", count);
    lm_given_array(lattice->ranks, "quantities", quantities, (size_t)count * sizeof *quantities);
    return LATMC_OK;
}

static latmc_status observe(latmc_lattice *lattice, const char *caller, latmc_order order,
                            int64_t count, const latmc_quantity *quantities, double *values)
{
    const int k = lm_sums_of(lattice);
    unsigned bundles = 0;
    double *sums;
    latmc_status status = check(lattice, caller, order, count, quantities, values, &bundles);

    if (!status)
        status = lm_ranks_alike(lattice);
    if (!status)
        status = measure(lattice, caller, bundles, &sums);
    if (status)
        return status;
    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < lattice->replicas; i++) {
            const int64_t r = lm_replica_at(lattice, order == LATMC_BY_SLOT, i);

            values[q * lattice->replicas + i] =
                lm_quantity_value(lattice, &quantities[q], r, sums + r * k);
        }
    free(sums);
    return LATMC_OK;
}

latmc_status latmc_observe(latmc_lattice *lattice, latmc_order order, int64_t quantity_count,
                           const latmc_quantity *quantities, double *values)
{
    LM_FLOATS;
    const latmc_status status = lm_need_started(lattice, __func__);

    return status ? status
                  : lm_everywhere(lattice, observe(lattice, __func__, order, quantity_count,
                                                   quantities, values));
}
