/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over pairs of replicas of numbers (doc/trajectory.md, "Sums over pairs") on whole lattices,
 * many pairs in one launch. A warp adds a block of a layer's sites, as in a measurement (sums.cuh).
 * Dimensions and bundles are tested at run time. Few sites are read compared with sweeps, and
 * their loads take longer than these tests, which are the same for all threads.
 */
#include "backends/cuda/field/pairs.h"
#include "backends/cuda/field/place.cuh"
#include "backends/cuda/field/tree.cuh"
#include "backends/cuda/launch.cuh"
#include "lib/physics/onvector_observe.h"

enum { DIMS = 4 };

/* A site of the lattice: its number, its coordinates, and the parity of their sum. */
typedef struct spot {
    uint32_t number, parity, x[DIMS];
} spot;

/* Returns element e of a layer; a chain is one layer. */
LM_INLINE spot spot_of(const lm_field_view &v, uint32_t layer, uint32_t e)
{
    const int last = v.dims - 1;
    spot at = {e + (last > 0 ? layer * v.stride[last] : 0u), 0, {0}};
    uint32_t rest = e;
    LM_UNROLL
    for (int a = 0; a < DIMS; a++) {
        const uint32_t extent = v.last[a] + 1u, above = a < last ? rest / extent : 0u;
        if (a <= last)
            at.x[a] = a == last && last > 0 ? layer : rest - above * extent;
        at.parity += at.x[a];
        rest = above;
    }
    at.parity &= 1u;
    return at;
}

/* Returns the site's place in a plane. */
LM_INLINE size_t place_of(const lm_field_view &v, const spot &at)
{
    return v.by_colour ? lm_place_in_half(v, at.number, at.parity) : at.number;
}

/* Returns the place one step along an axis, around the ends; coordinates stay those of the first
 * site. Lattices by colour are even along every closed axis. Beyond open ends nobody reads the
 * place. */
LM_INLINE size_t place_beside(const lm_field_view &v, const spot &at, int a, bool up)
{
    const uint32_t around = v.around[a] * v.stride[a];
    const bool end = at.x[a] == (up ? v.last[a] : 0u);
    const uint32_t by = up ? v.stride[a] - (end ? around : 0u) : (end ? around : 0u) - v.stride[a];
    const spot beside = {at.number + by, at.parity ^ 1u, {0}};
    return place_of(v, beside);
}

/* Static values of lattices whose sites are T. */
template <class T> struct fixed_of {
    typedef T number;
};
template <> struct fixed_of<int8_t> {
    typedef float number;
};

/* Two replicas, with planes of numbers T. */
template <class T, int C> struct twins {
    const T *of[2];
    size_t count;

    __device__ __forceinline__ twins(const lm_field_view &v, const int64_t *pair)
    {
        count = (size_t)v.count;
        LM_UNROLL
        for (int i = 0; i < 2; i++)
            of[i] = (const T *)v.sites + (size_t)pair[i] * C * count;
    }
    __device__ __forceinline__ double component(int which, int c, size_t place) const
    {
        return (double)of[which][(size_t)c * count + place];
    }
    __device__ __forceinline__ void get(int which, size_t place, double *s) const
    {
        LM_UNROLL
        for (int c = 0; c < C; c++)
            s[c] = component(which, c, place);
    }
};

/* Adds products from left to right. */
template <int C> LM_INLINE double product(const double *s, const double *t)
{
    double sum = s[0] * t[0];
    LM_UNROLL
    for (int c = 1; c < C; c++)
        sum = sum + s[c] * t[c];
    return sum;
}

LM_INLINE bool takes(const lm_field_pairs &p, int bundle)
{
    return p.bundles >> bundle & 1u;
}

/* Adds a site's term times the cosine and the sine along an axis. */
LM_INLINE void add_wave(const lm_field_pairs &p, const spot &at, int a, double term, double *sum)
{
    const double *const wave = p.wave[a] + 2 * (size_t)at.x[a];
    sum[0] = sum[0] + term * wave[0];
    sum[1] = sum[1] + term * wave[1];
}

/* Stores the sum of a warp's partial sums. */
LM_INLINE void put(double *out, double partial)
{
    const double sum = lm_warp_tree(partial);
    if (threadIdx.x % 32 == 0)
        *out = sum;
}

/* ---- what is added: each type adds sites, then stores its sums among a block's */

