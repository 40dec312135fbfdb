/* SPDX-License-Identifier: BSD-3-Clause */
/* The first stage of a measurement: sites of a layer, a block of them (lib/physics/sums.h) to each
 * warp. */
#ifndef LM_CUDA_FIELD_SUMS_CUH
#define LM_CUDA_FIELD_SUMS_CUH

#include "backends/cuda/field/neighbours.cuh"
#include "backends/cuda/field/tree.cuh"

/* What site number i of a replica adds, i being at->index. */
template <int D>
LM_INLINE void lm_field_add_site(const lm_field_view &v, lm_field_neighbours<D> *at, double *add)
{
    double neighbour[2 * D], wave[2 * D];
    lm_field_find_neighbours(v, at);
    const double phi = (double)at->sites[at->index];
    LM_UNROLL
    for (int a = 0; a < D; a++)
        LM_UNROLL
    for (int up = 0; up < 2; up++) {
        neighbour[2 * a + up] = at->factor[a][up] ? (double)lm_reader_one(at, a, up ? 1 : -1) : phi;
        wave[2 * a + up] = v.wave[a][2 * (size_t)at->x[a] + (size_t)up];
    }
    lm_hook_site_sums(D, phi, neighbour, wave, add);
}

/* A warp adds block number `block` of a layer; `blocks` of them are a layer's. */
template <int D>
static __global__ void __launch_bounds__(32 * LM_SUMS_WARPS)
    field_sums(const __grid_constant__ lm_field_view v, uint32_t first, uint64_t warps,
               uint64_t layers, uint64_t layer_sites, uint64_t blocks, double *out)
{
    constexpr int sums = LM_HOOK_SUMS(D);
    const uint64_t warp = (uint64_t)blockIdx.x * LM_SUMS_WARPS + threadIdx.x / 32;
    if (warp >= warps)
        return;
    const uint64_t list = warp / blocks, block = warp - list * blocks;
    const uint64_t replica = list / layers, layer = list - replica * layers;
    double total[sums], add[sums];
    lm_field_neighbours<D> at;
    at.sites = (const lm_scalar *)v.sites + (size_t)(first + replica) * (size_t)v.count;
    LM_UNROLL
    for (int k = 0; k < sums; k++)
        total[k] = 0.0;
    for (int i = 0; i < LM_SUMS_BLOCK; i += LM_SUMS_STRIDE) {
        const uint64_t e = block * LM_SUMS_BLOCK + (uint64_t)i + threadIdx.x % 32;
        if (e >= layer_sites)
            break;
        lm_field_coordinates<0, D - 1>(v, (uint32_t)e, at.x);
        at.x[D - 1] = D == 1 ? (uint32_t)e : (uint32_t)layer;
        at.index = (uint32_t)(layer * layer_sites + e);
        lm_field_add_site(v, &at, add);
        LM_UNROLL
        for (int k = 0; k < sums; k++)
            total[k] = total[k] + add[k];
    }
    __syncwarp();
    LM_UNROLL
    for (int k = 0; k < sums; k++) {
        const double sum = lm_warp_tree(total[k]);
        if (threadIdx.x % 32 == 0)
            out[warp * sums + k] = sum;
    }
}

template <int D>
static cudaError_t launch_sums_of(const lm_field_view *v, uint32_t first, uint32_t replicas,
                                  double *out, cudaStream_t stream)
{
    const uint64_t layers = D == 1 ? 1u : (uint64_t)v->last[D - 1] + 1u;
    const uint64_t sites = (uint64_t)v->count / layers;
    const uint64_t blocks = LM_SUMS_BLOCKS(sites);
    const uint64_t warps = blocks * layers * replicas;
    field_sums<D><<<(unsigned)((warps + LM_SUMS_WARPS - 1) / LM_SUMS_WARPS), 32 * LM_SUMS_WARPS, 0,
                    stream>>>(*v, first, warps, layers, sites, blocks, out);
    return cudaGetLastError();
}

static cudaError_t launch_sums(const lm_field_view *v, uint32_t first, uint32_t replicas,
                               double *out, cudaStream_t stream)
{
    switch (v->dims) {
    case 1:
        return launch_sums_of<1>(v, first, replicas, out, stream);
    case 2:
        return launch_sums_of<2>(v, first, replicas, out, stream);
    case 3:
        return launch_sums_of<3>(v, first, replicas, out, stream);
    default:
        return launch_sums_of<4>(v, first, replicas, out, stream);
    }
}

#endif
