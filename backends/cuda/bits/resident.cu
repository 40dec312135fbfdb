/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many sweeps and measurements of small lattices in one launch: a walker keeps the lattice of
 * one group of replicas in shared memory, where a half sweep takes a barrier of a few warps
 * and no more, while the drawers (ahead.cuh) fill the rest of the device.
 */
#include "backends/cuda/bits/ahead.cuh"

/* When to count and to measure, in half sweeps of the launch: lm_walk. */
typedef struct schedule {
    uint64_t record, records; /* half sweeps of a record; records */
    int counting, measures;
    unsigned sums;
} schedule;

/* Where a thread is in the schedule. */
typedef struct place {
    uint64_t record, half; /* record, half sweep of it */
} place;

/* The unsatisfied bonds of a word's sites; `aligned` is the word, turned where all bonds are. */
template <int D, int SIGNS>
LM_INLINE void unsatisfied(const lm_bits_view &v, const uint32_t *other, const lm_word_place<D> &s,
                           uint32_t g, int colour, uint32_t aligned, uint32_t *u)
{
    const int lean = s.parity ^ colour;
    const uint32_t carry = other[lean ? s.carry[1] : s.carry[0]];
    u[0] = other[s.at];
    LM_UNROLL
    for (int i = 2; i < 2 * D; i++)
        u[i] = other[s.next[i]];
    u[1] = lm_second<D>(s, lean, u[0], carry);
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++) {
        u[i] ^= aligned;
        if (SIGNS)
            u[i] ^= __ldg(
                v.sign +
                (size_t)(lm_bond_plane<SIGNS>(v, g, colour) * 2 * D + i) * v.rows * v.width + s.at);
    }
}

/* One word of one half sweep. `may`: the sites that may flip, less than `valid` where coins are
 * tossed. */
template <int D, int SIGNS>
LM_INLINE uint32_t update(const lm_bits_view &v, uint32_t words, uint32_t g, uint32_t *sites,
                          int colour, const lm_word_place<D> &s, uint32_t valid, uint32_t may,
                          uint32_t flip, const lm_outcome<D> &drawn)
{
    uint32_t *own = sites + (colour ? words : 0) + s.at, u[2 * D];
    const uint32_t spins = valid ? *own : 0; /* a thread without a word keeps off others' */
    unsatisfied<D, SIGNS>(v, sites + (colour ? 0 : words), s, g, colour, spins ^ flip, u);
    const lm_ising_class c = lm_ising_classify(D, u);
    const uint32_t change = may & lm_ising_choose(D, &c, drawn.yes);
    if (valid)
        *own = spins ^ change;
    return change;
}

LM_INLINE void meet(uint32_t threads)
{
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
}

/* Adds the wanted sums of the lattice to v.counts. */
template <int D, int SIGNS>
LM_INLINE void measure(const lm_bits_view &v, unsigned wanted, uint32_t words, uint32_t g,
                       uint32_t threads, const uint32_t *sites)
{
    lm_bits_sums sums = {{0, 0, 0, 0}, 0};
    for (uint32_t first = 0; first < words; first += threads) {
        const bool inside = first + threadIdx.x < words;
        const lm_word_place<D> s = lm_word_place_of<D>(v, inside ? first + threadIdx.x : 0);
        const uint32_t valid = inside ? lm_valid(v, s.j) & v.lanes[g] : 0;
        if (wanted & LM_SUMS_BONDS) {
            uint32_t u[2 * D];
            unsatisfied<D, SIGNS>(v, sites + words, s, g, 0, sites[s.at], u);
            LM_UNROLL
            for (int i = 0; i < 2 * D; i++)
                lm_sum_bonds(v, g, i / 2, valid, valid & u[i], &sums);
        }
        if (wanted & LM_SUMS_SPINS) {
            lm_sum_spins(v, g, sites[s.at] & valid, &sums);
            lm_sum_spins(v, g, sites[words + s.at] & valid, &sums);
        }
    }
    lm_finish_warp(v, g, sums);
}

/* A walker's group: its lattice, and the thread's part in it. */
template <int D> struct walker {
    uint32_t g, threads, lanes, flip;
    uint32_t *sites;
    lm_word_place<D> spot; /* the thread's only word, if there is a thread for every word */
    uint32_t valid;
};

LM_INLINE void add_changed(const lm_bits_view &v, const schedule &c, uint32_t g, const place &p,
                           uint32_t change)
{
    lm_bits_view w = v;
    if (c.measures)
        w.counts += p.record * v.groups * v.pack * (v.dims + 2);
    lm_add_bits(w, g, v.dims + 1, change);
}

/* Half sweep number `half` of the trajectory; `drawn` are its outcomes. TOSS: some half sweeps of
 * the batch toss coins. */
