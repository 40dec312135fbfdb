/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/slabs.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/geometry/tiles.h"

/* ---- which slabs there can be */

/* Returns the layer itself if a tile or the lattice's end is there, and otherwise the last such
 * layer before it. */
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
                "between tiles, and the nearest place before is layer %lld",
                (long long)ends[0], (long long)ends[1] - 1, (long long)cut);
    }
    return LATMC_OK;
}

latmc_status lm_slab_need(const lm_spec *spec, int64_t first_row, int64_t rows)
{
    const int cut = spec->dims - 1; /* the axis that slabs divide */
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

/* Outgoing and incoming layers. */
typedef enum direction { OUT, IN } direction;

static char *halo_of(const lm_slabs *s, int slab, direction w, lm_side side)
{
    return s->buffers[slab] + (size_t)(2 * (int)w + (int)side) * s->bytes;
}

/* Returns the buffer for layers from the rank beyond a side. */
static char *incoming(const lm_slabs *s, lm_side side)
{
    return halo_of(s, side == LM_LOWER ? 0 : s->count - 1, IN, side);
}

/* Returns whether the slab beyond a side belongs to another rank. */
static int is_far(const lm_slabs *s, int slab, lm_side side)
{
    return lm_ranks_count(s->ranks) > 1 && slab == (side == LM_LOWER ? 0 : s->count - 1);
}

/* Returns the slab beyond a side, if it is here. */
static int beyond(const lm_slabs *s, int slab, lm_side side)
{
    return (side == LM_LOWER ? slab + s->count - 1 : slab + 1) % s->count;
}

/* The layers that an exchange moves. An exchange of stale halos moves all layers. */
typedef enum extent { CHANGED_BY_PHASE, ALL } extent;

static int is_connected(const lm_slabs *s, int slab, lm_side side)
{
    return s->connected[2 * slab + (int)side];
}

/* These say whether an exchange takes layers from a side, or brings layers there. */
static int sends(const lm_slabs *s, int slab, lm_side side, extent what)
{
    return what == ALL || !is_connected(s, slab, side);
}

static int receives(const lm_slabs *s, int slab, lm_side side, extent what)
{
    return what == ALL || is_far(s, slab, side) ||
           !is_connected(s, beyond(s, slab, side), lm_other_side(side));
}

/* Sends layers to the rank beyond the side, even after a failure. */
static void leave(lm_slabs *s, int slab, lm_side side)
{
    if (is_far(s, slab, side))
        lm_slabs_keep(s, lm_ranks_send(s->ranks, (int)side, halo_of(s, slab, OUT, side),
                                       incoming(s, lm_other_side(side)), s->bytes));
}

/* Packs a side. Layers that are packed at once are sent at once. */
static void pack_side(lm_slabs *s, int slab, lm_side side, extent what)
{
    const lm_plan p = s->plans[slab];

    if (!sends(s, slab, side, what))
        return;
    if (!s->failed)
        lm_slabs_keep(s, p.ops->slabs->pack(p.self, side, halo_of(s, slab, OUT, side)));
    if (!p.ops->slabs->packed)
        leave(s, slab, side);
}

static void pack(lm_slabs *s, int slab, extent what)
{
    pack_side(s, slab, LM_LOWER, what);
    pack_side(s, slab, LM_UPPER, what);
}

/* Sends the other layers when they have been packed. */
static void send(lm_slabs *s, int slab, extent what)
{
    const lm_plan p = s->plans[slab];
    int moves = 0;

    for (int side = LM_LOWER; side <= LM_UPPER; side++)
        moves |= sends(s, slab, (lm_side)side, what) || receives(s, slab, (lm_side)side, what);
    if (!moves || !p.ops->slabs->packed)
        return;
    if (!s->failed)
        lm_slabs_keep(s, p.ops->slabs->packed(p.self));
    for (int side = LM_LOWER; side <= LM_UPPER; side++)
        if (sends(s, slab, (lm_side)side, what))
            leave(s, slab, (lm_side)side);
}

/* Takes a side's halo. The slab beyond the side has sent it from its opposite side. */
static void receive_side(lm_slabs *s, int slab, lm_side side, extent what)
{
    const lm_plan p = s->plans[slab];
    char *const halo = halo_of(s, slab, IN, side);

    if (!receives(s, slab, side, what))
        return;
    if (is_far(s, slab, side))
        lm_slabs_keep(s, lm_ranks_sent(s->ranks, (int)lm_other_side(side)));
    else
        memcpy(halo, halo_of(s, beyond(s, slab, side), OUT, lm_other_side(side)), s->bytes);
    if (!s->failed)
        lm_slabs_keep(s, p.ops->slabs->unpack(p.self, side, halo));
}

/* Sends all packed layers, then takes the halos. */
static void exchange(lm_slabs *s, extent what)
{
    for (int i = 0; i < s->count; i++)
        send(s, i, what);
    for (int i = 0; i < 2 * s->count; i++)
        receive_side(s, i / 2, (lm_side)(i % 2), what);
}

/* Waits until all halos are in place. From then on, neighbours may write to them. */
static void await_halos(lm_slabs *s)
{
    for (int i = 0; i < s->count && !s->failed; i++) {
        const lm_plan p = s->plans[i];

        if (p.ops->slabs->packed)
            lm_slabs_keep(s, p.ops->slabs->packed(p.self));
    }
}

void lm_slabs_begin(lm_slabs *s)
{
    s->failed = LATMC_OK;
}

latmc_status lm_slabs_refresh(lm_slabs *s)
{
    if (!s->stale)
        return s->failed;
    for (int i = 0; i < s->count; i++)
        pack(s, i, ALL);
    exchange(s, ALL);
    await_halos(s);
    s->stale = 0;
    return s->failed;
}

/* ---- joining */

/* Returns the numbers of a measurement. Sums by layer need all layers, twice. Other sums need one
 * slab's, and then each rank's. */
static int64_t room_for_sums(const lm_slabs *s)
{
    const lm_spec *spec = &s->specs[0];
    const int64_t sums = spec->replicas * lm_spec_sums(spec);

    return s->plans[0].ops->slabs->sums ? 2 * sums * spec->extents[spec->dims - 1]
                                        : sums * (1 + lm_ranks_count(s->ranks));
}

static void connect(lm_slabs *s)
{
    for (int i = 0; i < 2 * s->count; i++) {
        const lm_side side = (lm_side)(i % 2);
        const lm_plan p = s->plans[i / 2], peer = s->plans[beyond(s, i / 2, side)];

        s->connected[i] = !is_far(s, i / 2, side) && p.ops == peer.ops && p.ops->slabs->connect &&
                          p.ops->slabs->connect(p.self, side, peer.self);
    }
}

/* Allocates each slab's buffers in the memory that its device prefers. */
static int take_buffers(const lm_slabs *s)
{
    int all = 1;

    for (int i = 0; i < s->count && all; i++) {
        const lm_plan p = s->plans[i];

        s->buffers[i] = p.ops->slabs->take_buffer ? p.ops->slabs->take_buffer(p.self, 4 * s->bytes)
                                                  : lm_zeroed(NULL, "the boundary layers of a slab",
                                                              4, (int64_t)s->bytes);
        all = s->buffers[i] != NULL;
    }
    return all;
}

static void give_buffers(const lm_slabs *s)
{
    for (int i = 0; s->buffers && i < s->count; i++) {
        const lm_plan p = s->plans[i];

        if (s->buffers[i] && p.ops->slabs->give_buffer)
            p.ops->slabs->give_buffer(p.self, s->buffers[i]);
        else
            free(s->buffers[i]);
    }
}

latmc_status lm_slabs_join(lm_slabs *slabs, const lm_plan *plans, const lm_spec *specs, int count,
                           lm_ranks *ranks, lm_layers layers)
{
    *slabs = (lm_slabs){.count = count,
                        .plans = plans,
                        .specs = specs,
                        .ranks = ranks,
                        .layers = layers,
                        .stale = 1};
    slabs->bytes = plans[0].ops->slabs->halo_bytes(plans[0].self);
    slabs->buffers = lm_zeroed(NULL, "the boundary layers of slabs", count, sizeof *slabs->buffers);
    slabs->sums = lm_zeroed(NULL, "the sums of slabs", room_for_sums(slabs), sizeof *slabs->sums);
    slabs->connected = lm_zeroed(NULL, "the ends of slabs", 2 * count, sizeof *slabs->connected);
    if (!slabs->buffers || !take_buffers(slabs) || !slabs->sums || !slabs->connected) {
        lm_slabs_part(slabs);
        return LATMC_ERROR_MEMORY;
    }
    connect(slabs);
    return LATMC_OK;
}

void lm_slabs_part(lm_slabs *slabs)
{
    for (int i = 0; slabs->connected && i < 2 * slabs->count; i++) {
        const lm_plan p = slabs->plans[i / 2];

        if (slabs->connected[i])
            p.ops->slabs->connect(p.self, (lm_side)(i % 2), NULL);
    }
    give_buffers(slabs);
    free(slabs->buffers);
    free(slabs->sums);
    free(slabs->connected);
    *slabs = (lm_slabs){.count = 0};
}

/* ---- sweeps */

latmc_status lm_slabs_prepare(lm_slabs *s, int update)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < s->count && !status; i++) {
        const lm_plan p = s->plans[i];

        if (p.ops->slabs->prepare)
            status = p.ops->slabs->prepare(p.self, update);
    }
    return status;
}