/* Adds products, also times the waves, and links. */
template <class T, int C> struct adding_products : twins<T, C> {
    typedef typename fixed_of<T>::number number;
    const number *coupling[2];
    double q = 0.0, wave[2 * DIMS] = {}, link[DIMS] = {}, bonds[DIMS] = {};

    __device__ __forceinline__ adding_products(const lm_field_view &v, const int64_t *pair)
        : twins<T, C>(v, pair)
    {
        LM_UNROLL
        for (int i = 0; i < 2; i++) {
            const size_t sample = (size_t)(uint32_t)pair[i] / v.sample_replicas;
            coupling[i] = (const number *)v.fixed + sample * (size_t)v.fixed_values * this->count;
        }
    }

    /* Says whether the bond up from here counts. */
    __device__ __forceinline__ bool counts(const lm_field_view &v, const lm_field_pairs &p,
                                           const spot &at, int a, size_t here) const
    {
        const size_t k = (size_t)a * this->count + here;
        if (v.open[a] && at.x[a] == v.last[a])
            return false;
        return !p.coupled || (coupling[0][k] != 0 && coupling[1][k] != 0);
    }

    __device__ __forceinline__ void add_link(const lm_field_view &v, const lm_field_pairs &p,
                                             const spot &at, int a, size_t here, const double *s,
                                             const double *t)
    {
        double up[2][C];
        if (!counts(v, p, at, a, here))
            return;
        const size_t above = place_beside(v, at, a, true);
        this->get(0, above, up[0]);
        this->get(1, above, up[1]);
        link[a] = link[a] + product<C>(s, up[0]) * product<C>(t, up[1]);
        bonds[a] = bonds[a] + 1.0;
    }

    __device__ __forceinline__ void add(const lm_field_view &v, const lm_field_pairs &p,
                                        const spot &at)
    {
        const size_t here = place_of(v, at);
        double s[C], t[C];
        this->get(0, here, s);
        this->get(1, here, t);
        const double term = product<C>(s, t);
        q = q + term;
        LM_UNROLL
        for (int a = 0; a < DIMS; a++) {
            if (a < v.dims && takes(p, LM_PAIR_WAVES))
                add_wave(p, at, a, term, wave + 2 * a);
            if (a < v.dims && takes(p, LM_PAIR_LINKS))
                add_link(v, p, at, a, here, s, t);
        }
    }

    __device__ __forceinline__ void end(const lm_field_view &v, const lm_field_pairs &p,
                                        double *out) const
    {
        if (takes(p, LM_PAIR_OVERLAP))
            put(out + p.begin[LM_PAIR_OVERLAP], q);
        LM_UNROLL
        for (int a = 0; a < DIMS; a++) {
            double *const of_links = out + p.begin[LM_PAIR_LINKS] + 2 * a;
            double *const of_waves = out + p.begin[LM_PAIR_WAVES] + 2 * a;
            if (a < v.dims && takes(p, LM_PAIR_LINKS)) {
                put(of_links, link[a]);
                put(of_links + 1, bonds[a]);
            }
            if (a < v.dims && takes(p, LM_PAIR_WAVES)) {
                put(of_waves, wave[2 * a]);
                put(of_waves + 1, wave[2 * a + 1]);
            }
        }
    }
};

/* Adds a row of the tensor, that of component blockIdx.y of the first replica, also times the
 * waves. */
template <class T, int C> struct adding_tensor : twins<T, C> {
    double tensor[C] = {}, wave[DIMS][C][2] = {};

    using twins<T, C>::twins;

    __device__ __forceinline__ void add(const lm_field_view &v, const lm_field_pairs &p,
                                        const spot &at)
    {
        const size_t here = place_of(v, at);
        const double s = this->component(0, (int)blockIdx.y, here);
        LM_UNROLL
        for (int nu = 0; nu < C; nu++) {
            const double term = s * this->component(1, nu, here);
            tensor[nu] = tensor[nu] + term;
            LM_UNROLL
            for (int a = 0; a < DIMS; a++)
                if (a < v.dims && takes(p, LM_PAIR_TENSOR_WAVES))
                    add_wave(p, at, a, term, wave[a][nu]);
        }
    }

    __device__ __forceinline__ void end(const lm_field_view &v, const lm_field_pairs &p,
                                        double *out) const
    {
        LM_UNROLL
        for (int nu = 0; nu < C; nu++) {
            const int element = (int)blockIdx.y * C + nu;
            if (takes(p, LM_PAIR_TENSOR))
                put(out + p.begin[LM_PAIR_TENSOR] + element, tensor[nu]);
            LM_UNROLL
            for (int a = 0; a < DIMS; a++) {
                double *const to = out + p.begin[LM_PAIR_TENSOR_WAVES] + 2 * (a * C * C + element);
                if (a < v.dims && takes(p, LM_PAIR_TENSOR_WAVES)) {
                    put(to, wave[a][nu][0]);
                    put(to + 1, wave[a][nu][1]);
                }
            }
        }
    }
};

