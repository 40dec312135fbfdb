/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/measure/planes.h"

#include <stdlib.h>
#include <string.h>

#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"
#include "lib/physics/geometry.h"
#include "lib/base/status.h"
#include "lib/geometry/waves.h"

static latmc_status take_sums(lm_planes *planes, const char *caller)
{
    const int64_t all = planes->begin[planes->dims];

    planes->sums = lm_zeroed(caller, "the sums of planes", all, sizeof *planes->sums);
    planes->terms = lm_unset(caller, "the terms of waves", all, sizeof *planes->terms);
    return planes->sums && planes->terms ? LATMC_OK : LATMC_ERROR_MEMORY;
}

latmc_status lm_planes_open(lm_planes *planes, const latmc_lattice *lattice, const char *caller,
                            int of_pairs)
{
    *planes = (lm_planes){.dims = lattice->dims};
    for (int a = 0; a < lattice->dims; a++)
        planes->begin[a + 1] = planes->begin[a] + lattice->extents[a];
    planes->wave = lm_unset(caller, "cosines and sines", planes->begin[lattice->dims],
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

/* Spins of whole rows. */
static void add_rows(lm_planes *planes, const latmc_lattice *lattice, lm_chunk rows,
                     const int8_t *spins)
{
    const int64_t extent = lattice->extents[0];
    int64_t x[LATMC_MAX_DIMS] = {0};

    for (int64_t r = 0; r < rows.count; r++, spins += extent) {
        int64_t total = 0;

        for (int64_t i = 0; i < extent; i++) {
            planes->sums[i] = planes->sums[i] + spins[i];
            total += spins[i];
        }
        lm_coordinates(rows.first + r, 1, lattice->dims, lattice->extents, x);
        lm_planes_add(planes, x, (double)total);
    }
}

/* ---- of a lattice whose sites are spins */

enum { COUNTED = 1 << 18 }; /* planes of replicas that a device counts at once, some megabytes */

struct lm_plane_waves {
    lm_planes planes;
    double *waves; /* [replica][axis][2] */
    int64_t room;  /* of a chunk of rows: */
    int8_t *spins;
    int64_t *up, at_once; /* of so many replicas; 0: they have too many planes */
};

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

    return planes > LM_MOST_PLANES ? 0 : fit < lattice->replicas ? fit : lattice->replicas;
}

static latmc_status open_waves(latmc_lattice *lattice, const char *caller, int64_t room)
{
    struct lm_plane_waves *w = lm_zeroed(caller, "the waves of planes", 1, sizeof *w);
    latmc_status status = w ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (status)
        return status;
    lattice->plane_waves = w;
    w->room = room;
    status = lm_planes_open(&w->planes, lattice, caller, 0);
    if (!status)
        w->waves = lm_zeroed(caller, "the waves of planes", lattice->replicas,
                             2 * (size_t)lattice->dims * sizeof *w->waves);
    if (w->waves)
        w->spins = lm_unset(caller, "some rows of sites", room, 1);
    w->at_once = replicas_at_once(lattice);
    if (w->spins)
        w->up = lm_unset(caller, "spins by planes", w->at_once * w->planes.begin[lattice->dims],
                         sizeof *w->up);
    if (w->up)
        return LATMC_OK;
    lm_plane_waves_free(lattice);
    return LATMC_ERROR_MEMORY;
}

/* Cosines take long to make: they stay from measurement to measurement. */
latmc_status lm_plane_waves_prepare(latmc_lattice *lattice, const char *caller)
{
    const int64_t room = lm_chunk_rows(lattice) * lm_row_numbers(lattice);

    if (lattice->plane_waves && lattice->plane_waves->room >= room)
        return LATMC_OK;
    lm_plane_waves_free(lattice);
    return open_waves(lattice, caller, room);
}

static latmc_status sum_replica(const latmc_lattice *lattice, const char *caller, int64_t replica)
{
    struct lm_plane_waves *w = lattice->plane_waves;
    lm_planes *planes = &w->planes;
    latmc_status status = LATMC_OK;

    memset(planes->sums, 0, (size_t)planes->begin[planes->dims] * sizeof *planes->sums);
    for (lm_chunk c = {0}; !status && lm_next_rows(lattice, &c);) {
        status = lm_get_rows(lattice, caller, replica, c, w->spins);
        if (!status)
            add_rows(planes, lattice, c, w->spins);
    }
    if (!status)
        lm_planes_end(planes, w->waves + 2 * lattice->dims * replica);
    return status;
}

/* The plan that has a replica, and all that it has. */
static lm_lot lot_of(const latmc_lattice *lattice, int64_t replica)
{
    const lm_plan plan = lattice->place.plan;

    return plan.ops && plan.ops->lot
               ? plan.ops->lot(plan.self, replica)
               : (lm_lot){.ops = plan.ops, .self = plan.self, .count = lattice->replicas};
}

/* Whether it counts spins by planes. */
static int has_planes(const latmc_lattice *lattice, const lm_lot *lot)
{
    return lot->ops && lot->ops->spin_planes && lattice->plane_waves->at_once &&
           lm_all_planes(lattice->dims, lattice->extents) <= lot->ops->most_planes;
}

/* A replica's waves from its spins +1: a spin is -1 where it is not +1. */
static void take_counts(latmc_lattice *lattice, int64_t replica, const int64_t *up)
{
    struct lm_plane_waves *w = lattice->plane_waves;

    for (int a = 0; a < lattice->dims; a++) {
        const int64_t all = lattice->sites / lattice->extents[a];

        for (int64_t x = w->planes.begin[a]; x < w->planes.begin[a + 1]; x++)
            w->planes.sums[x] = (double)(2 * up[x] - all);
    }
    lm_planes_end(&w->planes, w->waves + 2 * lattice->dims * replica);
}

static latmc_status measure_counted(latmc_lattice *lattice, const char *caller, const lm_lot *lot)
{
    struct lm_plane_waves *w = lattice->plane_waves;
    latmc_status status = LATMC_OK;

    for (lm_chunk some = {0}; !status && lm_next_chunk(&some, lot->count, w->at_once);) {
        status =
            lm_fail_in(caller, lot->ops->spin_planes(lot->self, some.first, some.count, w->up));
        for (int64_t i = 0; i < some.count && !status; i++)
            take_counts(lattice, lot->first + some.first + i,
                        w->up + i * w->planes.begin[lattice->dims]);
    }
    return status;
}

/* Some replicas from number `first` on, that a plan has or none: *next is the one after them. What
 * a device has no memory for is made of rows. */
static latmc_status measure_some(latmc_lattice *lattice, const char *caller, int64_t first,
                                 int64_t *next)
{
    const lm_lot lot = lot_of(lattice, first);
    const int counts = has_planes(lattice, &lot);
    const lm_message before = lm_message_now();
    latmc_status status = counts ? measure_counted(lattice, caller, &lot) : LATMC_OK;

    *next = lot.ops ? lot.first + lot.count : first + 1;
    if (counts && status != LATMC_ERROR_DEVICE_MEMORY)
        return status;
    if (counts)
        lm_message_again(&before);
    status = LATMC_OK;
    for (int64_t r = first; r < *next && !status; r++)
        status = sum_replica(lattice, caller, r);
    return status;
}

latmc_status lm_plane_waves_measure(latmc_lattice *lattice, const char *caller)
{
    latmc_status status = lm_plane_waves_prepare(lattice, caller);

    for (int64_t next = 0; next < lattice->replicas && !status;)
        status = measure_some(lattice, caller, next, &next);
    return status;
}

const double *lm_plane_waves_of(const latmc_lattice *lattice, int64_t replica)
{
    return lattice->plane_waves ? lattice->plane_waves->waves + 2 * lattice->dims * replica : NULL;
}
