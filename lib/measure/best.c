/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps each replica's sites of lowest energy among those that were looked at. They are in host
 * memory, in their saved form. */
#include "lib/measure/best.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/chunk.h"
#include "lib/base/floats.h"
#include "lib/base/status.h"
#include "lib/lattice/best_memory.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/leaves_of.h"
#include "lib/lattice/need.h"
#include "lib/lattice/rows.h"
#include "lib/measure/reading.h"
#include "lib/measure/sites.h"

static const latmc_quantity energy_per_site = LATMC_QUANTITY(LATMC_ENERGY);

unsigned lm_best_bundles(const latmc_lattice *lattice)
{
    return lattice->best.energies
               ? lm_bundles_in_use(
                     lattice,
                     lm_thing_find(lattice->model, LATMC_OBSERVABLES, LATMC_ENERGY)->bundles)
               : 0;
}

/* Returns whether an energy is lower than the best one. Every number is lower than none, which is a
 * NaN. A NaN is never lower. */
static int is_better(double energy, double best)
{
    return energy < best || (isnan(best) && !isnan(energy));
}

latmc_status lm_best_look(latmc_lattice *lattice, const char *caller, const double *sums)
{
    lm_best *best = &lattice->best;
    const lm_leaves leaves = lm_leaves_of_sites(lattice);

    for (int64_t r = 0; best->energies && r < lattice->replicas; r++) {
        const double energy =
            lm_value_of(lattice, &energy_per_site, r, sums + r * lm_sums_of(lattice));
        latmc_status status;

        if (!is_better(energy, best->energies[r]))
            continue;
        status = lm_get_rows(lattice, caller, r, (lm_chunk){0, lattice->rows}, best->numbers);
        if (status)
            return status;
        lm_leaves_encode(&leaves, best->numbers, leaves.numbers,
                         best->sites + r * lm_trunk_bytes(&leaves));
        best->energies[r] = energy;
        best->sweeps[r] = lattice->sweeps;
    }
    return LATMC_OK;
}

latmc_status lm_best_measure(latmc_lattice *lattice, const char *caller)
{
    double *sums = lattice->best.sums;
    latmc_status status;

    if (!sums)
        return LATMC_OK;
    /* idle bundles are not measured */
    memset(sums, 0, (size_t)lm_sums_count(lattice) * sizeof *sums);
    status =
        lm_fail_in(caller, lm_plan_measure(lattice->home.plan, lm_best_bundles(lattice), sums));
    return status ? status : lm_best_look(lattice, caller, sums);
}

/* ---- the public calls */

latmc_status latmc_keep_best(latmc_lattice *lattice, int32_t keep)
{
    latmc_status status = lm_need_started(lattice, __func__);
    lm_best best = {0};

    if (!status && keep != 0 && keep != 1)
        status =
            lm_fail(LATMC_ERROR_ARGUMENT, "%s: keep is %d; 0 and 1 are allowed", __func__, keep);
    if (!status)
        lm_given_integer(lattice->ranks, "keep", keep);
    if (!status && keep)
        status = lm_best_make(lattice, __func__, &best);
    status = lm_everywhere(lattice, status);
    if (status) {
        lm_best_free(&best);
        return status;
    }
    lm_best_free(&lattice->best);
    lattice->best = best;
    return LATMC_OK;
}

static latmc_status need_best(const latmc_lattice *lattice, const char *caller)
{
    const latmc_status status = lm_need(lattice, caller);

    if (status || lattice->best.energies)
        return status;
    return lm_fail(LATMC_ERROR_STATE, "%s: no best sites are kept; call latmc_keep_best() first",
                   caller);
}

latmc_status latmc_get_best(const latmc_lattice *lattice, double *energies, int64_t *sweeps)
{
    const latmc_status status = need_best(lattice, __func__);

    if (status)
        return status;
    if (!energies && !sweeps)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: all arrays are NULL; at least one is needed",
                       __func__);
    for (int64_t r = 0; r < lattice->replicas; r++) {
        if (energies)
            energies[r] = lattice->best.energies[r];
        if (sweeps)
            sweeps[r] = lattice->best.sweeps[r];
    }
    return LATMC_OK;
}

/* Decodes a replica's best sites. */
static void decode(const latmc_lattice *lattice, int64_t replica, latmc_type type, void *sites)
{
    const lm_leaves leaves = lm_leaves_of_sites(lattice);
    const latmc_type own = (latmc_type)lattice->type->entry.id;
    const int64_t count = lm_replica_numbers(lattice);
    void *const to = type == own ? sites : lattice->best.numbers;

    lm_leaves_decode(&leaves, lattice->best.sites + replica * lm_trunk_bytes(&leaves), 0, count,
                     lattice->type->decode, to);
    if (type != own)
        lm_convert_sites(to, own, sites, count);
}

static latmc_status need_compared(const latmc_lattice *lattice, const char *caller, lm_chunk of)
{
    for (int64_t r = of.first; r < of.first + of.count; r++)
        if (lattice->best.sweeps[r] < 0)
            return lm_fail(LATMC_ERROR_STATE,
                           "%s: no state of replica %" PRId64
                           " was compared since latmc_keep_best() or latmc_start(); sweep first",
                           caller, r);
    return LATMC_OK;
}

latmc_status latmc_get_best_sites(latmc_lattice *lattice, int64_t first, int64_t replicas,
                                  latmc_type type, void *sites, size_t bytes)
{
    LM_FLOATS;
    const lm_sites asked = {{first, replicas}, type, bytes};
    const size_t each = replicas > 0 ? bytes / (size_t)replicas : 0;
    latmc_status status = need_best(lattice, __func__);

    if (!status)
        status = lm_check_sites(lattice, __func__, &asked, sites);
    if (!status)
        status = need_compared(lattice, __func__, asked.of);
    for (int64_t i = 0; !status && sites && i < replicas; i++)
        decode(lattice, first + i, type, (char *)sites + (size_t)i * each);
    return status;
}
