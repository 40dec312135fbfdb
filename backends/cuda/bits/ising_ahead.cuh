/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws random outcomes ahead, for lattices too small to keep the device busy by their updates
 * alone.
 *
 * Some warps of a launch only draw. They draw the outcome of every word's ballot for every class
 * (lm_ising_forecast), which needs no spins, ration after ration of half sweeps. The other warps
 * walk: they take the outcomes and update. The warps of a block that do the same are a squad, a
 * drawer or a walker; a block may have one of each. Memory has a ring of R rations, with ration b
 * at position b % R. Each position has two counters, `ready` and `done`. A drawer adds one to
 * `ready` when it has drawn its part of the ration there. A walker adds one to `done` when it has
 * walked the ration. A drawer begins ration b when all walkers are done with ration b - R, whose
 * position it takes. A walker begins ration b when all drawers are ready with ration b. All blocks
 * must be running at once. No squad may wait for another squad in any other way, so each squad has
 * a barrier of its own.
 *
 * Invariant: no squad adds to a counter for ration b + R before all squads of its kind have added
 * to this counter for ration b. Then a counter that has reached (b / R + 1) x squads holds b's
 * additions of every squad and not, say, two of one squad and none of another. The proof is by
 * induction. A drawer adds for b + R after it has seen all walkers done with b. Each of these
 * walkers was done after it had seen all drawers ready with b. A walker adds for b + R after it has
 * seen all drawers ready with b + R. Each of these drawers began b + R after it had seen all
 * walkers done with b.
 *
 * One counter for all positions would not do: a squad that has added for b and b + 1 would stand
 * for one that has added for neither.
 */
#ifndef LM_CUDA_BITS_ISING_AHEAD_CUH
#define LM_CUDA_BITS_ISING_AHEAD_CUH

#include "backends/cuda/disturb.cuh"
#include "backends/cuda/bits/ising_uniform.cuh"
#include "backends/cuda/bits/squad.cuh"
#include "backends/cuda/bits/queue.cuh"

/* Returns the number of words for which a thread draws at a time. Its registers hold so many;
 * the number is even. */
__host__ __device__ constexpr int lm_ahead_each(int dims)
{
    return dims == 2 ? 4 : 2;
}

typedef struct lm_ahead {
    uint32_t words,
        groups; /* words of a sublattice, rounded up to a multiple of four; groups of the lattice */
    lm_divisor by_words, by_half; /* divide by words, by words x groups */
    uint32_t halves;              /* half sweeps of a ration, an even number */
    uint32_t walkers;             /* blocks 0 .. walkers - 1 have a walker */
    uint32_t walking;             /* threads that walk, in each block with a walker */
    uint32_t
        helping; /* threads that draw in such a block, behind walkers and meters (meters.cuh) */
    uint32_t drawers,
        warps;       /* squads that draw, and their warps; all threads of the other blocks draw */
    uint32_t beside; /* bytes of a walker's shared memory, behind which its drawers' begins */
    uint64_t first_half;    /* number of the launch's first half sweep: 2 x step */
    uint64_t total;         /* half sweeps of the launch */
    uint32_t *outcomes;     /* [position in the ring][half][group][word][class] */
    lm_count *ready, *done; /* [position in the ring]: additions by drawers, by walkers */
} lm_ahead;

template <int D> struct lm_outcome {
    uint32_t yes[D];
};

template <int D> LM_INLINE lm_outcome<D> *lm_ration_outcomes(const lm_ahead &a, uint64_t ration)
{
    return (lm_outcome<D> *)a.outcomes + ration % LM_AHEAD_RING * a.halves * (size_t)a.by_half.d;
}

LM_INLINE uint32_t lm_halves_of(const lm_ahead &a, uint64_t ration)
{
    const uint64_t rest = a.total - ration * a.halves;
    return rest < a.halves ? (uint32_t)rest : a.halves;
}

/* Says that the whole squad has done its part of a ration. */
template <int BARRIER>
LM_INLINE void lm_ration_post(const lm_squad<BARRIER> &c, lm_count *counters, uint64_t ration)
{
    lm_disturb(LM_BEFORE_POST);
    lm_squad_sync(c);
    if (threadIdx.x == c.first)
        asm volatile("fence.acq_rel.gpu; red.relaxed.gpu.global.add.u64 [%0], 1;" ::"l"(
                         counters + ration % LM_AHEAD_RING)
                     : "memory");
}

