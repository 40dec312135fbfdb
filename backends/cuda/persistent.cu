/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many sweeps of one lattice in one launch, for lattices too small to hide a launch for every
 * colour. The walkers' threads keep their words of both sublattices in registers, and no
 * barrier holds them together: a word travels with the number of the half sweep that made
 * it, in one 64-bit store, and whoever needs it reads until the number is the right one.
 * Meanwhile the drawers (ahead.cuh) make the random numbers.
 *
 * A word may be overwritten two half sweeps later without asking, because its thread has
 * then read the neighbours' words of the half sweep between, and whoever reads a word is
 * also read by it: the relation "needs" is symmetric.
 */
#include "backends/cuda/ahead.cuh"

LM_INLINE uint64_t load(const uint64_t *p)
{
    uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}

LM_INLINE void store(uint64_t *p, uint32_t word, uint32_t half)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"((uint64_t)half << 32 | word)
                 : "memory");
}

/* The neighbours' words as half sweep `half` left them: [0] at the same place, [1] the one that
 * the row's second x-neighbours come over from, [2 ..] along the other axes. The warp
 * waits as one: threads that wait apart would keep the others from what they wait for. */
template <int D>
LM_INLINE void gather(const uint64_t *other, const lm_spot<D> &s, int lean, uint32_t half,
                      uint32_t *w)
{
    bool late;
    __syncwarp();
    do {
        uint64_t x[2 * D];
        x[0] = load(other + s.at);
        x[1] = load(other + (lean ? s.carry[1] : s.carry[0]));
        LM_UNROLL
        for (int i = 2; i < 2 * D; i++)
            x[i] = load(other + s.next[i]);
        late = false;
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++) {
            w[i] = (uint32_t)x[i];
            late |= (uint32_t)(x[i] >> 32) != half;
        }
    } while (__any_sync(~0u, late));
}

template <int D, bool SIGNS>
LM_INLINE lm_ising_class classify(const lm_view &v, const uint64_t *other, const lm_spot<D> &s,
                                  int colour, uint32_t half, uint32_t spins)
{
    const int lean = s.parity ^ colour;
    uint32_t u[2 * D];
    gather<D>(other, s, lean, half, u);
    u[1] = lean ? lm_from_above(v, u[0], u[1], s.j + 1 == v.width)
                : lm_from_below(v, u[0], u[1], s.j == 0);
    const uint32_t aligned = spins ^ v.flip[0];
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++) {
        u[i] ^= aligned;
        if (SIGNS)
            u[i] ^= __ldg(v.sign + (size_t)(colour * 2 * D + i) * v.rows * v.width + s.at);
    }
    return lm_ising_classify(D, u);
}

/* The words of a walker's thread. */
template <int D, int M> struct share {
    lm_spot<D> spot[M];
    uint32_t spins[2][M], valid[M];
};

template <int D, int M>
LM_INLINE void take_share(const lm_view &v, const lm_ahead &a, uint64_t *tagged, uint32_t base,
                          share<D, M> *s)
{
    LM_UNROLL
    for (int m = 0; m < M; m++) {
        const uint32_t number =
            blockIdx.x * LM_AHEAD_BLOCK + threadIdx.x + m * a.walkers * LM_AHEAD_BLOCK;
        s->spot[m] = lm_spot_of<D>(v, number < a.words ? number : 0);
        s->valid[m] = number < a.words ? lm_valid(v, s->spot[m].j) & v.lanes[0] : 0;
        LM_UNROLL
        for (int c = 0; c < 2; c++)
            s->spins[c][m] = v.sites[c * v.sublattice_stride + s->spot[m].at];
        if (s->valid[m])
            store(tagged + a.words + s->spot[m].at, s->spins[1][m], base);
    }
}

/* One half sweep of a share; `drawn` are its outcomes. */
template <int D, bool SIGNS, int M, int COLOUR>
LM_INLINE void walk(const lm_view &v, const lm_ahead &a, uint64_t *tagged, uint32_t half,
                    const lm_outcome<D> *drawn, int count, share<D, M> *s)
{
    lm_outcome<D> yes[M];
    LM_UNROLL
    for (int m = 0; m < M; m++)
        yes[m] = lm_take<D>(drawn + s->spot[m].at);
    LM_UNROLL
    for (int m = 0; m < M; m++) {
        const uint32_t spins = s->spins[COLOUR][m], at = s->spot[m].at;
        const lm_ising_class c =
            classify<D, SIGNS>(v, tagged + (1 - COLOUR) * a.words, s->spot[m], COLOUR, half, spins);
        const uint32_t change = s->valid[m] & lm_ising_choose(D, &c, yes[m].yes);
        s->spins[COLOUR][m] = spins ^ change;
        if (s->valid[m])
            store(tagged + COLOUR * a.words + at, spins ^ change, half + 1);
        if (count)
            lm_add_bits(v, 0, v.dims + 1, change);
    }
}

