/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/rows.h"

#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/leaves_of.h"

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

latmc_status lm_get_batch(const latmc_lattice *lattice, const char *caller, const lm_batch *batch,
                          void *sites)
{
    const lm_plan plan = lattice->home.plan;
    const lm_batch one = {0, 1, batch->rows};
    const int64_t each = lm_batch_numbers(lattice, &one) * lattice->type->entry.bytes;
    latmc_status status = LATMC_OK;

    if (plan.ops && plan.ops->get_replicas && batch->replicas > 1)
        return lm_fail_in(
            caller, plan.ops->get_replicas(plan.self, batch->replica, batch->replicas, sites));
    for (int64_t i = 0; i < batch->replicas && !status; i++)
        status =
            lm_get_rows(lattice, caller, batch->replica + i, batch->rows, (char *)sites + i * each);
    return status;
}

latmc_status lm_put_batch(const latmc_lattice *lattice, const char *caller, lm_plan to,
                          const lm_batch *batch, const void *sites)
{
    const lm_batch one = {0, 1, batch->rows};
    const int64_t each = lm_batch_numbers(lattice, &one) * lattice->type->entry.bytes;
    latmc_status status = LATMC_OK;

    if (to.ops->put_replicas && batch->replicas > 1)
        return lm_fail_in(caller,
                          to.ops->put_replicas(to.self, batch->replica, batch->replicas, sites));
    for (int64_t i = 0; i < batch->replicas && !status; i++)
        status = lm_fail_in(caller,
                            to.ops->put_sites(to.self, batch->replica + i, batch->rows.first,
                                              batch->rows.count, (const char *)sites + i * each));
    return status;
}
