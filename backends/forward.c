/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/forward.h"

static const lm_backend *table_of(const void *plan)
{
    return ((const lm_plan_head *)plan)->table;
}

void lm_forward_close(void *plan)
{
    if (plan)
        table_of(plan)->close(plan);
}

void lm_forward_set_threads(void *plan, int threads)
{
    table_of(plan)->set_threads(plan, threads);
}

latmc_status lm_forward_put_bonds(void *plan, int axis, int64_t first_row, int64_t rows,
                                  const int8_t *bonds)
{
    return table_of(plan)->put_bonds(plan, axis, first_row, rows, bonds);
}

latmc_status lm_forward_put_parameters(void *plan, const lm_parameters *parameters)
{
    return table_of(plan)->put_parameters(plan, parameters);
}

latmc_status lm_forward_start(void *plan, latmc_start_mode mode)
{
    return table_of(plan)->start(plan, mode);
}

latmc_status lm_forward_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                  const void *sites)
{
    return table_of(plan)->put_sites(plan, replica, first_row, rows, sites);
}

latmc_status lm_forward_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                  void *sites)
{
    return table_of(plan)->get_sites(plan, replica, first_row, rows, sites);
}

latmc_status lm_forward_sweep(void *plan, const lm_job *job)
{
    return table_of(plan)->sweep(plan, job);
}

latmc_status lm_forward_measure(void *plan, double *sums)
{
    return table_of(plan)->measure(plan, sums);
}

latmc_status lm_forward_record(void *plan, const lm_job *job, int64_t records, int accepted,
                               double *sums)
{
    return table_of(plan)->record(plan, job, records, accepted, sums);
}

latmc_status lm_forward_wait(void *plan)
{
    return table_of(plan)->wait(plan);
}

int lm_forward_colours(const void *plan)
{
    return table_of(plan)->colours(plan);
}

size_t lm_forward_halo_bytes(const void *plan)
{
    return table_of(plan)->halo_bytes(plan);
}

latmc_status lm_forward_update(void *plan, latmc_update update, int64_t step, int colour,
                               lm_part part)
{
    return table_of(plan)->update(plan, update, step, colour, part);
}

latmc_status lm_forward_pack(void *plan, lm_side side, void *halo)
{
    return table_of(plan)->pack(plan, side, halo);
}

latmc_status lm_forward_unpack(void *plan, lm_side side, const void *halo)
{
    return table_of(plan)->unpack(plan, side, halo);
}