template <int D, int SIGNS, bool TOSS>
LM_INLINE void walk_one(const lm_bits_view &v, const lm_ahead &a, const schedule &c,
                        const walker<D> &w, const lm_outcome<D> *drawn, uint64_t half,
                        const place &p, bool count)
{
    const bool tosses = TOSS && lm_ising_tosses(half / 2);
    for (uint32_t first = 0; first < a.words; first += w.threads) {
        const bool inside = first + threadIdx.x < a.words;
        const lm_word_place<D> s = lm_word_place_of<D>(v, inside ? first + threadIdx.x : 0);
        const uint32_t valid = inside ? lm_valid(v, s.j) & w.lanes : 0;
        uint32_t may = valid;
        if (tosses) {
            const lm_item i = {w.g, s.at, half};
            const lm_stream stream = lm_stream_of_item(v, i);
            may = lm_ising_toss(valid, &stream, s.at);
        }
        const uint32_t change = update<D, SIGNS>(v, a.words, w.g, w.sites, (int)(half & 1), s,
                                                 valid, may, w.flip, lm_take<D>(drawn + s.at));
        if (count)
            add_changed(v, c, w.g, p, change);
    }
    meet(w.threads);
}

/* n half sweeps with a thread for every word, nothing to count and no coins. Outcomes are fetched
 * for several half sweeps at a time, so that the way from the L2 cache is waited for once. */
template <int D, int SIGNS>
LM_INLINE void walk_quietly(const lm_bits_view &v, const lm_ahead &a, const walker<D> &w,
                            const lm_outcome<D> *drawn, uint32_t n, int colour)
{
    constexpr uint32_t FETCH = 8;
    drawn += w.spot.at;
    for (uint32_t half = 0; half < n; half += FETCH) {
        lm_outcome<D> now[FETCH];
        LM_UNROLL
        for (uint32_t i = 0; i < FETCH; i++)
            now[i] = lm_take<D>(drawn + (half + i < n ? half + i : 0) * a.by_half.d);
        LM_UNROLL
        for (uint32_t i = 0; i < FETCH; i++, colour ^= 1)
            if (half + i < n) {
                update<D, SIGNS>(v, a.words, w.g, w.sites, colour, w.spot, w.valid, w.valid, w.flip,
                                 now[i]);
                meet(w.threads);
            }
    }
}

enum { TOSS_HALVES = 2 * LM_ISING_COIN_SWEEPS };

/* The half sweeps of a batch: quiet ones, those whose changes count, measurements. */
template <int D, int SIGNS, bool TOSS>
LM_INLINE void walk_batch(const lm_bits_view &v, const lm_ahead &a, const schedule &c,
                          const walker<D> &w, uint64_t batch)
{
    const uint32_t halves = lm_halves_of(a, batch);
    const lm_outcome<D> *drawn = lm_outcomes<D>(a, batch) + w.g * a.words;
    const uint64_t first = batch * a.halves;
    place p = {first / c.record, first % c.record};
    for (uint32_t half = 0; half < halves;) {
        const bool counts = c.counting == LM_COUNT_ALL ||
                            (c.counting == LM_COUNT_LAST && p.record + 1 == c.records);
        const uint64_t quiet = c.record - p.half - (counts ? 2 : 0); /* wraps in the last two */
        const uint64_t number = a.first_half + first + half;
        const lm_outcome<D> *from = drawn + half * a.by_half.d;
        uint32_t n = 1;
        if (a.words <= w.threads && quiet > 0 && quiet <= c.record &&
            !(TOSS && lm_ising_tosses(number / 2))) {
            n = quiet < halves - half ? (uint32_t)quiet : halves - half;
            if (TOSS)
                n = min(n, TOSS_HALVES - (uint32_t)(number % TOSS_HALVES)); /* to the next coins */
            walk_quietly<D, SIGNS>(v, a, w, from, n, (int)(number & 1));
        } else {
            walk_one<D, SIGNS, TOSS>(v, a, c, w, from, number, p, counts && p.half + 2 >= c.record);
        }
        half += n;
        p.half += n;
        if (p.half < c.record)
            continue;
        if (c.sums) {
            lm_bits_view at = v;
            at.counts += p.record * v.groups * v.pack * (v.dims + 2);
            measure<D, SIGNS>(at, c.sums, a.words, w.g, w.threads, w.sites);
            meet(w.threads);
        }
        p = {p.record + 1, 0};
    }
}

/* A walker's batch of one group: in from memory, walk, and back. */
template <int D, int SIGNS, bool TOSS>
LM_INLINE void walk(const lm_bits_view &v, const lm_ahead &a, const schedule &c, uint32_t g,
                    uint64_t batch, uint32_t *sites)
{
    const uint32_t least = (a.words + 31) / 32 * 32;
    const bool inside = threadIdx.x < a.words;
    uint32_t *home = v.sites + g * v.group_stride;
    walker<D> w;
    w.g = g;
    w.threads = least < LM_AHEAD_BLOCK ? least : LM_AHEAD_BLOCK;
    w.lanes = v.lanes[g];
    w.flip = v.flip[g];
    w.sites = sites;
    w.spot = lm_word_place_of<D>(v, inside ? threadIdx.x : 0);
    w.valid = inside ? lm_valid(v, w.spot.j) & w.lanes : 0;
    if (threadIdx.x >= w.threads)
        return;
    for (uint32_t i = threadIdx.x; i < 2 * a.words; i += w.threads)
        sites[i] = home[i]; /* sublattices follow each other in a whole lattice */
    meet(w.threads);
    walk_batch<D, SIGNS, TOSS>(v, a, c, w, batch);
    for (uint32_t i = threadIdx.x; i < 2 * a.words; i += w.threads)
        home[i] = sites[i];
}

