/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the operations of plans on a field of any model. */
#include "backends/cpu/field/plan.h"

#include <string.h>

#include "lib/divide/slabs.h"

static void set_threads(void *plan, int threads)
{
    ((lm_field_plan *)plan)->threads = threads;
}

static latmc_status start(void *plan, latmc_start_mode mode)
{
    lm_field_plan *p = plan;
    const lm_field_map *map = &p->layout.map;
    const int64_t first = p->spec.first_layer * lm_row_stride(map->extents, map->dims - 1);
    for (int64_t r = 0; r < p->spec.replicas; r++) {
        p->lane->start(map, lm_field_of(p, r), lm_choices_at_start(&p->spec, mode), &p->keys,
                       lm_group_low(p->spec.first_replica + r), first,
                       p->sites / p->spec.extents[0]);
        p->stale[r] = 1;
        p->counted[r] = 0;
    }
    return LATMC_OK;
}

static latmc_status put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              const void *sites)
{
    lm_field_plan *p = plan;
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    if (status)
        return status;
    p->lane->moves.put(&p->layout.map, lm_field_of(p, replica), first_row, rows, sites);
    p->stale[replica] = 1;
    return LATMC_OK;
}

static latmc_status get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                              void *sites)
{
    const lm_field_plan *p = plan;
    const latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    if (!status)
        p->lane->get(&p->layout.map, lm_field_of(p, replica), first_row, rows, sites);
    return status;
}

/* Copies what replicas have besides sites. What lies beyond the nodes is stale in all replicas
 * from now on if it is stale in one of them. */
static void copy_states(const lm_cpu_copies *c, lm_field_plan *p)
{
    int stale = 0;
    for (int64_t r = 0; r < c->replicas; r++)
        stale |= p->stale[r];
    memset(p->stale, stale, (size_t)c->replicas);
    lm_cpu_copy_numbers(c, &p->room, p->counted, 1);
    lm_cpu_copy_reals(c, &p->room, p->offers);
}

static latmc_status copy(void *plan, const int64_t *from)
{
    lm_field_plan *p = plan;
    const int64_t bytes = lm_field_numbers(p) * (int64_t)p->bytes;
    const lm_cpu_copies c = {.units = p->fields,
                             .count = p->spec.replicas,
                             .pitch = bytes,
                             .bytes = bytes,
                             .replicas = p->spec.replicas,
                             .per_word = 1,
                             .from = from};
    const latmc_status status = lm_cpu_copy(&c, &p->room, p->threads);
    if (!status && from)
        copy_states(&c, p);
    return status;
}

const lm_plan_ops lm_field_ops = {
    .close = lm_field_close,
    .set_threads = set_threads,
    .read_at_once = 1,
    .put_parameters = lm_field_put_parameters,
    .sketch = lm_field_sketch,
    .start = start,
    .put_sites = put_sites,
    .get_sites = get_sites,
    .copy = copy,
    .put_values = lm_field_put_values,
    .run = lm_field_run,
    .prepare = lm_field_prepare,
    .slabs = &lm_field_slab_ops,
};
