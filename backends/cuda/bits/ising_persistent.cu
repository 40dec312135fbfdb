/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes many sweeps of one lattice in one launch, for lattices too small to hide a launch for every
 * colour. Every thread keeps its words of both sublattices in registers, and no barrier holds the
 * grid together. A word travels with the number of the half sweep that made it, in one 64-bit
 * store. A thread that needs the word reads until the number is the right one.
 *
 * Invariant: a word of half sweep h stays until every word that needs it has been updated with it.
 * The word's thread overwrites it in half sweep h + 2. Before, this thread has read the words of
 * half sweep h + 1 that the word needs. Their threads stored these words after they had read the
 * word. This holds because a thread that reads a word is also read by it: the relation "needs" is
 * symmetric.
 *
 * The relation holds between words of the lattice only. A thread with fewer words than others must
 * not wait in the place of a missing word. Nobody would wait for this thread in turn. So it could
 * fall two half sweeps behind, and the number that it waits for would be gone.
 *
 * While a word is on its way, its readers draw the random numbers of their next step, which takes
 * longer than the way. Drawing needs no spins (lm_ising_forecast). The readers ask for the word
 * before they settle the tied sites, so that as a rule it is there when they have settled them.
 */
#include "backends/cuda/disturb.cuh"
#include "backends/cuda/bits/ising_uniform.cuh"

enum {
    BLOCK = 256,
    HEAD = 3 /* draws made at once: here a tied site costs more than a draw */
};

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

/* What a word needs of the other sublattice. [0] is the word at the same place, [1] the word
 * that the row's second x-neighbours come from, and [2 ..] are the words along the other axes. */
template <int D> struct lm_neighbour_words {
    uint64_t word[2 * D];
};

template <int D>
LM_INLINE lm_neighbour_words<D> ask(const uint64_t *other, const lm_word_place<D> &s, int lean)
{
    lm_neighbour_words<D> x;
    x.word[0] = load(other + s.at);
    x.word[1] = load(other + (lean ? s.carry[1] : s.carry[0]));
    LM_UNROLL
    for (int i = 2; i < 2 * D; i++)
        x.word[i] = load(other + s.next[i]);
    return x;
}

/* Asks again until all words are of half sweep `half`, if there is a word to update. The warp
 * waits as one. Threads that wait one by one would keep the others from the words that they wait
 * for. */
template <int D>
LM_INLINE void await(const uint64_t *other, const lm_word_place<D> &s, int lean, uint32_t half,
                     bool exists, lm_neighbour_words<D> x, uint32_t *w)
{
    for (;;) {
        bool late = false;
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++) {
            w[i] = (uint32_t)x.word[i];
            late |= (uint32_t)(x.word[i] >> 32) != half;
        }
        if (!__any_sync(~0u, exists && late))
            return;
        x = ask<D>(other, s, lean);
    }
}

template <int D, bool SIGNS>
LM_INLINE lm_ising_class classify(const lm_bits_view &v, const uint64_t *other,
                                  const lm_word_place<D> &s, int colour, uint32_t half, bool exists,
                                  const lm_neighbour_words<D> &x, uint32_t spins)
{
    const int lean = s.parity ^ colour;
    uint32_t u[2 * D], sign[2 * D];
    LM_UNROLL
    for (int i = 0; SIGNS && i < 2 * D; i++)
        sign[i] = __ldg(v.sign + (size_t)(colour * 2 * D + i) * v.rows * v.width + s.at);
    await<D>(other, s, lean, half, exists, x, u);
    u[1] = lm_second_x_neighbours<D>(s, lean, u[0], u[1]);
    LM_UNROLL
    for (int i = 0; SIGNS && i < 2 * D; i++)
        u[i] ^= sign[i];
    return lm_ising_classify(D, u, spins ^ v.flip[0]);
}