/* Waits until `squads` squads have done their parts of a ration. */
template <int BARRIER>
LM_INLINE void lm_ration_await(const lm_squad<BARRIER> &c, const lm_count *counters,
                               uint64_t ration, uint32_t squads)
{
    if (threadIdx.x == c.first) {
        lm_count now;
        do
            asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                         : "=l"(now)
                         : "l"(counters + ration % LM_AHEAD_RING)
                         : "memory");
        while (now < (ration / LM_AHEAD_RING + 1) * squads);
    }
    lm_squad_sync(c);
    lm_disturb(LM_AFTER_AWAIT);
}

typedef struct lm_item {
    uint32_t group, word;
    uint64_t half;
} lm_item;

LM_INLINE lm_item lm_item_of(const lm_ahead &a, uint64_t ration, uint32_t number)
{
    const uint32_t half = lm_divide_by(number, a.by_half), rest = number - half * a.by_half.d;
    lm_item i;
    i.group = lm_divide_by(rest, a.by_words);
    i.word = rest - i.group * a.words;
    i.half = a.first_half + ration * a.halves + half;
    return i;
}

LM_INLINE lm_stream lm_stream_of_item(const lm_bits_view &v, const lm_item &i)
{
    return lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, i.half / 2, v.first_group + i.group,
                        (uint32_t)(i.half & 1));
}

/* Draws the heads of some items, 32 apart, except items from `end` on. tied[]: the sites that
 * are tied. */
template <int D>
LM_INLINE void lm_draw_heads(const lm_bits_view &v, const lm_ahead &a, uint64_t ration,
                             uint32_t from, uint32_t end, lm_ballot (&b)[lm_ahead_each(D)][D],
                             uint32_t (&tied)[lm_ahead_each(D)])
{
    LM_UNROLL
    for (int m = 0; m < lm_ahead_each(D); m++) {
        const bool inside = from + m * LM_WARP < end;
        const lm_item i = lm_item_of(a, ration, inside ? from + m * LM_WARP : 0);
        const lm_head<D> head = lm_load_head<D>(v.uniform_planes + i.group * 32 * D);
        const lm_stream stream = lm_stream_of_item(v, i);
        uint32_t r[4 * LM_ISING_HEAD];
        LM_UNROLL
        for (int draw = 0; draw < LM_ISING_HEAD; draw++)
            lm_random_words(&stream, i.word, draw, r + 4 * draw);
        lm_ising_begin_forecast(D, inside ? v.replicas_mask[i.group] : 0, r, b[m]);
        tied[m] = lm_ising_forecast(D, 4 * LM_ISING_HEAD, r, head.planes, b[m]);
    }
}

/*
 * A warp's queue of words that are tied for some class after the head. One word in three or four is
 * tied. If each thread settled its own words, the thread with the most would decide how many draws
 * a warp makes, for few of its threads. Instead the warp settles 32 words at a time, draw by draw.
 * It adds the new outcomes to those that it has stored. No word waits when the ration is posted.
 * Fewer than 32 words stay when as many as possible are settled; then each thread queues two words
 * at most.
 */
enum { LM_AHEAD_ROOM = 3 * LM_WARP };
#define LM_AHEAD_DRAW                                                                              \
    28 /* bits of an item's number in the ration; the draw's number stands above them */
static_assert(LM_AHEAD_BYTES / LM_AHEAD_RING / (2 * sizeof(uint32_t)) < 1u << LM_AHEAD_DRAW,
              "an item has more outcomes than one, and its number so many bits");

template <int D> struct lm_undecided {
    uint32_t item[LM_AHEAD_ROOM], tied[D][LM_AHEAD_ROOM];
};

/* Queues each thread's item for a draw, if the item is tied. All threads of a warp must call it. */
template <int D>
LM_INLINE void lm_put_undecided(uint32_t item, uint32_t draw, const lm_ballot *b, uint32_t tied,
                                lm_undecided<D> *waiting, uint32_t *queued)
{
    const uint32_t i = lm_queue_position(tied != 0, queued);
    if (!tied)
        return;
    waiting->item[i] = item | draw << LM_AHEAD_DRAW;
    LM_UNROLL
    for (int n = 0; n < D; n++)
        waiting->tied[n][i] = b[n].tied;
}

