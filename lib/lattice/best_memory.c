/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/best_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_leaves.h"

static void forget(const latmc_lattice *lattice, lm_best *best, int64_t replica)
{
    const lm_leaves leaves = lm_leaves_of_sites(lattice);
    const int64_t bytes = lm_trunk_bytes(&leaves);

    best->energies[replica] = (double)NAN;
    best->sweeps[replica] = -1;
    best->hamiltonians[replica] = 0;
    memset(best->sites + replica * bytes, 0, (size_t)bytes);
}

void lm_best_forget(latmc_lattice *lattice, int64_t replica)
{
    forget(lattice, &lattice->best, replica);
}

void lm_best_restart(latmc_lattice *lattice)
{
    for (int64_t r = 0; lattice->best.energies && r < lattice->replicas; r++)
        lm_best_forget(lattice, r);
}

void lm_best_free(lm_best *best)
{
    free(best->energies);
    free(best->sweeps);
    free(best->hamiltonians);
    free(best->sites);
    free(best->numbers);
    free(best->sums);
    free(best->now);
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
    best->hamiltonians = lm_zeroed(caller, what, replicas, sizeof *best->hamiltonians);
    best->sites = lm_zeroed(caller, what, replicas, (size_t)lm_trunk_bytes(&leaves));
    best->numbers =
        lm_zeroed(caller, what, lm_replica_numbers(lattice), (size_t)lattice->type->entry.bytes);
    if (best->energies && best->sweeps && best->hamiltonians && best->sites && best->numbers) {
        for (int64_t r = 0; r < replicas; r++)
            forget(lattice, best, r);
        return LATMC_OK;
    }
    lm_best_free(best);
    return LATMC_ERROR_MEMORY;
}

latmc_status lm_best_make_sums(const latmc_lattice *lattice, const char *caller, lm_best *best)
{
    const char *const what = "the energies of all replicas";

    best->sums = lm_zeroed(caller, what, lm_sums_count(lattice), sizeof *best->sums);
    best->now = lm_zeroed(caller, what, lattice->replicas, sizeof *best->now);
    return best->sums && best->now ? LATMC_OK : LATMC_ERROR_MEMORY;
}
