/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/slabs.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/status.h"
#include "lib/tiles.h"
#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"

/* ---- which slabs there can be */

latmc_status lm_slab_check(const lm_spec *spec)
{
    if (spec->dims == 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "chains cannot be cut in slabs");
    if (spec->layers < spec->reach)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "a slab of %lld layer is too thin; its neighbours need %d",
                       (long long)spec->layers, spec->reach);
    return LATMC_OK;
}

/* Is there a tile's begin, or the lattice's end, at this layer? Otherwise the one before it. */
static int64_t cut_before(const lm_tiles *t, int axis, int64_t layer)
{
    int64_t k = t->count[axis];
    while (lm_tile_begin(t, axis, k) > layer)
        k--;
    return lm_tile_begin(t, axis, k);
}

latmc_status lm_slab_serves(const lm_spec *spec, int update)
{
    const int axis = spec->dims - 1;
    const lm_tiles t = lm_tiles_of(spec);
    const int64_t ends[2] = {spec->first_layer, spec->first_layer + spec->layers};

    for (int i = 0; i < 2 && spec->tiled >> update & 1; i++) {
        const int64_t cut = cut_before(&t, axis, ends[i]);

        if (cut != ends[i])
            return lm_fail(
                LATMC_ERROR_ARGUMENT,
                "layers %lld to %lld cut a tile of this update; slabs must begin and end "
                "where tiles do, the last time before at %lld",
                (long long)ends[0], (long long)ends[1] - 1, (long long)cut);
    }
    return LATMC_OK;
}

latmc_status lm_slab_need(const lm_spec *spec, int64_t first_row, int64_t rows)
{
    const int cut = spec->dims - 1; /* the axis that slabs are cut along */
    int64_t layer = 1;

    for (int a = 1; a < cut; a++)
        layer *= spec->extents[a];
    if (first_row >= (cut ? spec->first_layer * layer : 0) && rows >= 0 &&
        first_row + rows <= (cut ? (spec->first_layer + spec->layers) * layer : 1))
        return LATMC_OK;
    return lm_fail(LATMC_ERROR_ARGUMENT, "rows %lld to %lld are not all in this slab",
                   (long long)first_row, (long long)(first_row + rows - 1));
}

/* ---- boundary layers on their way */

static char *halo_of(const lm_slabs *s, int slab, lm_side side)
{
    return s->halos + (size_t)(2 * slab + (int)side) * s->bytes;
}

/* All slabs are here: what has come for a side is what the neighbour sent from its other side. */
static latmc_status local_begin(void *self, int slab, lm_side side, const void *halo, size_t bytes)
{
    (void)self, (void)slab, (void)side, (void)halo, (void)bytes;
    return LATMC_OK;
}

static latmc_status local_end(void *self, int slab, lm_side side, void *halo, size_t bytes)
{
    const lm_slabs *s = self;
    const int next = side == LM_LOWER ? slab + s->count - 1 : slab + 1;

    memcpy(halo, halo_of(s, next % s->count, side == LM_LOWER ? LM_UPPER : LM_LOWER), bytes);
    return LATMC_OK;
}

static latmc_status send(lm_slabs *s, int slab)
{
    const lm_plan p = s->plans[slab];
    latmc_status status = LATMC_OK;

    for (int side = 0; side < 2 && !status; side++) {
        char *halo = halo_of(s, slab, (lm_side)side);

        status = p.ops->slabs->pack(p.self, (lm_side)side, halo);
        if (!status)
            status = s->transport.begin(s->transport.self, slab, (lm_side)side, halo, s->bytes);
    }
    return status;
}

static latmc_status receive(lm_slabs *s, int slab)
{
    const lm_plan p = s->plans[slab];
    char *const halo = halo_of(s, s->count, LM_LOWER);
    latmc_status status = LATMC_OK;

    for (int side = 0; side < 2 && !status; side++) {
        status = s->transport.end(s->transport.self, slab, (lm_side)side, halo, s->bytes);
        if (!status)
            status = p.ops->slabs->unpack(p.self, (lm_side)side, halo);
    }
    return status;
}

latmc_status lm_slabs_exchange(lm_slabs *slabs)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < slabs->count && !status; i++)
        status = send(slabs, i);
    for (int i = 0; i < slabs->count && !status; i++)
        status = receive(slabs, i);
    return status;
}

latmc_status lm_slabs_join(lm_slabs *slabs, const lm_plan *plans, const lm_spec *specs, int count,
                           lm_transport transport)
{
    latmc_status status;

    *slabs = (lm_slabs){.count = count, .plans = plans, .specs = specs, .transport = transport};
    slabs->bytes = plans[0].ops->slabs->halo_bytes(plans[0].self);
    slabs->halos =
        lm_zeroed(NULL, "the boundary layers of slabs", 2 * count + 1, (int64_t)slabs->bytes);
    if (!slabs->halos)
        return LATMC_ERROR_MEMORY;
    if (!transport.begin)
        slabs->transport = (lm_transport){slabs, local_begin, local_end};
    status = lm_slabs_exchange(slabs);
    if (status)
        lm_slabs_part(slabs);
    return status;
}

void lm_slabs_part(lm_slabs *slabs)
{
    free(slabs->halos);
    *slabs = (lm_slabs){.count = 0};
}

/* ---- sweeps */

static latmc_status update(const lm_slabs *s, int slab, const lm_job *job, int64_t step, int phase,
                           lm_part part)
{
    const lm_plan p = s->plans[slab];

    return p.ops->slabs->update(p.self, job->update, step, phase, part);
}