/* tagged[colour][word]: words with their half sweeps, which are numbered from `base` on.
 * Batches are whole sweeps. */
template <int D, bool SIGNS, int M>
__global__ void __launch_bounds__(LM_AHEAD_BLOCK, LM_AHEAD_AT_ONCE)
    persistent_kernel(lm_view v, lm_ahead a, int count, uint64_t *tagged, uint32_t base)
{
    if (blockIdx.x >= a.walkers) {
        lm_draw_ahead<D>(v, a);
        return;
    }
    share<D, M> s;
    take_share<D, M>(v, a, tagged, base, &s);
    for (uint64_t batch = 0; batch * a.halves < a.total; batch++) {
        const lm_outcome<D> *drawn = lm_outcomes<D>(a, batch);
        const uint32_t halves = lm_halves_of(a, batch);
        lm_await(a.ready, (batch + 1) * (gridDim.x - a.walkers));
        for (uint32_t half = 0; half < halves; half += 2, base += 2, drawn += 2 * a.words) {
            const int last = count && batch * a.halves + half + 2 == a.total;
            walk<D, SIGNS, M, 0>(v, a, tagged, base, drawn, last, &s);
            walk<D, SIGNS, M, 1>(v, a, tagged, base + 1, drawn + a.words, last, &s);
        }
        lm_post(a.done);
    }
    LM_UNROLL
    for (int m = 0; m < M; m++)
        LM_UNROLL
    for (int c = 0; c < 2; c++)
        if (s.valid[m])
            v.sites[c * v.sublattice_stride + s.spot[m].at] = s.spins[c][m];
}

typedef void (*kernel)(lm_view, lm_ahead, int, uint64_t *, uint32_t);

/* [dimensions - 1][signs][log2 of the words of a thread] */
#define KERNELS(D, S)                                                                              \
    {                                                                                              \
        persistent_kernel<D, S, 1>, persistent_kernel<D, S, 2>                                     \
    }
static const kernel kernels[4][2][2] = {{KERNELS(1, false), KERNELS(1, true)},
                                        {KERNELS(2, false), KERNELS(2, true)},
                                        {KERNELS(3, false), KERNELS(3, true)},
                                        {KERNELS(4, false), KERNELS(4, true)}};

/* The kernel with the fewest words a thread that holds the lattice in at most half of the
 * device's blocks, its grid and its walkers; or none. */
static kernel choose(const lm_view *v, int device, unsigned *grid, uint32_t *walkers)
{
    const int64_t words = v->rows * v->width;
    for (int i = 0; i < 2; i++) {
        const kernel k = kernels[v->dims - 1][v->sign != NULL][i];
        const int64_t each = (int64_t)LM_AHEAD_BLOCK << i, blocks = (words + each - 1) / each;
        *grid = lm_ahead_grid((const void *)k, device, 0);
        if (blocks <= *grid / 2) {
            *walkers = (uint32_t)blocks;
            return k;
        }
    }
    return NULL;
}

extern "C" int lm_persistent_serves(const lm_view *v, int device)
{
    unsigned grid;
    uint32_t walkers;
    return lm_is_plain(v) && v->groups == 1 && lm_ahead_serves(v) &&
           choose(v, device, &grid, &walkers) != NULL;
}

extern "C" cudaError_t lm_launch_persistent(const lm_view *v, int device, uint64_t step,
                                            int64_t sweeps, int count, uint64_t *tagged,
                                            uint32_t base, void *buffer, lm_count *counters,
                                            cudaStream_t stream)
{
    unsigned grid = 0;
    uint32_t walkers = 0;
    const kernel k = choose(v, device, &grid, &walkers);
    lm_view view = *v;
    lm_ahead a = lm_ahead_of(v, step, (uint64_t)sweeps, walkers, buffer, LM_AHEAD_BYTES, counters);
    a.halves &= ~1u;
    void *arguments[] = {&view, &a, &count, &tagged, &base};
    const cudaError_t e = cudaMemsetAsync(counters, 0, 2 * sizeof *counters, stream);
    if (e != cudaSuccess)
        return e;
    /* Cooperative, because every block must be running for any to get on. */
    return cudaLaunchCooperativeKernel((const void *)k, dim3(grid), dim3(LM_AHEAD_BLOCK), arguments,
                                       0, stream);
}
