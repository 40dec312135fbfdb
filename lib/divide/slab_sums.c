/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures a lattice in slabs. */
#include <string.h>

#include "lib/divide/slabs.h"
#include "lib/physics/sums.h"

static int64_t sums_of(const lm_spec *spec)
{
    return spec->replicas * lm_spec_sums(spec);
}

/* Computes to[i] += from[i] for some bundles. */
static void add(const lm_spec *spec, unsigned bundles, const double *from, double *to)
{
    const int each = lm_spec_sums(spec);

    for (int g = 0; g < spec->bundles; g++)
        for (int64_t r = 0; r < spec->replicas && bundles >> g & 1; r++)
            for (int k = spec->bundle_begin[g]; k < spec->bundle_begin[g + 1]; k++)
                to[r * each + k] += from[r * each + k];
}

/* Sets some bundles to 0. It does not write other bundles. */
static void clear(const lm_spec *spec, unsigned bundles, double *sums)
{
    const int each = lm_spec_sums(spec);

    for (int g = 0; g < spec->bundles; g++)
        for (int64_t r = 0; r < spec->replicas && bundles >> g & 1; r++)
            for (int k = spec->bundle_begin[g]; k < spec->bundle_begin[g + 1]; k++)
                sums[r * each + k] = 0.0;
}

/* Adds the slabs' sums, with their changes. They are whole numbers, so doubles add them exactly. */
static void add_slabs(lm_slabs *s, unsigned bundles, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int64_t n = sums_of(spec), ranks = lm_ranks_count(s->ranks);
    double *const part = s->sums, *const all = part + n;
    double *const own = all + lm_ranks_own(s->ranks) * n;

    clear(spec, bundles, own);
    for (int i = 0; i < s->count && !s->failed; i++) {
        lm_slabs_keep(s, lm_plan_measure(s->plans[i], bundles, part));
        add(spec, bundles, part, own);
    }
    lm_slabs_keep(s, lm_ranks_share(s->ranks, all, (size_t)n * sizeof *all));
    clear(spec, bundles, sums);
    for (int64_t r = 0; r < ranks; r++)
        add(spec, bundles, all + r * n, sums);
}

/* Folds the sums of sites over the layers. Slabs write their sums one after another,
 * [replica][k][layer of the slab]. The function then orders them as [replica][k][layer]. */
static void fold_layers(lm_slabs *s, unsigned bundles, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int each = lm_spec_sums(spec);
    const int64_t layers = spec->extents[spec->dims - 1], n = sums_of(spec);
    double *const parts = s->sums, *const all = parts + n * layers;

    for (int i = 0; i < s->count && !s->failed; i++)
        lm_slabs_keep(s, s->plans[i].ops->slabs->sums(s->plans[i].self, bundles,
                                                      parts + n * s->specs[i].first_layer));
    lm_slabs_keep(s,
                  lm_ranks_gather(s->ranks, parts, s->layers.of_rank, (size_t)n * sizeof *parts));
    for (int k = 0; k < s->layers.slabs; k++)
        for (int64_t i = 0, first = s->layers.begin[k], own = s->layers.begin[k + 1] - first; i < n;
             i++)
            memcpy(all + i * layers + first, parts + n * first + i * own,
                   (size_t)own * sizeof *all);
    for (int g = 0; g < spec->bundles; g++)
        for (int64_t r = 0; r < spec->replicas && bundles >> g & 1; r++)
            for (int k = spec->bundle_begin[g]; k < spec->bundle_begin[g + 1]; k++)
                sums[r * each + k] = lm_sums_tree(all + (r * each + k) * layers, layers);
}

/* Counts are whole numbers, too. */
static void share_of_changes(lm_slabs *s, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int64_t replicas = spec->replicas, ranks = lm_ranks_count(s->ranks);
    const int each = lm_spec_sums(spec);
    double *const counted = s->sums, *const offers = counted + replicas,
                  *const all = offers + replicas;
    double *const own = all + lm_ranks_own(s->ranks) * replicas;

    memset(own, 0, (size_t)replicas * sizeof *own);
    memset(offers, 0, (size_t)replicas * sizeof *offers);
    for (int i = 0; i < s->count && !s->failed; i++) {
        lm_slabs_keep(s, s->plans[i].ops->slabs->changes(s->plans[i].self, counted, offers));
        for (int64_t r = 0; r < replicas; r++)
            own[r] += counted[r];
    }
    lm_slabs_keep(s, lm_ranks_share(s->ranks, all, (size_t)replicas * sizeof *all));
    for (int64_t r = 0; r < replicas; r++) {
        double total = 0.0;

        for (int64_t i = 0; i < ranks; i++)
            total += all[i * replicas + r];
        sums[(r + 1) * each - 1] = offers[r] > 0.0 ? total / offers[r] : 0.0;
    }
}

latmc_status lm_slabs_measure(lm_slabs *slabs, unsigned bundles, double *sums)
{
    const unsigned changes = lm_changes_of(&slabs->specs[0]);

    if (bundles & ~changes)
        lm_slabs_refresh(slabs);
    if (!slabs->plans[0].ops->slabs->sums) {
        add_slabs(slabs, bundles, sums);
        return slabs->failed;
    }
    if (bundles & ~changes)
        fold_layers(slabs, bundles & ~changes, sums);
    if (bundles & changes)
        share_of_changes(slabs, sums);
    return slabs->failed;
}
