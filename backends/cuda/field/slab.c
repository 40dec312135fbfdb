/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates slabs of a field: phases of a sweep, boundary layers out and in, sums by layer. */
#include <limits.h>
#include <string.h>

#include "backends/cuda/field/plan.h"

/* ---- phases */

static int by_tiles(const lm_cuda_field_plan *p, int update)
{
    return p->spec.tiled >> update & 1;
}

static int phases(const void *plan, int update)
{
    const lm_cuda_field_plan *p = plan;
    return by_tiles(p, update) ? p->tiles.phases : p->view.colours.colours;
}

static latmc_status begin(void *plan, int update, int counts)
{
    lm_cuda_field_plan *p = plan;
    p->counts = counts;
    if (!counts)
        return LATMC_OK;
    LM_ON_DEVICE(p->head.device);
    const cudaError_t e =
        cudaMemsetAsync(p->view.accepted, 0, lm_cuda_field_tally_bytes(p), p->head.stream);
    lm_cuda_field_keep_offers(p, update);
    return lm_cuda_failed(p->head.device, e, "to begin a sweep");
}

/* Finds where the parts of 0 .. count - 1 begin and end: boundary, bulk, boundary. Each boundary
 * has `depth`. */
static void cut_ends(int64_t count, int64_t depth, int64_t *cut)
{
    cut[0] = 0;
    cut[1] = depth < count ? depth : count;
    cut[2] = count - depth > cut[1] ? count - depth : cut[1];
    cut[3] = count;
}

/* Updates a colour of layers [first, last) of the slab. */
static cudaError_t update_layers(const lm_cuda_field_plan *p, const lm_cuda_field_pass *how,
                                 int64_t first, int64_t last)
{
    const int64_t from = p->spec.first_layer;
    lm_cuda_field_pass pass =
        lm_cuda_field_pass_of(p, p->update, (int64_t)how->step, from + first, from + last);
    pass.phase = how->phase;
    pass.count = how->count;
    pass.backward = how->phase % 2;
    return p->launch->colour(&p->view, &pass, p->head.stream);
}

/* Returns the first tile along the last axis that begins at a layer, or the number of tiles. */
static int64_t tile_at(const lm_tiles *t, int64_t layer)
{
    int64_t k = 0;
    while (k < t->count[t->dims - 1] && lm_tile_begin(t, t->dims - 1, k) < layer)
        k++;
    return k;
}

/* Updates a sub-grid of tiles [first, last) along the last axis. A kernel numbers these from
 * `first` on. If `first` is odd, their parity is the other one. */
static cudaError_t update_tiles(const lm_cuda_field_plan *p, const lm_cuda_field_pass *how,
                                int64_t first, int64_t last, int ends)
{
    const int axis = p->spec.dims - 1;
    lm_field_view view = p->view;
    lm_cuda_field_pass pass = *how;
    view.tile_begin[axis] += first;
    view.tiles[axis] = (uint32_t)(last - first);
    pass.phase ^= (int)(first % 2) << axis;
    pass.ends = p->view.connected ? ends : 0;
    return p->launch->tiles(&view, &pass, p->head.stream);
}

static cudaError_t update_parts(const lm_cuda_field_plan *p, const lm_cuda_field_pass *pass,
                                lm_part part)
{
    const int tiles = by_tiles(p, p->update);
    const int64_t first = p->spec.first_layer, last = first + p->spec.layers;
    const int64_t from = tiles ? tile_at(&p->tiles, first) : 0;
    const int64_t count = tiles ? tile_at(&p->tiles, last) - from : p->spec.layers;
    int64_t cut[4] = {0, 0, count, count}; /* the whole slab: one launch */
    cudaError_t e = cudaSuccess;
    if (part != LM_WHOLE)
        cut_ends(count, tiles ? 1 : p->spec.reach, cut);
    for (int i = 0; e == cudaSuccess && i < 3; i++)
        if (cut[i] < cut[i + 1] && part & (i == 1 ? LM_BULK : LM_BOUNDARY))
            e = tiles ? update_tiles(p, pass, from + cut[i], from + cut[i + 1],
                                     (cut[i] == 0) | (cut[i + 1] == count) << 1)
                      : update_layers(p, pass, cut[i], cut[i + 1]);
    return e;
}

/* Launches the updates of a part in a phase. A launch whose stream waits for an event before it
 * cannot overlap the previous one. */
