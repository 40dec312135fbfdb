/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the first stage of a measurement: each warp adds a block of a layer's sites
 * (lib/physics/sums.h). */
#ifndef LM_CUDA_FIELD_SUMS_CUH
#define LM_CUDA_FIELD_SUMS_CUH

#include "backends/cuda/field/neighbours.cuh"
#include "backends/cuda/field/tree.cuh"

/* Says what a measurement of these bundles reads of a site besides its field. */
LM_INLINE int lm_field_reads(unsigned bundles)
{
    int reads = 0;
#define READ(bundle) reads |= bundles >> (bundle)&1u ? lm_hook_bundle_reads(bundle) : 0;
    LM_HOOK_EVERY_BUNDLE(READ)
#undef READ
    return reads;
}

/* Adds a site's terms to the sums of a bundle. */
template <int D>
LM_INLINE void lm_field_add_bundle(int bundle, const lm_around *around, double *total)
{
    double add[LM_HOOK_SUMS(D)];
    lm_hook_site_sums(bundle, D, around, add);
    LM_UNROLL
    for (int k = lm_hook_bundle_begin(bundle, D); k < lm_hook_bundle_begin(bundle + 1, D); k++)
        total[k] = total[k] + add[k];
}

/* Returns component c of the neighbours below and above along each axis. */
template <int D, bool BY_COLOUR>
LM_INLINE void lm_field_read_neighbours(const lm_field_neighbours<D, BY_COLOUR> *at, int c,
                                        double own, int reads, double *neighbour)
{
    LM_UNROLL
    for (int a = 0; a < D; a++)
        LM_UNROLL
    for (int up = 0; up < 2; up++)
        if (reads & (up ? LM_READS_ABOVE : LM_READS_BELOW))
            neighbour[2 * a + up] = at->factor[a][up] ? (double)lm_reader_one(at, c, a, up ? 1 : -1)
                                                      : LM_HOOK_BEYOND(own);
}

/* Returns component c of the neighbour above along axes 0 and 1 at once. */
template <int D, bool BY_COLOUR>
LM_INLINE double lm_field_read_corner(const lm_field_neighbours<D, BY_COLOUR> *at, int c,
                                      double own)
{
    const int up = lm_field_step(1);
    if constexpr (D > 1)
        if (at->factor[0][up] && at->factor[1][up])
            return (double)lm_reader_two(at, c, 0, 1, 1, 1);
    return LM_HOOK_BEYOND(own);
}

/* Adds a site's terms to the sums of these bundles. at->x and at->index must be set. Waves come
 * last, so that they need no registers while neighbours do. */
template <int D, bool BY_COLOUR>
LM_INLINE void lm_field_add_site(const lm_field_view &v, unsigned bundles, int reads,
                                 lm_field_neighbours<D, BY_COLOUR> *at, double *total)
{
    double own[LM_HOOK_COMPONENTS], neighbour[LM_HOOK_COMPONENTS * 2 * D], wave[2 * D],
        fixed[LM_HOOK_SUM_FIXED(D) + 1], corner[LM_HOOK_COMPONENTS];
    const lm_around around = {own, neighbour, fixed, wave, corner, v.table};
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        own[c] = (double)at->sites[(size_t)c * (size_t)v.count + at->place()];
    if (reads & (LM_READS_BELOW | LM_READS_ABOVE)) {
        lm_field_find_neighbours(v, at);
        if (LM_HOOK_BY_CLASS && v.by_class)
            lm_field_find_in_row<D, 1>(v, at);
        LM_UNROLL
        for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
            lm_field_read_neighbours(at, c, own[c], reads, neighbour + 2 * D * c);
        if (reads & LM_READS_CORNER)
            LM_UNROLL
        for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
            corner[c] = lm_field_read_corner(at, c, own[c]);
    }
    if (reads & LM_READS_FIXED)
        LM_UNROLL
    for (int k = 0; k < LM_HOOK_SUM_FIXED(D); k++)
        fixed[k] = k < v.fixed_values ? (double)at->fixed[(size_t)k * (size_t)v.count + at->place()]
                                      : lm_hook_fixed_preset(k, D);
#define ADD(bundle)                                                                                \
    if (!(lm_hook_bundle_reads(bundle) & LM_READS_WAVES) && bundles >> (bundle)&1u)                \
        lm_field_add_bundle<D>(bundle, &around, total);
    LM_HOOK_EVERY_BUNDLE(ADD)
#undef ADD
    if (!(reads & LM_READS_WAVES))
        return;
    LM_UNROLL
    for (int k = 0; k < 2 * D; k++)
        wave[k] = v.wave[k / 2][2 * (size_t)at->x[k / 2] + (size_t)(k % 2)];
#define ADD(bundle)                                                                                \
    if (lm_hook_bundle_reads(bundle) & LM_READS_WAVES && bundles >> (bundle)&1u)                   \
        lm_field_add_bundle<D>(bundle, &around, total);
    LM_HOOK_EVERY_BUNDLE(ADD)
#undef ADD
}

