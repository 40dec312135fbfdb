/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of sites and of bonds with weights, from rows of sites: doc/trajectory.md, "Weights". */
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/minmax.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/lattice_chunks.h"
#include "lib/settings/weights.h"
#include "lib/sums/adder.h"
#include "lib/sums/row_sums.h"
#include "lib/sums/weight_plans.h"
#include "lib/physics/geometry.h"

/* A sum that takes its numbers in natural order: of the present layer, and of the layers. */
typedef struct layered {
    lm_adder layer, all;
} layered;

typedef struct rows {
    const latmc_lattice *lattice;
    lm_site_array array;
    ptrdiff_t bytes;                  /* of a site */
    int counts[LM_OWNERS];            /* sums of a set: one for each bond type, one for each term */
    int any[LM_OWNERS];               /* whether there are such weights */
    int64_t layer;                    /* sites of a layer */
    int64_t left, block_left;         /* sites left in the present layer, and in its block */
    layered *sums[LATMC_MAX_WEIGHTS]; /* NULL: there is no such set, or its sum is whole */
    int64_t whole[LATMC_MAX_WEIGHTS];
    double *added;    /* buffer: what sites or bonds add, [LM_SUMS_BLOCK] */
    double *weighted; /* buffer: the same times their weights */

    /* the chunk: */
    lm_row_cache *cache;
    int64_t replica, first; /* number of its first site */
    const char *sites;
} rows;

/* ---- what sites and bonds add */

static const char *site_at(const rows *s, int64_t site)
{
    return s->sites + (site - s->first) * s->bytes;
}

static void scale(double *numbers, int64_t count, int factor)
{
    for (int64_t i = 0; i < count && factor != 1; i++)
        numbers[i] = factor * numbers[i];
}

/* Multiplies sites of a row with their neighbours along axis 0. */
static void multiply_along(const rows *s, int64_t site, int64_t x, int64_t count, double *to)
{
    const latmc_lattice *lat = s->lattice;
    const int64_t extent = lat->extents[0], inside = lm_min(count, extent - 1 - x);
    const char *const row = site_at(s, site - x);

    lat->model->products(&s->array, row + x * s->bytes, row + (x + 1) * s->bytes, inside, to);
    if (inside == count)
        return;
    lat->model->products(&s->array, row + (extent - 1) * s->bytes, row, 1, to + inside);
    scale(to + inside, 1, lm_end_factor(lat->boundaries[0]));
}

/* Multiplies sites of a row, from coordinate x on, with their neighbours along another axis. */
static latmc_status multiply_across(const rows *s, int64_t site, int64_t x, int64_t count, int axis,
                                    double *to)
{
    const latmc_lattice *lat = s->lattice;
    const int64_t extent = lat->extents[axis], stride = lm_row_stride(lat->extents, axis);
    const int64_t row = site / lat->extents[0];
    const int last = row / stride % extent == extent - 1;
    const char *here, *above;
    latmc_status status = lm_row_cached(s->cache, s->replica, row, &here); /* stays in the cache */

    if (!status)
        status = lm_row_cached(s->cache, s->replica,
                               row + (last ? stride - stride * extent : stride), &above);
    if (status)
        return status;
    lat->model->products(&s->array, here + x * s->bytes, above + x * s->bytes, count, to);
    scale(to, count, last ? lm_end_factor(lat->boundaries[axis]) : 1);
    return LATMC_OK;
}

/* Writes what the bonds of a type add, from a site on. */
static latmc_status add_bonds(const rows *s, int64_t first, int64_t count, int type)
{
    const int64_t extent = s->lattice->extents[0];
    latmc_status status = LATMC_OK;

    for (int64_t done = 0, some; done < count && !status; done += some) {
        const int64_t site = first + done, x = site % extent;

        some = lm_min(extent - x, count - done);
        if (type == 0)
            multiply_along(s, site, x, some, s->added + done);
        else
            status = multiply_across(s, site, x, some, type, s->added + done);
    }
    return status;
}

static latmc_status add_of(const rows *s, lm_owner owner, int64_t first, int64_t count, int number)
{
    if (owner == LM_OF_BONDS)
        return add_bonds(s, first, count, number);
    s->lattice->model->site_terms(&s->array, site_at(s, first), count, number, s->added);
    return LATMC_OK;
}