/* Adds chiralities of three components, also times the waves along their own axes. */
template <class T> struct adding_chiralities : twins<T, 3> {
    double chiral[DIMS] = {}, wave[2 * DIMS] = {};

    using twins<T, 3>::twins;

    __device__ __forceinline__ double kappa(int which, size_t below, size_t here,
                                            size_t above) const
    {
        double d[3], s[3], u[3];
        this->get(which, below, d);
        this->get(which, here, s);
        this->get(which, above, u);
        return lm_triple_product(d, s, u);
    }

    __device__ __forceinline__ void add(const lm_field_view &v, const lm_field_pairs &p,
                                        const spot &at)
    {
        const size_t here = place_of(v, at);
        LM_UNROLL
        for (int a = 0; a < DIMS; a++) {
            if (a >= v.dims || (v.open[a] && (at.x[a] == 0 || at.x[a] == v.last[a])))
                continue;
            const size_t below = place_beside(v, at, a, false);
            const size_t above = place_beside(v, at, a, true);
            const double term = kappa(0, below, here, above) * kappa(1, below, here, above);
            chiral[a] = chiral[a] + term;
            add_wave(p, at, a, term, wave + 2 * a);
        }
    }

    __device__ __forceinline__ void end(const lm_field_view &v, const lm_field_pairs &p,
                                        double *out) const
    {
        LM_UNROLL
        for (int a = 0; a < DIMS; a++) {
            double *const to = out + p.begin[LM_PAIR_CHIRAL_WAVES] + 2 * a;
            if (a < v.dims && takes(p, LM_PAIR_CHIRAL))
                put(out + p.begin[LM_PAIR_CHIRAL] + a, chiral[a]);
            if (a < v.dims && takes(p, LM_PAIR_CHIRAL_WAVES)) {
                put(to, wave[2 * a]);
                put(to + 1, wave[2 * a + 1]);
            }
        }
    }
};

/* ---- launches */

template <class Adding>
static __global__ void __launch_bounds__(32 * LM_SUMS_WARPS)
    pair_sums(const __grid_constant__ lm_field_view v, const __grid_constant__ lm_field_pairs p,
              uint64_t warps, uint64_t layer_sites, uint64_t blocks)
{
    const uint64_t warp = (uint64_t)blockIdx.x * LM_SUMS_WARPS + threadIdx.x / 32;
    if (warp >= warps)
        return;
    const uint64_t list = lm_quotient<uint64_t>(warp, blocks), block = warp - list * blocks;
    const uint64_t pair = lm_quotient<uint64_t>(list, v.layers);
    const uint32_t layer = (uint32_t)(list - pair * v.layers);
    Adding adding(v, p.list + 2 * pair);
    for (int i = 0; i < LM_SUMS_BLOCK; i += LM_SUMS_STRIDE) {
        const uint64_t e = block * LM_SUMS_BLOCK + (uint64_t)i + threadIdx.x % 32;
        if (e >= layer_sites)
            break;
        adding.add(v, p, spot_of(v, layer, (uint32_t)e));
    }
    __syncwarp();
    adding.end(v, p, p.out + warp * (uint64_t)p.sums);
}

/* Returns the rows of blocks: those of a tensor, or one. */
template <class Adding>
static cudaError_t launch(const lm_field_view *v, const lm_field_pairs *p, int rows,
                          cudaStream_t stream)
{
    const uint64_t sites = lm_field_layer_sites(v), blocks = LM_SUMS_BLOCKS(sites);
    const uint64_t warps = blocks * v->layers * p->pairs;
    const dim3 grid((unsigned)((warps + LM_SUMS_WARPS - 1) / LM_SUMS_WARPS), (unsigned)rows);
    pair_sums<Adding><<<grid, 32 * LM_SUMS_WARPS, 0, stream>>>(*v, *p, warps, sites, blocks);
    return cudaGetLastError();
}

