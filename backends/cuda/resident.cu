/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many sweeps of small lattices in one launch: a block keeps the lattice of one group of
 * replicas in shared memory, so that a sweep needs no launch and no barrier beyond the
 * block's. A small lattice alone cannot keep a multiprocessor busy, but its random numbers
 * can: all warps draw the outcomes of many half sweeps ahead (lm_ising_forecast), batch after
 * batch, while a few of them walk through the half sweeps of the batch before.
 */
#include "backends/cuda/plain.cuh"

enum {
    BLOCK = 1024,
    WORDS_EACH = 4,       /* words that a thread draws for at a time */
    BATCH_NUMBERS = 16384 /* words of a batch times dimensions, about */
};

/* How a launch divides its work; the same for all blocks. */
typedef struct plan {
    uint32_t words;   /* of a sublattice */
    uint32_t halves;  /* half sweeps of a batch */
    uint32_t walkers; /* warps that update */
} plan;

template <int D> struct outcome {
    uint32_t yes[D];
};

/* Words of shared memory: both sublattices, two batches of outcomes, a counter. */
static size_t shared_bytes(const plan &p, int dims)
{
    return (2 * (size_t)p.words + 2 * (size_t)p.halves * p.words * dims + 4) * sizeof(uint32_t);
}

/* The outcomes of up to WORDS_EACH words, each of some half sweep of the batch. */
template <int D>
LM_INLINE void draw_some(const lm_view &v, const plan &p, const lm_head<D> &head, uint32_t g,
                         uint64_t first_half, uint32_t from, uint32_t end, outcome<D> *out)
{
    lm_ballot b[WORDS_EACH][D];
    uint32_t tied[WORDS_EACH];
    LM_UNROLL
    for (int m = 0; m < WORDS_EACH; m++) {
        const uint32_t item = from + m * 32;
        const uint32_t half = item / p.words, word = item - half * p.words;
        const uint64_t h = first_half + half;
        const lm_stream stream =
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, h / 2, v.first_group + g, (uint32_t)(h & 1));
        tied[m] = lm_forecast_head<D>(head, stream, word, item < end ? v.lanes[g] : 0, b[m]);
    }
    for (int draw = LM_ISING_HEAD;;) {
        lm_ballot one[D];
        int which = -1;
        LM_UNROLL
        for (int m = 0; m < WORDS_EACH; m++)
            if (tied[m]) {
                which = m;
                LM_UNROLL
                for (int n = 0; n < D; n++)
                    one[n] = b[m][n];
            }
        if (which < 0)
            break;
        const uint32_t item = from + which * 32;
        const uint32_t half = item / p.words, word = item - half * p.words;
        const uint64_t h = first_half + half;
        const lm_stream stream =
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, h / 2, v.first_group + g, (uint32_t)(h & 1));
        const uint32_t open =
            lm_forecast_more<D>(v.plain_planes + g * 32 * D, stream, word, draw, one);
        const bool over = !open || draw == LM_ISING_DRAWS - 1;
        draw = over ? LM_ISING_HEAD : draw + 1;
        LM_UNROLL
        for (int m = 0; m < WORDS_EACH; m++)
            if (m == which) {
                tied[m] = over ? 0 : open;
                LM_UNROLL
                for (int n = 0; n < D; n++)
                    b[m][n] = one[n];
            }
    }
    LM_UNROLL
    for (int m = 0; m < WORDS_EACH; m++) {
        const uint32_t item = from + m * 32;
        LM_UNROLL
        for (int n = 0; n < D; n++)
            if (item < end)
                out[item].yes[n] = b[m][n].yes;
    }
}

/* All warps take parts of a batch until none is left. */
template <int D>
LM_INLINE void draw_batch(const lm_view &v, const plan &p, const lm_head<D> &head, uint32_t g,
                          uint64_t first_half, uint32_t halves, outcome<D> *out, uint32_t *next)
{
    const uint32_t end = halves * p.words, lane = threadIdx.x & 31u;
    for (;;) {
        uint32_t from = 0;
        if (lane == 0)
            from = atomicAdd(next, 32 * WORDS_EACH);
        from = __shfl_sync(~0u, from, 0);
        if (from >= end)
            return;
        draw_some<D>(v, p, head, g, first_half, from + lane, end, out);
    }
}

