/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One site of the phi^4 model: the sums over its neighbours, wherever they are read from, its
 * proposals and the count of those accepted.
 */
#ifndef LM_CUDA_PHI4_SITE_CUH
#define LM_CUDA_PHI4_SITE_CUH

#include "backends/cuda/real_cuda.h"

#include "backends/cuda/lattice.cuh"
#include "backends/cuda/phi4_view.h"
#include "lib/physics/phi4.h"

#if LM_REAL_BITS == 32
typedef lm_phi4_rule_32 lm_phi4_rule_of_real;
#else
typedef lm_phi4_rule_64 lm_phi4_rule_of_real;
#endif

/*
 * The sums over a site's neighbours in the contract's order. READER::one(a, s) is the field s
 * steps along axis a, READER::two(a, s, b, t) that s steps along a and t along b; either is 0
 * where there is none and has the boundary's sign.
 */
template <int D, bool FAR, class READER> LM_INLINE lm_phi4_sums lm_phi4_sums_of(const READER &read)
{
    lm_phi4_sums s = {read.one(0, -1) + read.one(0, 1), 0, 0};
    LM_UNROLL
    for (int a = 1; a < D; a++)
        s.one = s.one + (read.one(a, -1) + read.one(a, 1));
    if constexpr (FAR) {
        s.two = read.one(0, -2) + read.one(0, 2);
        LM_UNROLL
        for (int a = 1; a < D; a++)
            s.two = s.two + (read.one(a, -2) + read.one(a, 2));
        LM_UNROLL
        for (int b = 1; b < D; b++)
            LM_UNROLL
        for (int a = 0; a < b; a++) {
            const lm_real term = (read.two(a, -1, b, -1) + read.two(a, 1, b, -1)) +
                                 (read.two(a, -1, b, 1) + read.two(a, 1, b, 1));
            s.diagonal = a + b == 1 ? term : s.diagonal + term;
        }
    }
    return s;
}

/* Bonds of a coordinate along its axis. */
LM_INLINE int lm_phi4_bonds(const lm_phi4_view &v, int axis, uint32_t x)
{
    return 2 - (v.open[axis] && x == 0) - (v.open[axis] && x == v.last[axis]);
}

/* The sum of degree times field over the neighbours, down before up; READER::bonds(a, s) is what
 * a site s steps along axis a has of bonds along it. */
template <int D, class READER> LM_INLINE lm_real lm_phi4_weighted(const READER &read, int degree)
{
    lm_real w = 0;
    LM_UNROLL
    for (int a = 0; a < D; a++) {
        const int others = degree - read.bonds(a, 0);
        w = lm_real_fma((lm_real)(others + read.bonds(a, -1)), read.one(a, -1), w);
        w = lm_real_fma((lm_real)(others + read.bonds(a, 1)), read.one(a, 1), w);
    }
    return w;
}

/* The site's energy as a function of its field. *degree is used and set only if OPEN. */
template <int D, bool FAR, bool OPEN, class READER>
LM_INLINE lm_phi4_site lm_phi4_site_of(const lm_phi4_rule_of_real &rule, const READER &read,
                                       int *degree)
{
    const lm_phi4_sums sums = lm_phi4_sums_of<D, FAR>(read);
    int bonds = 2 * D;
    lm_phi4_site site;
    if constexpr (OPEN) {
        bonds = 0;
        LM_UNROLL
        for (int a = 0; a < D; a++)
            bonds += read.bonds(a, 0);
        site.b = lm_phi4_slope_open(&sums, lm_phi4_weighted<D>(read, bonds), rule.kappa,
                                    rule.s1_open[bonds], rule.field);
    } else {
        site.b = lm_phi4_slope(&sums, rule.kappa, rule.s1[bonds], rule.field);
    }
    site.a2 = rule.a2[bonds];
    site.g4 = rule.g4;
    *degree = bonds;
    return site;
}

/* A site's proposals: which numbers they take. */
typedef struct lm_phi4_draws {
    lm_stream stream;
    uint32_t index, block, tie;
} lm_phi4_draws;

#if LM_REAL_BITS == 32

