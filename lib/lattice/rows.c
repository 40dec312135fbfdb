/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/rows.h"

#include "lib/base/status.h"
#include "lib/divide/workers.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_leaves.h"

latmc_status lm_get_rows(const latmc_lattice *lattice, const char *caller, int64_t replica,
                         lm_chunk rows, void *sites)
{
    const lm_plan plan = lattice->home.plan;
    const int64_t width = lm_row_numbers(lattice);
    lm_leaves leaves;

    if (plan.ops)
        return lm_fail_in(caller,
                          plan.ops->get_sites(plan.self, replica, rows.first, rows.count, sites));
    /* The sites were checked when they were loaded. */
    leaves = lm_leaves_of_sites(lattice);
    lm_leaves_decode(&leaves, lattice->home.held + replica * lm_trunk_bytes(&leaves),
                     rows.first * width, rows.count * width, lattice->type->decode, sites);
    return LATMC_OK;
}

/* Returns the crossing of a batch of the lattice's own numbers in host memory. */
static lm_crossing crossing_of(const latmc_lattice *lattice, const lm_batch *batch)
{
    const int64_t row = lm_row_numbers(lattice) * lattice->type->entry.bytes;
    const int64_t layer = lm_layer_rows(lattice);

    return (lm_crossing){.workers = lm_workers,
                         .share = lm_workers_share,
                         .bits = 8 * lattice->type->entry.bytes,
                         .replica = batch->replica,
                         .replicas = batch->replicas,
                         .first_row = batch->rows.first,
                         .rows = batch->rows.count,
                         .layer_rows = layer,
                         .layer_bytes = layer * row,
                         .pitch = batch->rows.count * row};
}

/* A batch that ends within a layer has rows of one replica. */
static int has_layers(const latmc_lattice *lattice, const lm_batch *batch)
{
    const int64_t layer = lm_layer_rows(lattice);

    return batch->rows.first % layer == 0 && batch->rows.count % layer == 0;
}

latmc_status lm_get_batch(const latmc_lattice *lattice, const char *caller, const lm_batch *batch,
                          void *sites)
{
    const lm_plan plan = lattice->home.plan;
    lm_crossing c = crossing_of(lattice, batch);
    latmc_status status = LATMC_OK;

    c.out = sites;
    if (plan.ops && has_layers(lattice, batch))
        return lm_fail_in(caller, lm_plan_cross(plan, &c));
    for (int64_t i = 0; i < batch->replicas && !status; i++)
        status = lm_get_rows(lattice, caller, batch->replica + i, batch->rows,
                             (char *)sites + i * c.pitch);
    return status;
}

latmc_status lm_put_batch(const latmc_lattice *lattice, const char *caller, lm_plan to,
                          const lm_batch *batch, const void *sites)
{
    lm_crossing c = crossing_of(lattice, batch);

    c.in = sites;
    return lm_fail_in(caller, has_layers(lattice, batch)
                                  ? lm_plan_cross(to, &c)
                                  : to.ops->put_sites(to.self, batch->replica, batch->rows.first,
                                                      batch->rows.count, sites));
}