static void update(lm_slabs *s, int slab, const lm_job *job, int64_t step, int phase, lm_part part)
{
    const lm_plan p = s->plans[slab];

    if (!s->failed)
        lm_slabs_keep(s, p.ops->slabs->update(p.self, job->update, step, phase, part));
}

static int is_split(const lm_slabs *s, int slab)
{
    return !is_connected(s, slab, LM_LOWER) || !is_connected(s, slab, LM_UPPER);
}

/* Sweeps one phase. Boundary layers travel while the bulk between them is updated. */
static void sweep_phase(lm_slabs *s, const lm_job *job, int64_t step, int phase)
{
    for (int i = 0; i < s->count; i++) {
        update(s, i, job, step, phase, is_split(s, i) ? LM_BOUNDARY : LM_WHOLE);
        pack(s, i, CHANGED_BY_PHASE);
    }
    for (int i = 0; i < s->count; i++)
        if (is_split(s, i))
            update(s, i, job, step, phase, LM_BULK);
    exchange(s, CHANGED_BY_PHASE);
}

static void sweep(lm_slabs *s, const lm_job *job, int64_t step, int counts)
{
    const lm_slab_ops *ops = s->plans[0].ops->slabs;
    const int phases = ops->phases(s->plans[0].self, job->update);

    for (int i = 0; i < s->count && !s->failed; i++)
        lm_slabs_keep(s, ops->begin(s->plans[i].self, job->update, counts));
    for (int phase = 0; phase < phases; phase++)
        sweep_phase(s, job, step, phase);
}

latmc_status lm_slabs_sweep(lm_slabs *slabs, const lm_job *job)
{
    lm_slabs_refresh(slabs);
    for (int64_t k = 0; k < job->sweeps && (!slabs->failed || slabs->ranks); k++)
        sweep(slabs, job, job->first_sweep + k, k == job->sweeps - 1);
    return slabs->failed;
}