template <class T>
static cudaError_t launch_all(const lm_field_view *v, const lm_field_pairs *p, cudaStream_t stream)
{
    typedef cudaError_t launching(const lm_field_view *, const lm_field_pairs *, int, cudaStream_t);
    static launching *const products[] = {
        launch<adding_products<T, 1>>, launch<adding_products<T, 2>>, launch<adding_products<T, 3>>,
        launch<adding_products<T, 4>>};
    static launching *const tensor[] = {NULL, launch<adding_tensor<T, 2>>,
                                        launch<adding_tensor<T, 3>>, launch<adding_tensor<T, 4>>};
    const unsigned of_products = 1u << LM_PAIR_OVERLAP | 1u << LM_PAIR_LINKS | 1u << LM_PAIR_WAVES;
    const unsigned of_tensor = 1u << LM_PAIR_TENSOR | 1u << LM_PAIR_TENSOR_WAVES;
    const unsigned of_chiralities = 1u << LM_PAIR_CHIRAL | 1u << LM_PAIR_CHIRAL_WAVES;
    cudaError_t e = cudaSuccess;
    if (p->bundles & of_products)
        e = products[p->components - 1](v, p, 1, stream);
    if (e == cudaSuccess && p->bundles & of_tensor)
        e = tensor[p->components - 1](v, p, p->components, stream);
    if (e == cudaSuccess && p->bundles & of_chiralities)
        e = launch<adding_chiralities<T>>(v, p, 1, stream);
    return e;
}

extern "C" cudaError_t lm_launch_field_pairs(const lm_field_view *v, const lm_field_pairs *p,
                                             cudaStream_t stream)
{
    return p->bytes == 1                ? launch<adding_products<int8_t, 1>>(v, p, 1, stream)
           : p->bytes == sizeof(double) ? launch_all<double>(v, p, stream)
                                        : launch_all<float>(v, p, stream);
}

/* ---- spins by planes */

enum { BLOCK = 256 };

/* Counts a site in which two replicas differ, in the planes where it is. */
LM_INLINE void count_planes(const lm_field_view &v, const spot &at, int *planes)
{
    uint32_t begin = 0;
    LM_UNROLL
    for (int a = 0; a < DIMS; a++)
        if (a < v.dims) {
            atomicAdd(&planes[begin + at.x[a]], 1);
            begin += v.last[a] + 1u;
        }
}

/* Counts by planes. The blocks of a column have one pair, or several in turn. */
static __global__ void __launch_bounds__(BLOCK)
    pair_planes(const __grid_constant__ lm_field_view v, const __grid_constant__ lm_field_pairs p,
                uint64_t layer_sites, int all, unsigned long long *counts)
{
    extern __shared__ int planes[]; /* `all` numbers */
    const uint64_t sites = (uint64_t)v.count;
    for (uint64_t pair = blockIdx.y; pair < p.pairs; pair += gridDim.y) {
        const twins<int8_t, 1> both(v, p.list + 2 * pair);
        unsigned long long *const to = counts + pair * (uint64_t)all;
        for (int i = threadIdx.x; i < all; i += BLOCK)
            planes[i] = 0;
        __syncthreads();
        for (uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x; i < sites;
             i += (uint64_t)gridDim.x * BLOCK) {
            const uint64_t layer = lm_quotient<uint64_t>(i, layer_sites);
            const spot at = spot_of(v, (uint32_t)layer, (uint32_t)(i - layer * layer_sites));
            const size_t here = place_of(v, at);
            if (both.of[0][here] != both.of[1][here])
                count_planes(v, at, planes);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < all; i += BLOCK)
            if (gridDim.x == 1)
                to[i] = (unsigned long long)planes[i];
            else if (planes[i])
                lm_add_to_count(to + i, planes[i]);
        __syncthreads(); /* the next pair begins after this */
    }
}

extern "C" cudaError_t lm_launch_field_pair_planes(const lm_field_view *v, const lm_field_pairs *p,
                                                   int planes, int64_t *counts, cudaStream_t stream)
{
    const int64_t each = 16 * BLOCK; /* sites of a block, where there are many */
    const dim3 grid = lm_pairs_grid(v->count, each, (int64_t)p->pairs);
    const cudaError_t e = lm_pairs_clear(grid, counts, (int64_t)p->pairs * planes, stream);
    if (e != cudaSuccess)
        return e;
    pair_planes<<<grid, BLOCK, (size_t)planes * sizeof(int), stream>>>(
        *v, *p, lm_field_layer_sites(v), planes, (unsigned long long *)counts);
    return cudaGetLastError();
}