/* ---- sums */

/* Returns whether a set exists whose sums are left for the rows. */
static int is_left(const lm_weights *set)
{
    return set->samples && !set->by_plan;
}

/* Whole numbers may be added in any order. Such sums are those of spins with signs. */
static int is_whole(const latmc_lattice *lattice, const lm_weights *set)
{
    return set->as_signs && set->owner == LM_OF_SITES &&
           lattice->model->site_terms == lm_spin_terms;
}

/* Returns the number of the first weight of a replica's sample, for sites or bonds from `first` on.
 */
static int64_t weights_at(const rows *s, const lm_weights *set, int64_t first)
{
    const latmc_lattice *lat = s->lattice;
    const int64_t sample = set->samples == 1 ? 0 : s->replica / (lat->replicas / lat->samples);

    return sample * lm_disorder_each(lat, set->owner) + first;
}

static int64_t whole_sum(const int8_t *weights, const int8_t *spins, int64_t count)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < count; i++)
        sum += weights[i] * spins[i];
    return sum;
}

/* Multiplies by the weights of sites, or of bonds of a type, from a site on. */
static void weigh(const rows *s, const lm_weights *set, int64_t first, int64_t count, int type)
{
    const int64_t at =
        weights_at(s, set, first) + (set->owner == LM_OF_BONDS ? type * lm_cells(s->lattice) : 0);

    if (set->as_signs)
        for (int64_t i = 0; i < count; i++)
            s->weighted[i] = set->signs[at + i] * s->added[i];
    else
        for (int64_t i = 0; i < count; i++)
            s->weighted[i] = set->reals[at + i] * s->added[i];
}

/* Adds sites that follow each other in one block of one layer. */
static latmc_status add_segment(rows *s, lm_owner owner, int64_t first, int64_t count)
{
    latmc_status status = LATMC_OK;

    for (int k = 0; k < s->counts[owner] && !status && s->any[owner]; k++) {
        status = add_of(s, owner, first, count, k);
        for (int i = 0; i < LATMC_MAX_WEIGHTS && !status; i++)
            if (s->sums[i] && s->lattice->weights.set[i].owner == owner) {
                weigh(s, &s->lattice->weights.set[i], first, count, k);
                lm_adder_some(&s->sums[i][k].layer, s->weighted, count);
            }
    }
    return status;
}

/* Adds all sites of the chunk to the whole sums. */
static void add_whole(rows *s, int64_t first, int64_t count)
{
    for (int i = 0; i < s->lattice->weights.most; i++) {
        const lm_weights *set = &s->lattice->weights.set[i];

        if (is_left(set) && is_whole(s->lattice, set))
            for (lm_chunk c = {0}; lm_next_chunk(&c, count, LM_SUMS_BLOCK);)
                s->whole[i] += whole_sum(set->signs + weights_at(s, set, first + c.first),
                                         (const int8_t *)site_at(s, first + c.first), c.count);
    }
}

static int sums_of(const rows *s, int set)
{
    return s->sums[set] ? s->counts[s->lattice->weights.set[set].owner] : 0;
}

static void end_layer(rows *s)
{
    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++)
        for (int k = 0; k < sums_of(s, i); k++)
            lm_adder_one(&s->sums[i][k].all, lm_adder_end(&s->sums[i][k].layer));
    s->left = s->layer;
    s->block_left = LM_SUMS_BLOCK;
}

static latmc_status add_rows(void *self, lm_row_cache *cache, int64_t replica, lm_chunk chunk,
                             const char *sites)
{
    rows *const s = self;
    const int64_t extent = s->lattice->extents[0];
    const int64_t end = (chunk.first + chunk.count) * extent;
    latmc_status status = LATMC_OK;

    s->cache = cache;
    s->replica = replica;
    s->first = chunk.first * extent;
    s->sites = sites;
    add_whole(s, s->first, end - s->first);
    for (int64_t at = s->first, some; at < end && !status; at += some) {
        some = lm_min(end - at, lm_min(s->left, s->block_left));
        for (int owner = 0; owner < LM_OWNERS && !status; owner++)
            status = add_segment(s, (lm_owner)owner, at, some);
        s->left -= some;
        s->block_left = s->block_left > some ? s->block_left - some : LM_SUMS_BLOCK;
        if (s->left == 0)
            end_layer(s);
    }
    return status;
}