/*
 * The same proposals as lm_phi4_hits makes, faster: whether one is accepted is asked of the
 * device's own 2^x first. With t its value and w the contract's weight, |t - w| < 1/4 wherever w
 * is at most 2^16:
 *   w by itself has relative error 2e-7;
 *   t = 2^(16 + x log2 e) by one fma, whose result is at most 16 in magnitude and therefore off
 *   by at most 2^-20, and ex2.approx, off by 2^-22 of the result: 9e-7 of 2^16 or less in all,
 *   that is 0.06; where x is so low that t underflows w is at most 2^-24;
 *   beyond, w and t both accept.
 * So the outcome is known unless -1/4 < t - (u >> 16) < 5/4. Then, and this is so once in 44,000
 * times, the hits are made again as the contract has them.
 */
LM_INLINE float lm_phi4_guess(float x)
{
    float t;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(t) : "f"(__fmaf_rn(x, 1.44269504f, 16.0f)));
    return t;
}

typedef struct lm_phi4_state {
    float phi, energy;
    float margin;   /* how far the closest case was from t - (u >> 16) = 1/2 */
    float accepted; /* counted in floats because adding them is faster */
} lm_phi4_state;

LM_INLINE void lm_phi4_try(const lm_phi4_site &site, float epsilon, uint32_t u, lm_phi4_state *s)
{
    /* Integers below 2^16 as they lie in the lowest bits of a float between 2^23 and 2^24. */
    const float lower = __uint_as_float(__byte_perm(u, 0x4B00u, 0x5410)) - 8388608.0f;
    const float upper_half = __uint_as_float(__byte_perm(u, 0x4B00u, 0x5432)) - 8388607.5f;
    /* All of it exact: what lm_phi4_hits has as fma(1 + lower / 2^16, 2, 2^-16 - 3). */
    const float step = __fmaf_rn(lower, 1.0f / 32768.0f, -1.0f + 1.0f / 65536.0f);
    const float moved = __fmaf_rn(epsilon, step, s->phi);
    const float after = lm_phi4_energy(&site, moved);
    const float d = lm_phi4_guess(s->energy - after) - upper_half;
    const bool yes = d > 0.0f;
    s->margin = fminf(s->margin, fabsf(d));
    s->phi = yes ? moved : s->phi;
    s->energy = yes ? after : s->energy;
    if (yes)
        s->accepted += 1.0f;
}

/* The hits of a block as the contract has them, for the cases that are too close to call. Seldom
 * needed, hence short, and a function of its own so as not to be in the way of the others. */
static __device__ __noinline__ float2 lm_phi4_settle(const lm_phi4_view *v, lm_phi4_site site,
                                                     float phi, float epsilon, int hits,
                                                     uint32_t c2, uint32_t c3, uint32_t index,
                                                     uint32_t block, uint32_t tie)
{
    lm_stream stream;
    uint32_t u[4];
    float energy = lm_phi4_energy(&site, phi), accepted = 0.0f;
    stream.keys = v->keys;
    stream.c1 = 0;
    stream.c2 = c2;
    stream.c3 = c3;
#pragma unroll 1
    for (int h = 0; h < hits; h++) {
        if (h % 4 == 0)
            lm_random_sites(&stream, index, block + (uint32_t)h / 4u, u);
        const float step = lm_real_fma(lm_real_lower(u[0]), 2.0f, -3.0f + 1.0f / 65536.0f);
        const float moved = lm_real_fma(epsilon, step, phi);
        const float after = lm_phi4_energy(&site, moved);
        const bool yes = lm_phi4_accepts(energy - after, u[0], &stream, index, tie + (uint32_t)h);
        phi = yes ? moved : phi;
        energy = yes ? after : energy;
        accepted += yes ? 1.0f : 0.0f;
        u[0] = u[1];
        u[1] = u[2];
        u[2] = u[3];
    }
    return make_float2(phi, accepted);
}

/* Takes back a block's hits if one of them was too close, and makes them again. */
LM_INLINE void lm_phi4_check(const lm_phi4_view &v, const lm_phi4_site &site, float epsilon,
                             int hits, const lm_phi4_draws &draws, float phi, float accepted,
                             lm_phi4_state *s)
{
    if (__builtin_expect(s->margin < 0.75f, 0)) {
        const float2 again = lm_phi4_settle(&v, site, phi, epsilon, hits, draws.stream.c2,
                                            draws.stream.c3, draws.index, draws.block, draws.tie);
        s->phi = again.x;
        s->energy = lm_phi4_energy(&site, s->phi);
        s->accepted = accepted + again.y;
        s->margin = 1.0f;
    }
}

