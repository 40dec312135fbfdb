/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/planes.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/geometry/waves.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_chunks.h"

#include "lib/physics/sums.h"

static latmc_status take_sums(lm_planes *planes, const char *caller)
{
    const int64_t all = planes->begin[planes->dims];

    planes->sums = lm_zeroed(caller, "the sums of planes", all, sizeof *planes->sums);
    planes->terms = lm_unzeroed(caller, "the terms of waves", all, sizeof *planes->terms);
    return planes->sums && planes->terms ? LATMC_OK : LATMC_ERROR_MEMORY;
}

latmc_status lm_planes_open(lm_planes *planes, const latmc_lattice *lattice, const char *caller,
                            int of_pairs)
{
    *planes = (lm_planes){.dims = lattice->dims};
    for (int a = 0; a < lattice->dims; a++)
        planes->begin[a + 1] = planes->begin[a] + lattice->extents[a];
    planes->wave = lm_unzeroed(caller, "cosines and sines", planes->begin[lattice->dims],
                               2 * sizeof *planes->wave);
    if (!planes->wave || take_sums(planes, caller))
        return LATMC_ERROR_MEMORY;
    for (int a = 0; a < lattice->dims; a++) {
        const int64_t extent = lattice->extents[a];
        const int twice = !of_pairs && lattice->boundaries[a] == LATMC_ANTIPERIODIC;

        lm_waves(twice ? 2 * extent : extent, extent, planes->wave + 2 * planes->begin[a]);
    }
    return LATMC_OK;
}

latmc_status lm_planes_open_beside(lm_planes *planes, const lm_planes *other, const char *caller)
{
    *planes = *other;
    planes->borrows = 1;
    return take_sums(planes, caller);
}

void lm_planes_close(lm_planes *planes)
{
    if (!planes->borrows)
        free(planes->wave);
    free(planes->sums);
    free(planes->terms);
    *planes = (lm_planes){0};
}

void lm_planes_add(lm_planes *planes, const int64_t *x, double total)
{
    for (int a = 1; a < planes->dims; a++) {
        double *const plane = planes->sums + planes->begin[a] + x[a];

        *plane = *plane + total;
    }
}

void lm_planes_end(lm_planes *planes, double *waves)
{
    for (int a = 0; a < planes->dims; a++)
        for (int part = 0; part < 2; part++) {
            const int64_t extent = planes->begin[a + 1] - planes->begin[a];
            const double *sums = planes->sums + planes->begin[a];
            const double *wave = lm_planes_wave(planes, a);

            for (int64_t x = 0; x < extent; x++)
                planes->terms[x] = sums[x] * wave[2 * x + part];
            waves[2 * a + part] = lm_sums_tree(planes->terms, extent);
        }
    memset(planes->sums, 0, (size_t)planes->begin[planes->dims] * sizeof *planes->sums);
}

/* ---- lattices of spins */

/* the most planes of replicas that a device counts at once: some megabytes */
enum { COUNTED = 1 << 18 };

void lm_plane_waves_free(latmc_lattice *lattice)
{
    if (!lattice->plane_waves)
        return;
    lm_planes_close(&lattice->plane_waves->planes);
    free(lattice->plane_waves->waves);
    free(lattice->plane_waves->spins);
    free(lattice->plane_waves->up);
    free(lattice->plane_waves);
    lattice->plane_waves = NULL;
}

static int64_t replicas_at_once(const latmc_lattice *lattice)
{
    const int64_t planes = lm_all_planes(lattice->dims, lattice->extents);
    const int64_t fit = planes < COUNTED ? COUNTED / planes : 1;

    return planes > LM_MAX_PLANES ? 0 : fit < lattice->replicas ? fit : lattice->replicas;
}

static latmc_status open_waves(latmc_lattice *lattice, const char *caller, int64_t capacity)
{
    struct lm_plane_waves *w = lm_zeroed(caller, "the waves of planes", 1, sizeof *w);
    latmc_status status = w ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (status)
        return status;
    lattice->plane_waves = w;
    w->capacity = capacity;
    status = lm_planes_open(&w->planes, lattice, caller, 0);
    if (!status)
        w->waves = lm_zeroed(caller, "the waves of planes", lattice->replicas,
                             2 * (size_t)lattice->dims * sizeof *w->waves);
    if (w->waves)
        w->spins = lm_unzeroed(caller, "some rows of sites", capacity, 1);
    w->at_once = replicas_at_once(lattice);
    if (w->spins)
        w->up = lm_unzeroed(caller, "spins by planes", w->at_once * w->planes.begin[lattice->dims],
                            sizeof *w->up);
    if (w->up)
        return LATMC_OK;
    lm_plane_waves_free(lattice);
    return LATMC_ERROR_MEMORY;
}

/* Cosines are slow to compute, so they are kept between measurements. */
latmc_status lm_plane_waves_prepare(latmc_lattice *lattice, const char *caller)
{
    const int64_t capacity = lm_chunk_rows(lattice) * lm_row_numbers(lattice);

    if (lattice->plane_waves && lattice->plane_waves->capacity >= capacity)
        return LATMC_OK;
    lm_plane_waves_free(lattice);
    return open_waves(lattice, caller, capacity);
}

const double *lm_plane_waves_of(const latmc_lattice *lattice, int64_t replica)
{
    return lattice->plane_waves ? lattice->plane_waves->waves + 2 * lattice->dims * replica : NULL;
}