/* Makes one more draw for the last 32 items of the queue, as long as it has at least `least`. */
template <int D>
LM_INLINE void lm_settle_items(const lm_bits_view &v, const lm_ahead &a, uint64_t ration,
                               uint32_t least, lm_outcome<D> *out, lm_undecided<D> *waiting,
                               uint32_t *queued)
{
    __syncwarp(); /* see what the others have queued, and stored */
    while (*queued >= least) {
        const uint32_t first = lm_queue_last(*queued), i = first + threadIdx.x % LM_WARP;
        uint32_t item = 0, draw = 0, open = 0;
        lm_ballot b[D];
        if (i < *queued) {
            item = waiting->item[i] & ((1u << LM_AHEAD_DRAW) - 1u);
            draw = waiting->item[i] >> LM_AHEAD_DRAW;
            LM_UNROLL
            for (int n = 0; n < D; n++)
                b[n] = {0, waiting->tied[n][i]};
            const lm_item of = lm_item_of(a, ration, item);
            open = lm_forecast_more<D>(v.uniform_planes + of.group * 32 * D,
                                       lm_stream_of_item(v, of), of.word, (int)draw, b);
            if (++draw == LM_ISING_DRAWS)
                open = 0;
            LM_UNROLL
            for (int n = 0; n < D; n++)
                if (b[n].yes)
                    atomicOr(&out[item].yes[n], b[n].yes);
        }
        *queued = first;
        __syncwarp(); /* all threads have read their items */
        lm_put_undecided<D>(item, draw, b, open, waiting, queued);
        __syncwarp();
    }
}

/* Stores the outcomes of these items, and queues the items that are still tied. */
template <int D>
LM_INLINE void lm_draw_items(const lm_bits_view &v, const lm_ahead &a, uint64_t ration,
                             uint32_t from, uint32_t end, lm_outcome<D> *out,
                             lm_undecided<D> *waiting, uint32_t *queued)
{
    lm_ballot b[lm_ahead_each(D)][D];
    uint32_t tied[lm_ahead_each(D)];
    lm_draw_heads<D>(v, a, ration, from, end, b, tied);
    LM_UNROLL
    for (int m = 0; m < lm_ahead_each(D); m++) {
        const uint32_t item = from + m * LM_WARP;
        LM_UNROLL
        for (int n = 0; n < D; n++)
            if (item < end)
                __stcg(&out[item].yes[n], b[m][n].yes);
        lm_put_undecided<D>(item, LM_ISING_HEAD, b[m], tied[m], waiting, queued);
        if (m % 2 == 1)
            lm_settle_items<D>(v, a, ration, LM_WARP, out, waiting, queued);
    }
}

/* Makes a drawer's rations, until the launch ends. `memory`: room for the queues of its warps. */
template <int D>
LM_INLINE void lm_draw_ahead(const lm_bits_view &v, const lm_ahead &a,
                             const lm_squad<LM_DRAWING> &c, void *memory)
{
    const uint32_t in_warp = threadIdx.x % LM_WARP, chunk = LM_WARP * lm_ahead_each(D);
    const uint32_t helpers =
        min(blockIdx.x, a.walkers) * a.helping; /* drawing threads of the blocks before this one */
    const uint32_t others = blockIdx.x > a.walkers ? (blockIdx.x - a.walkers) * blockDim.x : 0;
    const uint32_t own = (threadIdx.x - c.first) / LM_WARP;
    const uint32_t warp = (helpers + others) / LM_WARP + own;
    lm_undecided<D> *const waiting = (lm_undecided<D> *)memory + own;
    uint32_t queued = 0;
    for (uint64_t ration = 0; ration * a.halves < a.total; ration++) {
        lm_outcome<D> *const out = lm_ration_outcomes<D>(a, ration);
        if (ration >= LM_AHEAD_RING)
            lm_ration_await(c, a.done, ration - LM_AHEAD_RING, a.walkers);
        const uint32_t end = lm_halves_of(a, ration) * a.by_half.d;
        for (uint32_t from = warp * chunk; from < end; from += a.warps * chunk)
            lm_draw_items<D>(v, a, ration, from + in_warp, end, out, waiting, &queued);
        lm_settle_items<D>(v, a, ration, 1, out, waiting, &queued);
        lm_ration_post(c, a.ready, ration);
    }
}