/* 4 BLOCKS hits. All blocks are drawn first: where few warps share a scheduler, one draws while
 * another one's hits wait for each other. */
template <int BLOCKS>
LM_INLINE void lm_phi4_hit_blocks(const lm_phi4_view &v, const lm_phi4_site &site, float epsilon,
                                  lm_phi4_draws *draws, lm_phi4_state *s)
{
    const float before = s->phi;
    const float count = s->accepted;
    uint32_t u[BLOCKS][4];
    LM_UNROLL
    for (int b = 0; b < BLOCKS; b++)
        lm_random_sites(&draws->stream, draws->index, draws->block + (uint32_t)b, u[b]);
    LM_UNROLL
    for (int h = 0; h < 4 * BLOCKS; h++)
        lm_phi4_try(site, epsilon, u[h / 4][h % 4], s);
    lm_phi4_check(v, site, epsilon, 4 * BLOCKS, *draws, before, count, s);
    draws->block += BLOCKS;
    draws->tie += 4 * BLOCKS;
}

LM_INLINE lm_real lm_phi4_propose(const lm_phi4_view &v, const lm_phi4_site &site, lm_real phi,
                                  lm_real epsilon, int hits, lm_phi4_draws draws, int *accepted)
{
    lm_phi4_state s = {phi, lm_phi4_energy(&site, phi), 1.0f, 0.0f};
    uint32_t u[4];
    for (; hits >= 8; hits -= 8)
        lm_phi4_hit_blocks<2>(v, site, epsilon, &draws, &s);
    if (hits >= 4) {
        lm_phi4_hit_blocks<1>(v, site, epsilon, &draws, &s);
        hits -= 4;
    }
    if (hits > 0) {
        const float before = s.phi;
        const float count = s.accepted;
        lm_random_sites(&draws.stream, draws.index, draws.block, u);
        lm_phi4_try(site, epsilon, u[0], &s);
        if (hits > 1)
            lm_phi4_try(site, epsilon, u[1], &s);
        if (hits > 2)
            lm_phi4_try(site, epsilon, u[2], &s);
        lm_phi4_check(v, site, epsilon, hits, draws, before, count, &s);
    }
    *accepted += (int)s.accepted;
    return s.phi;
}

#else

LM_INLINE lm_real lm_phi4_propose(const lm_phi4_view &, const lm_phi4_site &site, lm_real phi,
                                  lm_real epsilon, int hits, const lm_phi4_draws &draws,
                                  int *accepted)
{
    return lm_phi4_hits(&site, phi, epsilon, hits, &draws.stream, draws.index, draws.block,
                        draws.tie, true, accepted);
}

#endif

/* Adds a block's counts to a replica's. All threads of the block must call it, once. */
LM_INLINE void lm_phi4_count(const lm_phi4_view &v, uint32_t replica, int accepted)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    const int n = lm_warp_sum(accepted);
    if ((threadIdx.x & 31u) == 0 && n)
        atomicAdd(&total, n);
    __syncthreads();
    if (threadIdx.x == 0 && total)
        atomicAdd(&v.accepted[replica], (unsigned long long)total);
}

/* Launches a kernel that calls lm_await_previous(). */
static inline cudaError_t lm_phi4_launch(const lm_phi4_view *v, const void *kernel, dim3 grid,
                                         unsigned block, const lm_cuda_phi4_pass *pass,
                                         cudaStream_t stream)
{
    lm_phi4_view view = *v;
    lm_cuda_phi4_pass part = *pass;
    void *arguments[] = {&view, &part};
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(block);
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = v->overlaps ? 1 : 0;
    cudaError_t e = cudaSuccess;
    for (uint32_t r = 0; e == cudaSuccess && r < v->replicas; r += LM_PHI4_REPLICAS) {
        part.replica = r;
        config.gridDim.y = v->replicas - r < LM_PHI4_REPLICAS ? v->replicas - r : LM_PHI4_REPLICAS;
        e = cudaLaunchKernelExC(&config, kernel, arguments);
    }
    return e;
}

#endif