static cudaError_t launch_phase(lm_cuda_field_plan *p, const lm_cuda_field_pass *pass, lm_part part)
{
    const lm_cuda_phase phase = {.step = (int64_t)pass->step, .number = pass->phase};
    cudaError_t e =
        part & LM_BOUNDARY ? lm_cuda_begin_phase(&p->head, phase, &p->view.seam) : cudaSuccess;
    p->view.overlaps = lm_cuda_overlaps(&p->head) && lm_cuda_flows(&p->head.joint);
    if (e == cudaSuccess)
        e = update_parts(p, pass, part);
    return e == cudaSuccess && part & LM_BULK ? lm_cuda_end_phase(&p->head, phase) : e;
}

static latmc_status update_phase(void *plan, int update, int64_t step, int phase, lm_part part)
{
    lm_cuda_field_plan *p = plan;
    lm_cuda_field_pass pass = lm_cuda_field_pass_of(p, update, step, 0, 0);
    LM_ON_DEVICE(p->head.device);
    pass.phase = phase;
    pass.count = p->counts;
    p->update = update;
    return lm_cuda_failed(p->head.device, launch_phase(p, &pass, part), "to update a slab");
}

/* ---- boundary layers: [replica][component]. Each has the layers' numbers as they lie in a
 * plane, which may be two halves. */

/* Returns where `reach` layers are, `layer` layers after the begin of the memory. */
static lm_cuda_layers layers_at(const lm_cuda_field_plan *p, int64_t layer)
{
    const size_t halves = p->view.by_colour ? 2 : 1;
    const size_t each = (size_t)lm_field_layer_sites(&p->view);
    return (lm_cuda_layers){.first = (char *)p->view.sites +
                                     (size_t)layer * each / halves * p->site_bytes,
                            .ranges = halves * p->view.replicas * (size_t)p->spec.components,
                            .bytes = (size_t)p->spec.reach * each / halves * p->site_bytes,
                            .pitch = (size_t)p->view.count / halves * p->site_bytes};
}

static size_t halo_bytes(const void *plan)
{
    const lm_cuda_layers l = layers_at(plan, 0);
    return l.ranges * l.bytes;
}

static latmc_status pack(void *plan, lm_side side, void *halo)
{
    lm_cuda_field_plan *p = plan;
    const lm_cuda_layers l = layers_at(p, side == LM_LOWER ? p->spec.reach : p->spec.layers);
    return lm_cuda_pack_layers(&p->head, &l, halo);
}

/* Returns the factor of what lies beyond a side: the boundary's factor where the lattice ends. */
static int factor_beyond(const lm_cuda_field_plan *p, lm_side side)
{
    const lm_spec *s = &p->spec;
    const int axis = s->dims - 1;
    const int ends =
        side == LM_LOWER ? s->first_layer == 0 : s->first_layer + s->layers == s->extents[axis];
    return ends ? lm_end_factor(s->boundaries[axis]) : 1;
}

static latmc_status unpack(void *plan, lm_side side, void *halo)
{
    lm_cuda_field_plan *p = plan;
    const lm_cuda_layers l = layers_at(p, side == LM_LOWER ? 0 : p->spec.reach + p->spec.layers);
    const int factor = factor_beyond(p, side);
    const lm_field_scale scale = {.numbers = l.first,
                                  .pitch = l.pitch / p->site_bytes,
                                  .length = l.bytes / p->site_bytes,
                                  .ranges = l.ranges,
                                  .factor = factor,
                                  .bytes = p->site_bytes};
    LM_ON_DEVICE(p->head.device);
    cudaStream_t stream;
    cudaError_t e = lm_cuda_begin_unpack(&p->head, &stream);
    if (e == cudaSuccess)
        e = lm_cuda_copy_layers(&l, halo, 1, stream);
    if (e == cudaSuccess && factor != 1)
        e = lm_launch_field_scale(&scale, stream);
    if (e == cudaSuccess)
        e = lm_cuda_end_unpack(&p->head);
    return lm_cuda_failed(p->head.device, e, "to take boundary layers");
}

/* Returns where the layers of this plan's sides lie in the neighbours' halos. */
static lm_field_far_halo halo_beyond(const lm_cuda_field_plan *p, const lm_cuda_field_plan *to,
                                     lm_side side)
{
    const int factor = factor_beyond(p, side);
    const uint32_t halves = p->view.by_colour ? 2 : 1;
    const uint64_t layer = lm_field_layer_sites(&p->view) / halves;
    const uint64_t ours = (uint64_t)p->spec.layers * layer;
    const uint64_t theirs = (uint64_t)to->spec.layers * layer;
    return (lm_field_far_halo){
        .sites = factor ? to->view.sites : NULL, /* beyond an open end the halo stays 0 */
        .count = to->view.count,
        .half = to->view.half,
        .shift = (uint32_t)(side == LM_LOWER ? theirs : 0 - ours),
        .bound = (uint32_t)(side == LM_LOWER ? 2 * (uint64_t)p->spec.reach * layer : ours),
        .negative = factor < 0};
}