/* Returns the bytes of the queues of `threads` threads that draw. */
static inline size_t lm_ahead_queues(int dims, uint32_t threads)
{
    const size_t one = dims == 2   ? sizeof(lm_undecided<2>)
                       : dims == 3 ? sizeof(lm_undecided<3>)
                                   : sizeof(lm_undecided<4>);
    return threads / LM_WARP * one;
}

/* Rounds the words up, so that the outcomes of a group begin at a multiple of 16 bytes. */
static inline uint32_t lm_ahead_words(const lm_bits_view *v)
{
    return ((uint32_t)(v->rows * v->width) + 3) / 4 * 4;
}

/* Returns the number of blocks that walk; lm_walking_of() is the number of threads that walk in
 * each. */
static inline uint32_t lm_walkers_of(const lm_bits_view *v, uint32_t blocks)
{
    return v->groups < blocks / 2 ? v->groups : blocks / 2;
}

static inline uint32_t lm_walking_of(const lm_bits_view *v)
{
    return ((uint32_t)(v->rows * v->width) + 31) / 32 * 32;
}

/* Returns the bytes of the outcomes of a half sweep. */
static inline size_t lm_ahead_half(const lm_bits_view *v)
{
    return (size_t)lm_ahead_words(v) * v->groups * (size_t)v->dims * sizeof(uint32_t);
}

/* Returns the most half sweeps of a ration, always whole sweeps; 0 if there is no room for two
 * rations of one sweep. A ration costs walkers some microseconds besides, and its outcomes need
 * not stay in the L2 cache. */
static inline uint32_t lm_ahead_halves(const lm_bits_view *v)
{
    const size_t most = LM_AHEAD_BYTES / (LM_AHEAD_RING * lm_ahead_half(v));
    return most > 512 ? 512 : (uint32_t)most & ~1u;
}

/*
 * Returns the half sweeps of a ration, once its drawers are known. It is a quarter of the launch,
 * so that one ration is walked while the next is drawn. It is at least about 64, or barriers take
 * longer than is saved. Drawing takes laps: in a lap every thread draws once, however little is
 * left to draw. So a ration has whole laps, one or more. A launch shorter than one and a half
 * rations is one ration.
 */
static inline uint32_t lm_ahead_ration(const lm_bits_view *v, const lm_ahead *a)
{
    const uint64_t most = lm_ahead_halves(v), least = 64, quarter = a->total / 4;
    const uint64_t once =
        (uint64_t)a->warps * LM_WARP * (uint64_t)lm_ahead_each(v->dims) / a->by_half.d;
    const uint64_t lap = once < 2 ? 2 : once & ~(uint64_t)1;
    uint64_t ration = quarter < least ? least : quarter;
    ration = ration < lap ? lap : ration / lap * lap;
    if (2 * a->total < 3 * ration)
        ration = a->total;
    if (ration > most)
        ration = most < lap ? most : most / lap * lap;
    return (uint32_t)ration;
}

/* Returns the description of a launch with `blocks` blocks of `threads` threads. Some blocks
 * walk; in these `helping` threads draw. */
static inline lm_ahead lm_ahead_of(const lm_bits_view *v, const lm_walk *w, uint32_t blocks,
                                   uint32_t threads, uint32_t helping, size_t beside, void *buffer,
                                   lm_count *counters)
{
    lm_ahead a = {};
    a.words = lm_ahead_words(v);
    a.groups = v->groups;
    a.by_words = lm_divisor_of(a.words);
    a.by_half = lm_divisor_of(a.words * a.groups);
    a.walkers = lm_walkers_of(v, blocks);
    a.walking = lm_walking_of(v);
    a.helping = helping;
    a.drawers = a.helping ? blocks : blocks - a.walkers;
    a.warps = ((blocks - a.walkers) * threads + a.walkers * a.helping) / 32;
    a.beside = (uint32_t)beside;
    a.first_half = 2 * w->step;
    a.total = 2 * (uint64_t)(w->sweeps * w->records);
    a.halves = lm_ahead_ration(v, &a);
    a.outcomes = (uint32_t *)buffer;
    a.ready = counters;
    a.done = counters + LM_AHEAD_RING;
    return a;
}

#endif
