/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/changed.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/lattice/derived.h"

void lm_changed_take(latmc_lattice *lattice, const double *sums)
{
    const int k = lm_sums_of(lattice);

    for (int64_t r = 0; r < lattice->replicas; r++)
        lattice->changed[r] = sums[r * k + k - 1];
    lattice->changed_pending = 0;
}

latmc_status lm_changed_fetch(latmc_lattice *lattice, const char *caller)
{
    double *sums;
    latmc_status status;

    if (!lattice->changed_pending)
        return LATMC_OK;
    sums = lm_zeroed(caller, "a measurement", lm_sums_count(lattice), sizeof *sums);
    if (!sums)
        return LATMC_ERROR_MEMORY;
    status = lm_fail_in(
        caller, lm_plan_measure(lattice->home.plan, lm_model_changes(lattice->model), sums));
    if (!status)
        lm_changed_take(lattice, sums);
    free(sums);
    return status;
}