/* Makes the draws of the head. Returns the sites that are tied in some class. */
template <int D>
LM_INLINE uint32_t forecast_head(const lm_head<D, HEAD> &head, const lm_stream &stream,
                                 uint32_t index, uint32_t valid, lm_ballot *b)
{
    uint32_t r[4 * HEAD];
    LM_UNROLL
    for (int draw = 0; draw < HEAD; draw++)
        lm_random_words(&stream, index, draw, r + 4 * draw);
    lm_ising_begin_forecast(D, valid, r, b);
    return lm_ising_forecast(D, 4 * HEAD, r, head.planes, b);
}

/* Settles the tied sites of all of a thread's words, in one queue. */
template <int D, int M>
LM_INLINE void forecast_tied(const lm_bits_view &v, const lm_word_place<D> *s,
                             const lm_stream &stream, uint32_t *tied, lm_ballot b[M][D])
{
    for (int draw = HEAD;;) {
        lm_ballot one[D];
        uint32_t at = 0;
        int which = -1;
        LM_UNROLL
        for (int m = 0; m < M; m++)
            if (tied[m]) {
                which = m;
                at = s[m].at;
                LM_UNROLL
                for (int n = 0; n < D; n++)
                    one[n] = b[m][n];
            }
        if (which < 0)
            return;
        const uint32_t open = lm_forecast_more<D>(v.uniform_planes, stream, at, draw, one);
        const bool over = !open || draw == LM_ISING_DRAWS - 1;
        draw = over ? HEAD : draw + 1;
        LM_UNROLL
        for (int m = 0; m < M; m++)
            if (m == which) {
                tied[m] = over ? 0 : open;
                LM_UNROLL
                for (int n = 0; n < D; n++)
                    b[m][n] = one[n];
            }
    }
}

template <int D, int M>
LM_INLINE void put_words(const lm_bits_view &v, const lm_word_place<D> (&s)[M],
                         const uint32_t (&valid)[M], const uint32_t (&spins)[2][M])
{
    LM_UNROLL
    for (int m = 0; m < M; m++)
        LM_UNROLL
    for (int c = 0; c < 2; c++)
        if (valid[m])
            v.sites[c * v.sublattice_stride + s[m].at] = spins[c][m];
}

/* A half sweep: its colour, its number, the words that it stores and the words that it reads. */
typedef struct half_sweep {
    int colour;
    uint32_t half;
    uint64_t *own;
    const uint64_t *other;
} half_sweep;

/* Updates the words with their ballots `b`. x: the first word's neighbours, which are on their
 * way. */
template <int D, bool SIGNS, int M>
LM_INLINE void update_words(const lm_bits_view &v, const half_sweep &t,
                            const lm_word_place<D> (&s)[M], const uint32_t (&valid)[M],
                            const lm_ballot (&b)[M][D], lm_neighbour_words<D> x,
                            uint32_t (&spins)[M], uint32_t (&change)[M])
{
    lm_neighbour_words<D> next = x;
    LM_UNROLL
    for (int m = 0; m < M; m++) {
        if (m + 1 < M) /* they are on their way while this word is updated */
            next = ask<D>(t.other, s[m + 1], s[m + 1].parity ^ t.colour);
        const lm_ising_class c =
            classify<D, SIGNS>(v, t.other, s[m], t.colour, t.half, valid[m] != 0, x, spins[m]);
        x = next;
        uint32_t yes[D];
        LM_UNROLL
        for (int n = 0; n < D; n++)
            yes[n] = b[m][n].yes;
        change[m] = valid[m] & lm_ising_choose(D, &c, yes);
        spins[m] ^= change[m];
        lm_disturb(LM_BEFORE_STORE);
        if (valid[m])
            store(t.own + s[m].at, spins[m], t.half + 1);
    }
}

/* Makes the sweeps. tagged[colour][word]: words with the numbers of their half sweeps, which
 * begin at `half`. */