/* The unsatisfied bonds of a word's sites; `aligned` is the word, turned where all bonds are. */
template <int D, bool SIGNS>
LM_INLINE void unsatisfied(const lm_view &v, const uint32_t *other, const lm_spot<D> &s, int colour,
                           uint32_t aligned, uint32_t *u)
{
    const int lean = s.parity ^ colour;
    const uint32_t carry = other[lean ? s.carry[1] : s.carry[0]];
    u[0] = other[s.at];
    u[1] = lean ? lm_from_above(v, u[0], carry, s.j + 1 == v.width)
                : lm_from_below(v, u[0], carry, s.j == 0);
    LM_UNROLL
    for (int i = 2; i < 2 * D; i++)
        u[i] = other[s.next[i]];
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++) {
        u[i] ^= aligned;
        if (SIGNS)
            u[i] ^= __ldg(v.sign + (size_t)(colour * 2 * D + i) * v.rows * v.width + s.at);
    }
}

/* One word of one half sweep. */
template <int D, bool SIGNS>
LM_INLINE uint32_t update(const lm_view &v, const plan &p, uint32_t *sites, int colour,
                          const lm_spot<D> &s, uint32_t valid, uint32_t flip,
                          const outcome<D> &drawn)
{
    uint32_t *own = sites + colour * p.words + s.at, u[2 * D];
    const uint32_t spins = *own;
    unsatisfied<D, SIGNS>(v, sites + (1 - colour) * p.words, s, colour, spins ^ flip, u);
    const lm_ising_class c = lm_ising_classify(D, u);
    const uint32_t change = valid & lm_ising_choose(D, &c, drawn.yes);
    if (valid)
        *own = spins ^ change;
    return change;
}

/* The walkers go through the half sweeps of a batch; only they wait for each other. Changes
 * are counted from half sweep `counted` of the batch on. With a thread for every word, where
 * the word's neighbours are is found once. */
template <int D, bool SIGNS>
LM_INLINE void walk(const lm_view &v, const plan &p, uint32_t g, uint64_t first_half,
                    uint32_t halves, const outcome<D> *batch, uint32_t *sites, int64_t counted)
{
    const uint32_t threads = 32 * p.walkers, lanes = v.lanes[g], flip = v.flip[g];
    const bool alone = p.words <= threads;
    lm_spot<D> s = lm_spot_of<D>(v, threadIdx.x < p.words ? threadIdx.x : 0);
    uint32_t valid = threadIdx.x < p.words ? lm_valid(v, s.j) & lanes : 0;
    for (uint32_t half = 0; half < halves; half++) {
        const int colour = (int)((first_half + half) & 1);
        const outcome<D> *drawn = batch + half * p.words;
        for (uint32_t first = 0; first < p.words; first += threads) {
            if (!alone) {
                const bool inside = first + threadIdx.x < p.words;
                s = lm_spot_of<D>(v, inside ? first + threadIdx.x : 0);
                valid = inside ? lm_valid(v, s.j) & lanes : 0;
            }
            const uint32_t change =
                update<D, SIGNS>(v, p, sites, colour, s, valid, flip, drawn[s.at]);
            if ((int64_t)half >= counted)
                lm_add_bits(v, g, v.dims + 1, change);
        }
        asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
    }
}

/* Adds the sums of the lattice to v.counts. */
template <int D, bool SIGNS>
LM_INLINE void measure(const lm_view &v, const plan &p, uint32_t g, const uint32_t *sites)
{
    lm_sums sums = {{0, 0, 0, 0}, 0};
    for (uint32_t first = 0; first < p.words; first += BLOCK) {
        const bool inside = first + threadIdx.x < p.words;
        const lm_spot<D> s = lm_spot_of<D>(v, inside ? first + threadIdx.x : 0);
        const uint32_t valid = inside ? lm_valid(v, s.j) & v.lanes[g] : 0;
        uint32_t u[2 * D];
        unsatisfied<D, SIGNS>(v, sites + p.words, s, 0, sites[s.at], u);
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++)
            lm_sum_bonds(v, g, i / 2, valid, valid & u[i], &sums);
        lm_sum_spins(v, g, sites[s.at] & valid, &sums);
        lm_sum_spins(v, g, sites[p.words + s.at] & valid, &sums);
    }
    lm_finish_sums(v, g, sums);
}

