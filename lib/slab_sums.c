/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of a lattice in slabs. */
#include <string.h>

#include "lib/slabs.h"
#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"

/* Whole numbers: those of the slabs added, changes among them. */
static latmc_status add_slabs(const lm_slabs *s, unsigned groups, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int each = lm_spec_sums(spec);
    double *const part = s->sums;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < s->count && !status; i++) {
        status = lm_plan_measure(s->plans[i], groups, part);
        for (int g = 0; g < spec->groups && !status; g++)
            for (int64_t r = 0; r < spec->replicas && groups >> g & 1; r++)
                for (int k = spec->group_begin[g]; k < spec->group_begin[g + 1]; k++)
                    sums[r * each + k] = part[r * each + k] + (i ? sums[r * each + k] : 0.0);
    }
    return status;
}

/* A slab's sums to their places among the lattice's: all[replica][k][layer of the lattice]. */
static latmc_status take_layers(const lm_slabs *s, int slab, unsigned groups)
{
    const lm_plan p = s->plans[slab];
    const lm_spec *spec = &s->specs[slab];
    const int64_t sums = spec->replicas * lm_spec_sums(spec);
    const int64_t layers = spec->extents[spec->dims - 1];
    double *const all = s->sums, *const part = all + sums * layers;
    const latmc_status status = p.ops->slabs->sums(p.self, groups, part);

    for (int64_t i = 0; i < sums && !status; i++)
        memcpy(all + i * layers + spec->first_layer, part + i * spec->layers,
               (size_t)spec->layers * sizeof *part);
    return status;
}

/* The groups of sites, folded over the layers. */
static latmc_status fold_layers(const lm_slabs *s, unsigned groups, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int each = lm_spec_sums(spec);
    const int64_t layers = spec->extents[spec->dims - 1];
    latmc_status status = LATMC_OK;

    for (int i = 0; i < s->count && !status; i++)
        status = take_layers(s, i, groups);
    for (int g = 0; g < spec->groups && !status; g++)
        for (int64_t r = 0; r < spec->replicas && groups >> g & 1; r++)
            for (int k = spec->group_begin[g]; k < spec->group_begin[g + 1]; k++)
                sums[r * each + k] = lm_sums_tree(s->sums + (r * each + k) * layers, layers);
    return status;
}

/* Counts are whole numbers, which doubles add exactly. */
static latmc_status share_of_changes(const lm_slabs *s, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int each = lm_spec_sums(spec);
    double *const counted = s->sums, *const offers = counted + spec->replicas;
    latmc_status status = LATMC_OK;

    for (int i = 0; i < s->count && !status; i++) {
        status = s->plans[i].ops->slabs->changes(s->plans[i].self, counted, offers);
        for (int64_t r = 0; r < spec->replicas && !status; r++) {
            double *const total = &sums[(r + 1) * each - 1];

            *total = counted[r] + (i ? *total : 0.0);
        }
    }
    for (int64_t r = 0; r < spec->replicas && !status; r++) {
        double *const total = &sums[(r + 1) * each - 1];

        *total = offers[r] > 0.0 ? *total / offers[r] : 0.0;
    }
    return status;
}

latmc_status lm_slabs_measure(lm_slabs *slabs, unsigned groups, double *sums)
{
    const unsigned changes = lm_changes_of(&slabs->specs[0]);
    latmc_status status = groups & ~changes ? lm_slabs_refresh(slabs) : LATMC_OK;

    if (!status && !slabs->plans[0].ops->slabs->sums)
        return add_slabs(slabs, groups, sums);
    if (!status && groups & ~changes)
        status = fold_layers(slabs, groups & ~changes, sums);
    if (!status && groups & changes)
        status = share_of_changes(slabs, sums);
    return status;
}
