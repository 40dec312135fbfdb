/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/plane_waves.h"

#include <string.h>

#include "lib/base/chunk.h"
#include "lib/base/status.h"
#include "lib/lattice/planes.h"
#include "lib/lattice/rows.h"

#include "lib/physics/geometry.h"

/* Adds the spins of whole rows to the planes. */
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

/* Returns the plan that has a replica, with all replicas of this plan. */
static lm_lot lot_of(const latmc_lattice *lattice, int64_t replica)
{
    const lm_plan plan = lattice->home.plan;

    return plan.ops && plan.ops->lot
               ? plan.ops->lot(plan.self, replica)
               : (lm_lot){.ops = plan.ops, .self = plan.self, .count = lattice->replicas};
}

/* Returns whether the lot's plan counts spins by planes. */
static int has_planes(const latmc_lattice *lattice, const lm_lot *lot)
{
    return lot->ops && lot->ops->spin_planes && lattice->plane_waves->at_once &&
           lm_all_planes(lattice->dims, lattice->extents) <= lot->ops->most_planes;
}

/* Computes a replica's waves from its counts of spins +1. All other spins are -1. */
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

/* Measures some replicas from number `first` on, by a plan that has them or by their rows. *next is
 * the replica after them. If the device lacks memory, rows are used. */
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