/* Connects slabs. All slabs of a lattice lie alike, except for their number of layers. */
static int connect(void *plan, lm_side side, void *peer)
{
    lm_cuda_field_plan *p = plan, *to = peer;
    const int can =
        lm_field_is_slab(&p->spec) && lm_cuda_connect(&p->head, side, to ? &to->head : NULL);
    p->view.beyond[side] = can ? halo_beyond(p, to, side) : (lm_field_far_halo){.sites = NULL};
    p->view.connected = lm_cuda_is_connected(&p->head.joint);
    return can;
}

/* ---- measurements */

/* Copies sums from [replica][layer][wanted sum] to [replica][sum][layer]. */
static void put_sums(const lm_cuda_field_plan *p, unsigned bundles, const double *from,
                     uint32_t replicas, double *sums)
{
    const int *const begin = p->spec.bundle_begin;
    const int64_t layers = p->view.layers, all = lm_spec_sums(&p->spec);
    for (int64_t i = 0; i < (int64_t)replicas * layers; i++)
        for (int g = 0; g < p->spec.bundles - 1; g++)
            for (int k = begin[g]; bundles >> g & 1 && k < begin[g + 1]; k++)
                sums[(i / layers * all + k) * layers + i % layers] = *from++;
}

static cudaError_t sum_some(lm_cuda_field_plan *p, unsigned bundles, uint32_t first, uint32_t n,
                            double *host, double *sums)
{
    const lm_cuda_field_wanted wanted = {bundles, lm_cuda_field_sums_of(p, bundles)};
    int in;
    cudaError_t e = lm_cuda_field_layer_sums(p, wanted, first, n, &in);
    if (e == cudaSuccess)
        e = lm_cuda_copy(p->head.stream, host, p->fold[in],
                         (size_t)n * p->view.layers * (size_t)wanted.sums * sizeof *host);
    if (e == cudaSuccess)
        put_sums(p, bundles, host, n,
                 sums + (int64_t)first * lm_spec_sums(&p->spec) * p->view.layers);
    return e;
}

/* Sums bonds, the first sum. */
static cudaError_t sum_bonds(lm_cuda_field_plan *p, double *sums)
{
    const size_t layers = p->view.layers * sizeof *sums;
    const size_t pitch = (size_t)lm_spec_sums(&p->spec) * layers;
    int in;
    cudaError_t e = lm_cuda_field_layer_bonds(p, &in);
    if (e == cudaSuccess)
        e = cudaMemcpy2DAsync(sums, pitch, p->leaves[in], layers, layers, p->view.replicas,
                              cudaMemcpyDefault, p->head.stream);
    if (e == cudaSuccess)
        e = cudaStreamSynchronize(p->head.stream);
    return e;
}

static latmc_status sums(void *plan, unsigned bundles, double *sums)
{
    lm_cuda_field_plan *p = plan;
    const uint32_t replicas = p->view.replicas;
    const unsigned bonds = bundles & lm_cuda_field_bonds(p), others = bundles & ~bonds;
    LM_ON_DEVICE(p->head.device);
    cudaError_t e = lm_cuda_await_halo(&p->head);
    if (e == cudaSuccess && bonds)
        e = sum_bonds(p, sums);
    for (uint32_t r = 0; e == cudaSuccess && others && r < replicas; r += p->portion)
        e = sum_some(p, others, r, replicas - r < p->portion ? replicas - r : p->portion,
                     p->slab_sums, sums);
    return lm_cuda_failed(p->head.device, e, "to measure a slab");
}

static latmc_status changes(void *plan, double *counted, double *offers)
{
    const lm_cuda_field_plan *p = plan;
    LM_ON_DEVICE(p->head.device);
    const cudaError_t e =
        lm_cuda_copy(p->head.stream, p->tallies, p->view.accepted, lm_cuda_field_tally_bytes(p));
    for (uint32_t r = 0; e == cudaSuccess && r < p->view.replicas; r++) {
        counted[r] = lm_cuda_field_accepted(p, p->tallies, r);
        offers[r] = p->offered[r];
    }
    return lm_cuda_failed(p->head.device, e, "to count what was accepted");
}

const lm_slab_ops lm_cuda_field_slabs = {
    .phases = phases,
    .halo_bytes = halo_bytes,
    .begin = begin,
    .update = update_phase,
    .pack = pack,
    .packed = lm_cuda_packed,
    .take_buffer = lm_cuda_take_buffer,
    .give_buffer = lm_cuda_give_buffer,
    .unpack = unpack,
    .connect = connect,
    .queues = 1,
    .sums = sums,
    .changes = changes,
};