/* Boundary layers are on their way while what lies between them is updated. */
static latmc_status sweep_phase(lm_slabs *s, const lm_job *job, int64_t step, int phase)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < s->count && !status; i++) {
        status = update(s, i, job, step, phase, LM_BOUNDARY);
        if (!status)
            status = send(s, i);
    }
    for (int i = 0; i < s->count && !status; i++)
        status = update(s, i, job, step, phase, LM_BULK);
    for (int i = 0; i < s->count && !status; i++)
        status = receive(s, i);
    return status;
}

static latmc_status sweep(lm_slabs *s, const lm_job *job, int64_t step)
{
    const lm_slab_ops *ops = s->plans[0].ops->slabs;
    const int phases = ops->phases(s->plans[0].self, job->update);
    latmc_status status = LATMC_OK;

    for (int i = 0; i < s->count && !status; i++)
        status = ops->begin(s->plans[i].self, job->update);
    for (int phase = 0; phase < phases && !status; phase++)
        status = sweep_phase(s, job, step, phase);
    return status;
}

latmc_status lm_slabs_sweep(lm_slabs *slabs, const lm_job *job)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < slabs->count && !status; i++)
        status = lm_slab_serves(&slabs->specs[i], job->update);
    for (int64_t k = 0; k < job->sweeps && !status; k++)
        status = sweep(slabs, job, job->step + k);
    return status;
}

/* ---- sums */

static const char slab_sums[] = "the sums of slabs";

/* Whole numbers: those of the slabs added, changes among them. */
static latmc_status add_slabs(const lm_slabs *s, unsigned groups, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int each = lm_spec_sums(spec);
    double *part = lm_zeroed(NULL, slab_sums, spec->replicas * each, sizeof *part);
    latmc_status status = part ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int i = 0; i < s->count && !status; i++) {
        status = lm_plan_measure(s->plans[i], groups, part);
        for (int g = 0; g < spec->groups && !status; g++)
            for (int64_t r = 0; r < spec->replicas && groups >> g & 1; r++)
                for (int k = spec->group_begin[g]; k < spec->group_begin[g + 1]; k++)
                    sums[r * each + k] = part[r * each + k] + (i ? sums[r * each + k] : 0.0);
    }
    free(part);
    return status;
}

/* A slab's sums to their places among the lattice's: all[replica][k][layer of the lattice]. */
static latmc_status take_layers(const lm_slabs *s, int slab, unsigned groups, double *all)
{
    const lm_plan p = s->plans[slab];
    const lm_spec *spec = &s->specs[slab];
    const int64_t sums = spec->replicas * lm_spec_sums(spec);
    double *part = lm_zeroed(NULL, slab_sums, sums * spec->layers, sizeof *part);
    latmc_status status = part ? p.ops->slabs->sums(p.self, groups, part) : LATMC_ERROR_MEMORY;

    for (int64_t i = 0; i < sums && !status; i++)
        memcpy(all + i * spec->extents[spec->dims - 1] + spec->first_layer, part + i * spec->layers,
               (size_t)spec->layers * sizeof *part);
    free(part);
    return status;
}

/* The groups of sites, folded over the layers. */
static latmc_status fold_layers(const lm_slabs *s, unsigned groups, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int each = lm_spec_sums(spec);
    const int64_t layers = spec->extents[spec->dims - 1];
    double *all = lm_zeroed(NULL, slab_sums, spec->replicas * each * layers, sizeof *all);
    latmc_status status = all ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int i = 0; i < s->count && !status; i++)
        status = take_layers(s, i, groups, all);
    for (int g = 0; g < spec->groups && !status; g++)
        for (int64_t r = 0; r < spec->replicas && groups >> g & 1; r++)
            for (int k = spec->group_begin[g]; k < spec->group_begin[g + 1]; k++)
                sums[r * each + k] = lm_sums_tree(all + (r * each + k) * layers, layers);
    free(all);
    return status;
}

/* Counts are whole numbers, which doubles add exactly. */
static latmc_status share_of_changes(const lm_slabs *s, double *sums)
{
    const lm_spec *spec = &s->specs[0];
    const int each = lm_spec_sums(spec);
    double *counted = lm_zeroed(NULL, slab_sums, 3 * spec->replicas, sizeof *counted);
    double *const offers = counted + spec->replicas, *const total = offers + spec->replicas;
    latmc_status status = counted ? LATMC_OK : LATMC_ERROR_MEMORY;

    for (int i = 0; i < s->count && !status; i++) {
        status = s->plans[i].ops->slabs->changes(s->plans[i].self, counted, offers);
        for (int64_t r = 0; r < spec->replicas && !status; r++)
            total[r] += counted[r];
    }
    for (int64_t r = 0; r < spec->replicas && !status; r++)
        sums[(r + 1) * each - 1] = offers[r] > 0.0 ? total[r] / offers[r] : 0.0;
    free(counted);
    return status;
}

latmc_status lm_slabs_measure(const lm_slabs *slabs, unsigned groups, double *sums)
{
    const unsigned changes = lm_changes_of(&slabs->specs[0]);
    latmc_status status = LATMC_OK;

    if (!slabs->plans[0].ops->slabs->sums)
        return add_slabs(slabs, groups, sums);
    if (groups & ~changes)
        status = fold_layers(slabs, groups & ~changes, sums);
    if (groups & changes && !status)
        status = share_of_changes(slabs, sums);
    return status;
}