/* One record after another: its half sweeps in batches, then a measurement if asked for. */
template <int D, bool SIGNS>
__global__ void __launch_bounds__(BLOCK)
    resident_kernel(lm_view v, plan p, uint64_t step, int64_t sweeps, int64_t records,
                    int count_all, int measures)
{
    extern __shared__ uint32_t shared[];
    uint32_t *sites = shared, *next = shared + 2 * p.words;
    outcome<D> *batch[2];
    batch[0] = (outcome<D> *)(next + 4);
    batch[1] = batch[0] + p.halves * p.words;
    const uint32_t g = blockIdx.x;
    uint32_t *home = v.sites + g * v.group_stride;
    for (uint32_t i = threadIdx.x; i < 2 * p.words; i += BLOCK)
        sites[i] = home[i / p.words * v.sublattice_stride + i % p.words];
    const lm_head<D> head = lm_load_head<D>(v.plain_planes + g * 32 * D);
    const uint64_t record_halves = 2 * (uint64_t)sweeps;
    for (int64_t record = 0; record < records; record++, step += (uint64_t)sweeps) {
        const bool counts = count_all || record == records - 1;
        uint64_t drawn = 0, walked = 0;
        for (int turn = 0; walked < record_halves; turn ^= 1) {
            const uint32_t ready = (uint32_t)(drawn - walked);
            const uint64_t rest = record_halves - drawn;
            const uint32_t more = rest < p.halves ? (uint32_t)rest : p.halves;
            if (threadIdx.x == 0)
                *next = 0;
            __syncthreads();
            if (threadIdx.x < 32 * p.walkers && ready)
                walk<D, SIGNS>(v, p, g, 2 * step + walked, ready, batch[turn ^ 1], sites,
                               counts ? (int64_t)(record_halves - walked) - 2 : INT64_MAX);
            draw_batch<D>(v, p, head, g, 2 * step + drawn, more, batch[turn], next);
            __syncthreads();
            walked += ready;
            drawn += more;
        }
        if (measures)
            measure<D, SIGNS>(v, p, g, sites);
        __syncthreads();
        if (measures)
            v.counts += (size_t)v.groups * v.pack * (v.dims + 2);
    }
    for (uint32_t i = threadIdx.x; i < 2 * p.words; i += BLOCK)
        home[i / p.words * v.sublattice_stride + i % p.words] = sites[i];
}

typedef void (*kernel)(lm_view, plan, uint64_t, int64_t, int64_t, int, int);

static const kernel kernels[4][2] = {{resident_kernel<1, false>, resident_kernel<1, true>},
                                     {resident_kernel<2, false>, resident_kernel<2, true>},
                                     {resident_kernel<3, false>, resident_kernel<3, true>},
                                     {resident_kernel<4, false>, resident_kernel<4, true>}};

static plan plan_of(const lm_view *v)
{
    plan p;
    p.words = (uint32_t)(v->rows * v->width);
    p.halves = BATCH_NUMBERS / (p.words * (uint32_t)v->dims);
    p.halves = p.halves < 1 ? 1 : p.halves > 256 ? 256 : p.halves;
    p.walkers = p.words < BLOCK ? (p.words + 31) / 32 : BLOCK / 32;
    return p;
}

extern "C" int lm_resident_serves(const lm_view *v, int device)
{
    int most = 0;
    if (!lm_is_plain(v) || v->rows * v->width > 1 << 16)
        return 0;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return shared_bytes(plan_of(v), v->dims) <= (size_t)most;
}

extern "C" cudaError_t lm_launch_resident(const lm_view *v, uint64_t step, int64_t sweeps,
                                          int64_t records, int count_all, int measures,
                                          cudaStream_t stream)
{
    const plan p = plan_of(v);
    const kernel k = kernels[v->dims - 1][v->sign != NULL];
    const size_t bytes = shared_bytes(p, v->dims);
    const cudaError_t e = cudaFuncSetAttribute(
        (const void *)k, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess)
        return e;
    k<<<v->groups, BLOCK, bytes, stream>>>(*v, p, step, sweeps, records, count_all, measures);
    return cudaGetLastError();
}
