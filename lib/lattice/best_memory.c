/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/best_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_leaves.h"

static void restart(const latmc_lattice *lattice, lm_best *best)
{
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    for (int64_t r = 0; r < lattice->replicas; r++) {
        best->energies[r] = (double)NAN;
        best->sweeps[r] = -1;
    }
    memset(best->sites, 0, (size_t)(leaves.trunks * lm_trunk_bytes(&leaves)));
}

void lm_best_restart(latmc_lattice *lattice)
{
    if (lattice->best.energies)
        restart(lattice, &lattice->best);
}

void lm_best_free(lm_best *best)
{
    free(best->energies);
    free(best->sweeps);
    free(best->sites);
    free(best->numbers);
    free(best->sums);
    *best = (lm_best){0};
}

latmc_status lm_best_make(const latmc_lattice *lattice, const char *caller, lm_best *best)
{
    const char *const what = "the best sites of all replicas";
    const lm_leaves leaves = lm_leaves_of_sites(lattice);
    const int64_t replicas = lattice->replicas;

    if (!lm_model_need(lattice->model, LATMC_OBSERVABLES, LATMC_ENERGY, caller))
        return LATMC_ERROR_UNKNOWN;
    best->energies = lm_zeroed(caller, what, replicas, sizeof *best->energies);
    best->sweeps = lm_zeroed(caller, what, replicas, sizeof *best->sweeps);
    best->sites = lm_zeroed(caller, what, replicas, (size_t)lm_trunk_bytes(&leaves));
    best->numbers =
        lm_zeroed(caller, what, lm_replica_numbers(lattice), (size_t)lattice->type->entry.bytes);
    best->sums = lm_zeroed(caller, what, lm_sums_count(lattice), sizeof *best->sums);
    if (best->energies && best->sweeps && best->sites && best->numbers && best->sums) {
        restart(lattice, best);
        return LATMC_OK;
    }
    lm_best_free(best);
    return LATMC_ERROR_MEMORY;
}