/* Stores the sums of a warp, one after another, from *out on. */
template <int D> LM_INLINE void lm_field_put_bundle(int bundle, const double *total, double **out)
{
    LM_UNROLL
    for (int k = lm_hook_bundle_begin(bundle, D); k < lm_hook_bundle_begin(bundle + 1, D); k++) {
        const double sum = lm_warp_tree(total[k]);
        if (threadIdx.x % 32 == 0)
            **out = sum;
        ++*out;
    }
}

#ifdef LM_HOOK_COUNTED
/* Counts a warp's sites of each value. All threads of the warp must call these functions. */
typedef uint32_t lm_field_counts[256];

LM_INLINE void lm_field_counts_zero(lm_field_counts counts)
{
    for (int v = threadIdx.x % 32; v < 256; v += 32)
        counts[v] = 0;
    __syncwarp();
}

/* Stores the counts of `values` values from `out` on. */
LM_INLINE void lm_field_counts_put(const lm_field_counts counts, int values, double *out)
{
    __syncwarp();
    for (int v = threadIdx.x % 32; v < values; v += 32)
        out[v] = (double)counts[v];
}
#endif

/* Adds block number `block` of a layer by a warp; a layer has `blocks` blocks. Bundles are
 * tested at run time: kernels for all masks would be too many. A site's loads take longer than
 * these tests, which are the same for all threads. Some bundles are rare, and sums of waves are
 * many. If RARE is 0, these bundles have no registers. If RARE is 1, those that need even more
 * have none, the LM_HOOK_RAREST_BUNDLES of a model's hooks. */
template <int D, bool BY_COLOUR, int RARE>
static __global__ void __launch_bounds__(32 * LM_SUMS_WARPS)
    field_sums(const __grid_constant__ lm_field_view v, lm_cuda_field_wanted wanted, uint32_t first,
               uint64_t warps, uint64_t layers, uint64_t layer_sites, uint64_t blocks, double *out)
{
    constexpr unsigned others = RARE == 2   ? 0u
                                : RARE == 1 ? LM_HOOK_RAREST_BUNDLES
                                            : LM_HOOK_RARE_BUNDLES | LM_HOOK_RAREST_BUNDLES;
    const unsigned bundles = wanted.bundles & ~others;
    const int reads = lm_field_reads(bundles);
    const uint64_t warp = (uint64_t)blockIdx.x * LM_SUMS_WARPS + threadIdx.x / 32;
    if (warp >= warps)
        return;
    const uint64_t list = warp / blocks, block = warp - list * blocks;
    const uint64_t replica = list / layers, layer = list - replica * layers;
    double total[LM_HOOK_SUMS(D)];
    lm_field_neighbours<D, BY_COLOUR> at;
    at.view = &v;
    at.sites = lm_field_sites(v, (size_t)(first + replica));
    at.fixed = lm_field_fixed(v, (uint32_t)(first + replica));
    LM_UNROLL
    for (int k = 0; k < LM_HOOK_SUMS(D); k++)
        total[k] = 0.0;
#ifdef LM_HOOK_COUNTED
    __shared__ lm_field_counts counts[LM_SUMS_WARPS];
    lm_field_counts &own_counts = counts[threadIdx.x / 32];
    const bool counted = wanted.bundles >> LM_HOOK_COUNTED & 1u;
    if (counted)
        lm_field_counts_zero(own_counts);
#endif
    for (int i = 0; i < LM_SUMS_BLOCK; i += LM_SUMS_STRIDE) {
        const uint64_t e = block * LM_SUMS_BLOCK + (uint64_t)i + threadIdx.x % 32;
        if (e >= layer_sites)
            break;
        lm_field_coordinates<0, D - 1>(v, (uint32_t)e, at.x);
        at.x[D - 1] = D == 1 ? (uint32_t)e : v.first_layer + (uint32_t)layer;
        at.in_row = LM_HOOK_BY_CLASS ? lm_place_in_row(v, at.x[0]) : at.x[0];
        at.index = (at.x[D - 1] - v.origin[D - 1]) * v.stride[D - 1] + (D == 1 ? 0u : (uint32_t)e) +
                   at.in_row - at.x[0];
        lm_field_add_site(v, bundles, reads, &at, total);
#ifdef LM_HOOK_COUNTED
        if (counted)
            atomicAdd(&own_counts[(uint8_t)at.sites[at.place()]], 1u);
#endif
    }
    __syncwarp();
    out += warp * (uint64_t)wanted.sums;
#ifdef LM_HOOK_COUNTED
    const double *const first_sum = out;
#endif
#define PUT(bundle)                                                                                \
    if (bundles >> (bundle)&1u)                                                                    \
        lm_field_put_bundle<D>(bundle, total, &out);
    LM_HOOK_EVERY_BUNDLE(PUT)
#undef PUT
#ifdef LM_HOOK_COUNTED
    if (counted)
        lm_field_counts_put(own_counts, wanted.sums - (int)(out - first_sum), out);
#endif
}