/* The sums of bond types are added, and those of terms are not. */
static void end_replica(void *self, int64_t replica)
{
    rows *const s = self;
    double *const to = s->lattice->weights.sums + replica * s->lattice->weights.width;

    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++) {
        const lm_weights *set = &s->lattice->weights.set[i];
        double sum = 0.0;

        if (is_left(set) && is_whole(s->lattice, set)) {
            to[set->first_sum] = (double)s->whole[i];
            s->whole[i] = 0;
        }
        for (int k = 0; k < sums_of(s, i); k++)
            if (set->owner == LM_OF_BONDS)
                to[set->first_sum] = sum = sum + lm_adder_end(&s->sums[i][k].all);
            else
                to[set->first_sum + k] = lm_adder_end(&s->sums[i][k].all);
    }
}

/* ---- memory */

static void close_rows(void *self)
{
    rows *const s = self;

    if (!s)
        return;
    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++)
        free(s->sums[i]);
    free(s->added);
    free(s->weighted);
    free(s);
}

static latmc_status open_sums(rows *s, const char *caller)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < LATMC_MAX_WEIGHTS && !status; i++) {
        const lm_weights *set = &s->lattice->weights.set[i];

        if (!is_left(set) || is_whole(s->lattice, set))
            continue;
        s->any[set->owner] = 1;
        s->sums[i] =
            lm_zeroed(caller, "sums with weights", s->counts[set->owner], sizeof **s->sums);
        status = s->sums[i] ? LATMC_OK : LATMC_ERROR_MEMORY;
    }
    return status;
}

static void *open_rows(const latmc_lattice *lattice, const char *caller)
{
    const int64_t layers = lattice->dims > 1 ? lattice->extents[lattice->dims - 1] : 1;
    rows *const s = lm_zeroed(caller, "sums with weights", 1, sizeof *s);

    if (!s)
        return NULL;
    s->lattice = lattice;
    s->array = lm_site_array_of(lattice);
    s->bytes = s->array.components * lattice->type->entry.bytes;
    s->counts[LM_OF_BONDS] = lm_bond_types(lattice);
    s->counts[LM_OF_SITES] = lm_site_terms_of(lattice);
    s->layer = s->left = lattice->sites / layers;
    s->block_left = LM_SUMS_BLOCK;
    s->added = lm_unzeroed(caller, "what sites add", LM_SUMS_BLOCK, sizeof *s->added);
    s->weighted = lm_unzeroed(caller, "what sites add", LM_SUMS_BLOCK, sizeof *s->weighted);
    if (s->added && s->weighted && !open_sums(s, caller))
        return s;
    close_rows(s);
    return NULL;
}

/* ---- costs */

/* A row and its neighbours above are read together if bonds have weights. */
static int rows_together(const latmc_lattice *lattice)
{
    int together = 1;

    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++)
        if (is_left(&lattice->weights.set[i]) && lattice->weights.set[i].owner == LM_OF_BONDS)
            together = lattice->dims;
    return together;
}

static double time_of(const latmc_lattice *lattice)
{
    double sums = 0.0;

    for (int i = 0; i < LATMC_MAX_WEIGHTS; i++)
        if (is_left(&lattice->weights.set[i]))
            sums += lattice->weights.set[i].owner == LM_OF_BONDS ? lm_bond_types(lattice)
                                                                 : lm_site_terms_of(lattice);
    return (double)lattice->sites * (1.0 + sums);
}

const lm_row_summing lm_weight_summing = {.bundle = LM_WEIGHT_SUMS,
                                          .prepare = lm_weights_prepare,
                                          .ask = lm_weights_ask,
                                          .made = lm_weights_made,
                                          .open = open_rows,
                                          .add = add_rows,
                                          .end = end_replica,
                                          .close = close_rows,
                                          .together = rows_together,
                                          .time = time_of};