template <int D, bool SIGNS, int M>
__global__ void __launch_bounds__(BLOCK, M == 4 ? 2 : 3)
    persistent_kernel(lm_bits_view v, uint64_t step, int64_t sweeps, int count, uint64_t *tagged,
                      uint32_t half)
{
    const uint32_t all = (uint32_t)v.rows * v.width;
    const lm_head<D, HEAD> head = lm_load_head<D, HEAD>(v.uniform_planes);
    lm_word_place<D> s[M];
    uint32_t spins[2][M], valid[M];
    lm_disturb(LM_AT_START);
    LM_UNROLL
    for (int m = 0; m < M; m++) {
        const uint32_t number = blockIdx.x * BLOCK + threadIdx.x + m * gridDim.x * BLOCK;
        s[m] = lm_word_place_of<D>(v, number < all ? number : 0);
        valid[m] = number < all ? lm_valid(v, s[m].j) & v.replicas_mask[0] : 0;
        LM_UNROLL
        for (int c = 0; c < 2; c++)
            spins[c][m] = v.sites[c * v.sublattice_stride + s[m].at];
        if (valid[m])
            store(tagged + all + s[m].at, spins[1][m], half);
    }
    for (int64_t sweep = 0; sweep < sweeps; sweep++) {
        LM_UNROLL
        for (int colour = 0; colour < 2; colour++, half++) {
            const half_sweep t = {colour, half, tagged + colour * all, tagged + (1 - colour) * all};
            const lm_stream stream =
                lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, step + sweep, v.first_group, colour);
            lm_ballot b[M][D];
            uint32_t change[M], tied[M];
            LM_UNROLL
            for (int m = 0; m < M; m++)
                tied[m] = forecast_head<D>(head, stream, s[m].at, valid[m], b[m]);
            lm_disturb(LM_BEFORE_ASK);
            __syncwarp();
            const lm_neighbour_words<D> x = ask<D>(t.other, s[0], s[0].parity ^ colour);
            forecast_tied<D, M>(v, s, stream, tied, b);
            __syncwarp();
            update_words<D, SIGNS, M>(v, t, s, valid, b, x, spins[colour], change);
            LM_UNROLL
            for (int m = 0; m < M; m++)
                if (count && sweep == sweeps - 1)
                    lm_add_bits(v, 0, v.dims + 1, change[m]);
        }
    }
    put_words<D, M>(v, s, valid, spins);
}

typedef void (*kernel)(lm_bits_view, uint64_t, int64_t, int, uint64_t *, uint32_t);

/* [dimensions - 2][signs][log2 of the words of a thread] */
#define KERNELS(D, S)                                                                              \
    {                                                                                              \
        persistent_kernel<D, S, 1>, persistent_kernel<D, S, 2>, persistent_kernel<D, S, 4>         \
    }
static const kernel kernels[3][2][3] = {{KERNELS(2, false), KERNELS(2, true)},
                                        {KERNELS(3, false), KERNELS(3, true)},
                                        {KERNELS(4, false), KERNELS(4, true)}};

/* Returns the kernel with the fewest words a thread that holds the lattice, and its grid; NULL
 * if there is none. */
static kernel choose(const lm_bits_view *v, int device, unsigned *grid)
{
    const int64_t words = v->rows * v->width;
    for (int i = 0; i < 3; i++) {
        const kernel k = kernels[v->dims - 2][v->sign != NULL][i];
        const int64_t blocks = (words + ((int64_t)BLOCK << i) - 1) / ((int64_t)BLOCK << i);
        if (blocks <= lm_blocks_at_once((const void *)k, device, BLOCK, 0)) {
            *grid = (unsigned)blocks;
            return k;
        }
    }
    return NULL;
}

extern "C" int lm_ising_persistent_serves(const lm_bits_view *v, int device)
{
    unsigned grid;
    return lm_is_uniform(v) && v->groups == 1 && choose(v, device, &grid) != NULL;
}

extern "C" cudaError_t lm_launch_ising_persistent(const lm_bits_view *v, int device, uint64_t step,
                                                  int64_t sweeps, int count, uint64_t *tagged,
                                                  uint32_t base, cudaStream_t stream)
{
    unsigned grid = 0;
    const kernel k = choose(v, device, &grid);
    lm_bits_view view = *v;
    void *arguments[] = {&view, &step, &sweeps, &count, &tagged, &base};
    /* The launch is cooperative, because every block must be running for any block to go on. */
    return cudaLaunchCooperativeKernel((const void *)k, dim3(grid), dim3(BLOCK), arguments, 0,
                                       stream);
}