template <int D, bool BY_COLOUR, int RARE>
static cudaError_t launch_sums_of(const lm_field_view *v, lm_cuda_field_wanted wanted,
                                  uint32_t first, uint32_t replicas, double *out,
                                  cudaStream_t stream)
{
    const uint64_t layers = v->layers, sites = lm_field_layer_sites(v);
    const uint64_t blocks = LM_SUMS_BLOCKS(sites);
    const uint64_t warps = blocks * layers * replicas;
    field_sums<D, BY_COLOUR, RARE>
        <<<(unsigned)((warps + LM_SUMS_WARPS - 1) / LM_SUMS_WARPS), 32 * LM_SUMS_WARPS, 0,
           stream>>>(*v, wanted, first, warps, layers, sites, blocks, out);
    return cudaGetLastError();
}

typedef cudaError_t launch_sums_by(const lm_field_view *v, lm_cuda_field_wanted wanted,
                                   uint32_t first, uint32_t replicas, double *out,
                                   cudaStream_t stream);

static cudaError_t launch_sums(const lm_field_view *v, lm_cuda_field_wanted wanted, uint32_t first,
                               uint32_t replicas, double *out, cudaStream_t stream)
{
    constexpr bool BY_COLOUR = LM_HOOK_BY_COLOUR;
    constexpr unsigned rarest = LM_HOOK_RAREST_BUNDLES;
    constexpr int RAREST = rarest != 0 ? 2 : 1;
#define OF_KIND(by_colour, rare)                                                                   \
    {launch_sums_of<1, false, rare>, launch_sums_of<2, by_colour, rare>,                           \
     launch_sums_of<3, by_colour, rare>, launch_sums_of<4, by_colour, rare>}
    launch_sums_by *const by[2][3][4] = {
        {OF_KIND(false, 0), OF_KIND(false, 1), OF_KIND(false, RAREST)},
        {OF_KIND(BY_COLOUR, 0), OF_KIND(BY_COLOUR, 1), OF_KIND(BY_COLOUR, RAREST)}};
#undef OF_KIND
    const int rare = wanted.bundles & rarest ? 2 : wanted.bundles & LM_HOOK_RARE_BUNDLES ? 1 : 0;
    return by[v->by_colour][rare][v->dims - 1](v, wanted, first, replicas, out, stream);
}

