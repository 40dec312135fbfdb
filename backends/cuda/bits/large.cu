/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One colour of a large lattice by the uniform rule. A thread takes a patch of words
 * (patch.cuh).
 *
 * After the head of 8 planes one word in ten still has a tied site, so that nearly every warp
 * would draw again for every word, for the sake of three threads. Instead the block
 * queues its tied words, and as many threads as there are of them settle one each.
 */
#include "backends/cuda/bits/patch.cuh"

enum { BLOCKS_AT_ONCE = 3 };

/* A word with tied sites, as the block's queue keeps it. */
typedef uint4 entry; /* word of the sublattice, tied sites, and their class */

/* Threads of the block settle the queued words, one each. */
template <int D, int SHAPE, bool TOSS>
LM_INLINE void settle(const lm_bits_view &v, uint32_t g, const uint32_t *planes,
                      const lm_stream &stream, const entry *queue, uint32_t queued, uint32_t *own,
                      int count, int *changed)
{
    for (uint32_t from = 0; from < queued; from += LM_PATCH_BLOCK) {
        const uint32_t i = from + threadIdx.x;
        lm_ballot b = {0, 0};
        if (i < queued) {
            const entry e = queue[i];
            const lm_ising_class c = {e.z, e.w, 0};
            b.tied = e.y;
            for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && b.tied; draw++)
                lm_ising_more(D, &b, &c, planes, &stream, e.x, draw);
            if (TOSS)
                b.yes = lm_ising_toss(b.yes, &stream, e.x);
            own[e.x] ^= b.yes;
        }
        lm_count_changed<SHAPE>(v, g, count, b.yes, changed);
    }
}

/* TOSS: coins are tossed in this sweep. */
template <int D, int SIGNS, int SHAPE, bool TOSS>
__global__ void __launch_bounds__(LM_PATCH_BLOCK, BLOCKS_AT_ONCE)
    large_kernel(lm_bits_view v, lm_patches l, lm_bits_pass pass)
{
    constexpr int WORDS = lm_patch_words(SHAPE);
    __shared__ entry queue[LM_PATCH_BLOCK * WORDS];
    __shared__ uint32_t queued;
    const uint32_t number = blockIdx.x * LM_PATCH_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.patches; /* no thread leaves early: they settle together */
    const uint32_t group = g * (uint32_t)v.group_stride, half = (uint32_t)v.sublattice_stride;
    uint32_t *own = v.sites + (group + (pass.colour ? half : 0));
    const uint32_t *other = v.sites + (group + (pass.colour ? 0 : half));
    const uint32_t *planes = v.uniform_planes + g * 32 * D;
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const lm_patch p = lm_locate<D, SHAPE>(l, inside ? number : 0, pass.colour);
    uint32_t spins[WORDS], u[2 * D][WORDS];
    int changed = 0;
    if (threadIdx.x == 0)
        queued = 0;
    /* What needs no spins is done while the previous colour ends. */
    const lm_head<D> head = lm_load_head<D>(planes);
    const uint32_t valid = lm_valid_in<SHAPE>(v, p, g, inside), flip = v.flip[g];
    uint32_t r[4 * LM_ISING_HEAD];
    lm_draw_head_now(stream, p.first, r); /* the first word's */
    lm_await_previous();
    lm_load_patch<SHAPE>(l, p, own, p.first, spins);
    lm_around_patch<D, SIGNS, SHAPE>(v, l, p, g, pass.colour, other, u);
    __syncthreads();
    LM_UNROLL
    for (int m = 0; m < WORDS; m++) {
        const uint32_t at = p.first + lm_patch_offset<SHAPE>(l, m);
        uint32_t bonds[2 * D];
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++)
            bonds[i] = u[i][m] ^ spins[m] ^ flip;
        if (m > 0)
            lm_draw_head(stream, at, r);
        const lm_ising_class c = lm_ising_classify(D, bonds);
        lm_ballot b = lm_ising_head(D, &c, head.planes, r, lm_in_patch<SHAPE>(l, p, m) ? valid : 0);
        if (TOSS)
            b.yes = lm_ising_toss(b.yes, &stream, at);
        spins[m] ^= b.yes;
        if (b.tied)
            queue[atomicAdd(&queued, 1)] = make_uint4(at, b.tied, c.n0, c.n1);
        lm_count_changed<SHAPE>(v, g, pass.count, b.yes, &changed);
    }
    if (inside)
        lm_store_patch<SHAPE>(l, p, spins, own);
    __syncthreads();
    settle<D, SHAPE, TOSS>(v, g, planes, stream, queue, queued, own, pass.count, &changed);
    lm_add_changed(l, g, pass.count, changed);
}

typedef void (*kernel)(lm_bits_view, lm_patches, lm_bits_pass);

/* [dimensions - 2][signs][shape] */
#define SWEEP(D, S)                                                                                \
    large_kernel<D, S, LM_RAGGED, false>, large_kernel<D, S, LM_COLUMN, false>,                    \
        large_kernel<D, S, LM_BRICK, false>
static const kernel kernels[3][LM_SIGN_KINDS][3] = LM_PATCH_TABLE(SWEEP);

/* Coins are tossed in few sweeps, for which the shape that serves all lattices will do. */
#define TOSS(D, S) large_kernel<D, S, LM_RAGGED, true>
static const kernel tossers[3][LM_SIGN_KINDS][1] = LM_PATCH_TABLE(TOSS);

extern "C" int lm_large_serves(const lm_bits_view *v)
{
    return lm_is_uniform(v) && v->groups < 65536;
}

extern "C" cudaError_t lm_launch_large(const lm_bits_view *v, const lm_bits_pass *pass,
                                       cudaStream_t stream)
{
    const int tosses = lm_ising_tosses(pass->step);
    const int shape = tosses ? LM_RAGGED : lm_patch_shape(v);
    const kernel k = tosses ? tossers[v->dims - 2][lm_signs_of(v)][0]
                            : kernels[v->dims - 2][lm_signs_of(v)][shape];
    lm_patches l = lm_patches_of(v, shape);
    void *arguments[] = {(void *)v, &l, (void *)pass};
    return lm_launch_overlapping((const void *)k,
                                 dim3((l.patches + LM_PATCH_BLOCK - 1) / LM_PATCH_BLOCK, v->groups),
                                 LM_PATCH_BLOCK, arguments, v->overlaps, stream);
}
