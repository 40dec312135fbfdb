/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of a field in and out, and the first configuration. */
#include "backends/cpu/field/plan.h"

latmc_status lm_field_start(void *plan, latmc_start_mode mode)
{
    lm_field_plan *p = plan;
    for (int64_t r = 0; r < p->spec.replicas; r++) {
        p->lane->start(&p->layout_of[r]->map, lm_field_of(p, r), mode == LATMC_START_HOT, &p->keys,
                       (uint32_t)(p->spec.first_replica + r), 0, p->sites / p->spec.extents[0]);
        p->stale[r] = 1;
        p->counted[r] = 0;
    }
    return LATMC_OK;
}

latmc_status lm_field_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                const void *sites)
{
    lm_field_plan *p = plan;
    p->lane->put(&p->layout_of[replica]->map, lm_field_of(p, replica), first_row, rows, sites);
    p->stale[replica] = 1;
    return LATMC_OK;
}

latmc_status lm_field_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                void *sites)
{
    const lm_field_plan *p = plan;
    p->lane->get(&p->layout_of[replica]->map, lm_field_of(p, replica), first_row, rows, sites);
    return LATMC_OK;
}