#ifdef LM_HOOK_BONDS
/* Returns what one site adds. at->x and at->index must be set. */
template <int D, bool BY_COLOUR>
LM_INLINE double lm_field_site_bonds(const lm_field_view &v, const lm_hook_rule &rule, int upward,
                                     lm_field_neighbours<D, BY_COLOUR> *at)
{
    lm_real s[LM_HOOK_COMPONENTS], b[LM_HOOK_COMPONENTS];
    lm_field_find_neighbours(v, at);
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        s[c] = at->sites[(size_t)c * (size_t)v.count + at->place()];
    lm_hook_find_bonds<D>(rule, at, v.kind, upward, b);
    return (double)lm_vector_dot(LM_HOOK_COMPONENTS, s, b);
}

/* Adds leaf number `leaf` of a layer by a warp, a thread some consecutive sites; a layer has
 * `leaves` leaves. */
template <int D, bool BY_COLOUR>
static __global__ void __launch_bounds__(32 * LM_SUMS_WARPS)
    field_leaves(const __grid_constant__ lm_field_view v, uint64_t warps, uint64_t layer_sites,
                 uint64_t leaves, double *out)
{
    constexpr int EACH = LM_SUMS_LEAF / 32;
    const uint64_t warp = (uint64_t)blockIdx.x * LM_SUMS_WARPS + threadIdx.x / 32;
    if (warp >= warps)
        return;
    const uint64_t list = warp / leaves, leaf = warp - list * leaves;
    const uint32_t replica = (uint32_t)(list / v.layers);
    const uint32_t layer = (uint32_t)(list - (uint64_t)replica * v.layers);
    const int upward = v.colours.colours > 2;
    double add[EACH];
    lm_field_neighbours<D, BY_COLOUR> at;
    at.view = &v;
    at.sites = lm_field_sites(v, replica);
    at.fixed = lm_field_fixed(v, replica);
    LM_UNROLL
    for (int i = 0; i < EACH; i++) {
        const uint64_t e = leaf * LM_SUMS_LEAF + threadIdx.x % 32 * EACH + (uint64_t)i;
        uint32_t parity = 0;
        lm_field_coordinates<0, D - 1>(v, (uint32_t)e, at.x);
        at.x[D - 1] = D == 1 ? (uint32_t)e : v.first_layer + layer;
        at.in_row = at.x[0];
        at.index = (at.x[D - 1] - v.origin[D - 1]) * v.stride[D - 1] + (D == 1 ? 0u : (uint32_t)e);
        LM_UNROLL
        for (int a = 0; a < D; a++)
            parity += at.x[a];
        add[i] = e < layer_sites && (upward || parity % 2u)
                     ? lm_field_site_bonds(v, ((const lm_hook_rule *)v.rules)[replica], upward, &at)
                     : 0.0;
    }
    __syncwarp();
    const double sum = lm_warp_pairs(lm_sums_pairs<EACH>(add));
    if (threadIdx.x % 32 == 0)
        out[warp] = sum + 0.0;
}

template <int D, bool BY_COLOUR>
static cudaError_t launch_leaves_of(const lm_field_view *v, double *out, cudaStream_t stream)
{
    const uint64_t sites = lm_field_layer_sites(v), leaves = LM_SUMS_LEAVES(sites);
    const uint64_t warps = leaves * v->layers * v->replicas;
    field_leaves<D, BY_COLOUR><<<(unsigned)((warps + LM_SUMS_WARPS - 1) / LM_SUMS_WARPS),
                                 32 * LM_SUMS_WARPS, 0, stream>>>(*v, warps, sites, leaves, out);
    return cudaGetLastError();
}

static cudaError_t launch_leaves(const lm_field_view *v, double *out, cudaStream_t stream)
{
    typedef cudaError_t launch(const lm_field_view *, double *, cudaStream_t);
    constexpr bool BY_COLOUR = LM_HOOK_BY_COLOUR;
    static launch *const by[2][4] = {{launch_leaves_of<1, false>, launch_leaves_of<2, false>,
                                      launch_leaves_of<3, false>, launch_leaves_of<4, false>},
                                     {launch_leaves_of<1, false>, launch_leaves_of<2, BY_COLOUR>,
                                      launch_leaves_of<3, BY_COLOUR>,
                                      launch_leaves_of<4, BY_COLOUR>}};
    return by[v->by_colour][v->dims - 1](v, out, stream);
}
#endif

#endif