/* Whether coins are tossed in a batch. */
LM_INLINE bool has_coins(const lm_ahead &a, uint64_t batch)
{
    const uint32_t since = (uint32_t)((a.first_half + batch * a.halves) % TOSS_HALVES);
    return since < 2 || since + lm_halves_of(a, batch) > TOSS_HALVES;
}

/* A batch with coins: few are. A call, with copies, leaves all others the code and the registers
 * that they would have if there were no coins. */
template <int D, int SIGNS>
__device__ __noinline__ void walk_tossing(lm_bits_view v, lm_ahead a, schedule c, uint32_t g,
                                          uint64_t batch, uint32_t *sites)
{
    walk<D, SIGNS, true>(v, a, c, g, batch, sites);
}

template <int D, int SIGNS>
__global__ void __launch_bounds__(LM_AHEAD_BLOCK, LM_AHEAD_AT_ONCE)
    resident_kernel(lm_bits_view v, lm_ahead a, schedule c)
{
    extern __shared__ uint32_t sites[];
    if (blockIdx.x >= a.walkers) {
        lm_draw_ahead<D>(v, a);
        return;
    }
    for (uint64_t batch = 0; batch * a.halves < a.total; batch++) {
        lm_await(a.ready, batch, gridDim.x - a.walkers);
        for (uint32_t g = blockIdx.x; g < v.groups; g += a.walkers) {
            if (has_coins(a, batch))
                walk_tossing<D, SIGNS>(v, a, c, g, batch, sites);
            else
                walk<D, SIGNS, false>(v, a, c, g, batch, sites);
            __syncthreads();
        }
        lm_post(a.done, batch);
    }
}

typedef void (*kernel)(lm_bits_view, lm_ahead, schedule);

/* [dimensions - 2][signs] */
#define KERNELS(D)                                                                                 \
    {                                                                                              \
        resident_kernel<D, LM_NO_SIGNS>, resident_kernel<D, LM_SHARED_SIGNS>,                      \
            resident_kernel<D, LM_OWN_SIGNS>                                                       \
    }
static const kernel kernels[3][LM_SIGN_KINDS] = {KERNELS(2), KERNELS(3), KERNELS(4)};

static size_t shared_bytes(const lm_bits_view *v)
{
    return 2 * (size_t)v->rows * v->width * sizeof(uint32_t);
}

/* Allows a kernel's blocks all the shared memory that the device has for one, and returns how much
 * of it a launch may ask for. Always all: what a kernel is allowed holds for every thread of the
 * process, and one that allowed as much as its own lattice needs would make a launch fail that
 * another thread is about to queue for a larger one. */
static size_t allow_shared(const void *k, int device)
{
    cudaFuncAttributes own = {};
    int most = 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    cudaError_t e = cudaFuncGetAttributes(&own, k);
    most -= (int)own.sharedSizeBytes;
    if (e == cudaSuccess && most > 0)
        e = cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    if (e != cudaSuccess)
        cudaGetLastError(); /* or the next launch would find it */
    return e == cudaSuccess && most > 0 ? (size_t)most : 0;
}

static kernel choose(const lm_bits_view *v)
{
    return kernels[v->dims - 2][lm_signs_of(v)];
}

extern "C" unsigned lm_resident_blocks(const lm_bits_view *v, int device)
{
    if (v->dims < 2 || !lm_ahead_serves(v))
        return 0;
    const void *const k = (const void *)choose(v);
    if (shared_bytes(v) > allow_shared(k, device))
        return 0;
    const int64_t blocks = lm_blocks_at_once(k, device, LM_AHEAD_BLOCK, shared_bytes(v));
    return blocks >= 2 ? (unsigned)blocks : 0;
}

extern "C" cudaError_t lm_launch_resident(const lm_bits_view *v, unsigned blocks, const lm_walk *w,
                                          void *buffer, lm_count *counters, cudaStream_t stream)
{
    const uint64_t sweeps = (uint64_t)(w->sweeps * w->records);
    const uint32_t walkers = v->groups < blocks / 2 ? v->groups : blocks / 2;
    lm_bits_view view = *v;
    lm_ahead a = lm_ahead_of(v, w->step, sweeps, walkers, buffer, LM_AHEAD_BYTES, counters);
    schedule c = {2 * (uint64_t)w->sweeps, (uint64_t)w->records, w->counting, w->measures, w->sums};
    void *arguments[] = {&view, &a, &c};
    const cudaError_t e =
        cudaMemsetAsync(counters, 0, LM_AHEAD_COUNTERS * sizeof *counters, stream);
    if (e != cudaSuccess)
        return e;
    /* Cooperative, because drawers and walkers wait for each other. */
    return cudaLaunchCooperativeKernel((const void *)choose(v), dim3(blocks), dim3(LM_AHEAD_BLOCK),
                                       arguments, shared_bytes(v), stream);
}
