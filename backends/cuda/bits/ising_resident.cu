/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes many sweeps and measurements of small lattices in one launch. A walker keeps the lattice of
 * one group of replicas in shared memory, where a half sweep takes only a barrier of a few warps.
 * All other warps of the device draw ahead (ising_ahead.cuh) meanwhile.
 */
#include "backends/cuda/bits/ising_supply.cuh"
#include "backends/cuda/bits/ising_walk.cuh"

/* A walker's group: its lattice, and the thread's word of each colour. */
template <int D> struct walker {
    uint32_t g, words, flip, valid;
    lm_squad<LM_WALKING> squad;
    uint32_t *ring, *sites; /* shared memory: outcomes; both sublattices */
    uint4 *desk;            /* shared memory: the thread's place of record 0 */
    lm_word_place<D> s;
};

LM_INLINE lm_squad<LM_WALKING> squad_of(const lm_ahead &a)
{
    return {0, a.walking};
}

/* Finds the sites in shared memory, which has the ring of outcomes, the sites and the desk. */
template <int D> LM_INLINE uint32_t *sites_of(const lm_ahead &a, uint32_t *ring)
{
    return ring + LM_SUPPLY * D * a.words;
}

template <int D> LM_INLINE uint4 *desk_of(const lm_ahead &a, uint32_t *ring)
{
    return (uint4 *)(sites_of<D>(a, ring) + 2 * a.words);
}

/* Makes one half sweep. */
template <int D, int SIGNS>
LM_INLINE lm_ising_walk_word<D> update(const lm_bits_view &v, const walker<D> &w, int colour,
                                       const lm_outcome<D> &drawn)
{
    uint32_t *own = w.sites + (colour ? w.words : 0) + w.s.at, u[2 * D];
    const uint32_t *other = w.sites + (colour ? 0 : w.words);
    const uint32_t spins = w.valid ? *own : 0; /* a thread without a word must not read others' */
    lm_around_word<D>(other, w.s, colour, u);
    lm_ising_walk_word<D> r;
    r.mate = u[0];
    LM_UNROLL
    for (int i = 0; SIGNS && i < 2 * D; i++)
        u[i] ^= __ldg(
            v.sign + (size_t)(lm_bond_plane<SIGNS>(v, w.g, colour) * 2 * D + i) * v.rows * v.width +
            w.s.at);
    const uint32_t aligned = spins ^ w.flip;
    const lm_ising_class c = lm_ising_classify(D, u, aligned);
    r.change = w.valid & lm_ising_choose(D, &c, drawn.yes);
    r.spins = spins ^ r.change;
    r.valid = w.valid;
    r.flip = w.flip;
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++)
        r.seen[i] = u[i] ^ aligned;
    if (w.valid)
        *own = r.spins;
    return r;
}

/* Ends a sweep that is the last one of a record: somebody counts, and all threads meet. */
template <int D, bool METERS>
LM_INLINE void end_record(const lm_bits_view &v, const lm_meters &m, const lm_walk_times &t,
                          const walker<D> &w, const lm_ising_walk_word<D> &word, uint32_t record)
{
    if (METERS) {
        lm_leave_word(lm_place_of_record<lm_ising_walk_word<D>>(w.desk, m, record), word);
        lm_meet_relay(m, record);
    } else {
        const lm_walk_place p = lm_walk_place_of(v, t, w.g, record * t.record);
        lm_ising_walk_count<D>(v, lm_walk_due_of(t, p), word, lm_ising_walk_all_bonds<D>());
        lm_squad_sync(w.squad);
    }
}

/* Makes a sweep. METERS: the block has meters. QUIET: the sweep is not the last one of a record. */
template <int D, int SIGNS, bool METERS, bool QUIET>
LM_INLINE void walk_sweep(const lm_bits_view &v, const lm_meters &m, const lm_walk_times &t,
                          const walker<D> &w, lm_supply *s, uint32_t record)
{
    uint32_t before = 0;
    LM_UNROLL
    for (int colour = 0; colour < 2; colour++) {
        lm_disturb(LM_IN_BATCH);
        lm_supply_bring(s, w.ring);
        const lm_outcome<D> drawn = lm_supply_take<D>(s, w.ring, w.s.at);
        lm_ising_walk_word<D> word = update<D, SIGNS>(v, w, colour, drawn);
        word.before = before;
        before = word.change;
        lm_await_next();
        if (!QUIET && colour)
            end_record<D, METERS>(v, m, t, w, word, record);
        else
            lm_squad_sync(w.squad);
    }
}

/* Makes the sweeps of a ration. Quiet sweeps have a loop, and so have sweeps after which
 * something is counted, for records of one sweep. */
template <int D, int SIGNS, bool METERS>
LM_INLINE void walk_ration(const lm_bits_view &v, const lm_ahead &a, const lm_walk_times &t,
                           const lm_meters &m, const walker<D> &w, uint64_t ration)
{
    const uint32_t sweeps = lm_halves_of(a, ration) / 2;
    const uint64_t before = ration * (a.halves / 2);
    /* What a ration can come to fits in 32 bits: its sweeps until a record ends, and its records.
     */
    const uint64_t more = t.record - before % t.record;
    const uint32_t every = (uint32_t)min(t.record, (uint64_t)sweeps + 1);
    uint32_t left = (uint32_t)min(more, (uint64_t)sweeps + 1);
    uint32_t record = (uint32_t)(before / t.record);
    lm_supply s = lm_supply_of(lm_ration_outcomes<D>(a, ration) + w.g * a.words, a.by_half.d * D,
                               a.words * D, 2 * sweeps);
    lm_begin_supply(&s, w.ring);
    lm_squad_sync(w.squad);
    const uint32_t last = every == 1 ? sweeps : 0;
    for (uint32_t sweep = 0;; left = every) {
        const uint32_t end = min(sweeps, sweep + left - 1);
        for (; sweep < end; sweep++)
            walk_sweep<D, SIGNS, METERS, true>(v, m, t, w, &s, record);
        if (sweep == sweeps)
            break;
        do
            walk_sweep<D, SIGNS, METERS, false>(v, m, t, w, &s, record++);
        while (++sweep < last);
    }
}

/* Walks a ration of one group: loads the lattice from memory, sweeps it, and stores it. */
template <int D, int SIGNS, bool METERS>
LM_INLINE void walk(const lm_bits_view &v, const lm_ahead &a, const lm_walk_times &t,
                    const lm_meters &m, uint32_t g, uint64_t ration, uint32_t *memory)
{
    uint32_t *home = v.sites + g * v.group_stride;
    walker<D> w;
    w.g = g;
    w.words = (uint32_t)v.rows * v.width;
    w.squad = squad_of(a);
    w.flip = v.flip[g];
    w.ring = memory;
    w.sites = sites_of<D>(a, memory);
    const bool inside = threadIdx.x < w.words;
    w.s = lm_word_place_of<D>(v, inside ? threadIdx.x : 0);
    w.valid = inside ? lm_valid(v, w.s.j) & v.replicas_mask[g] : 0;
    for (uint32_t i = threadIdx.x; i < 2 * w.words; i += a.walking)
        w.sites[i] = home[i]; /* sublattices follow each other in a whole lattice */
    if (METERS) {
        const lm_ising_walk_word<D> same = {{}, 0, 0, 0, 0, w.valid, w.flip};
        w.desk = lm_place_of_word<lm_ising_walk_word<D>>(desk_of<D>(a, memory), threadIdx.x);
        lm_begin_desk(w.desk, m, same);
    }
    walk_ration<D, SIGNS, METERS>(v, a, t, m, w, ration); /* begins with a barrier */
    for (uint32_t i = threadIdx.x; i < 2 * w.words; i += a.walking)
        home[i] = w.sites[i];
}

/* Meters the groups that the walkers of its block walk, in their order. */
template <int D>
LM_INLINE void meter(const lm_bits_view &v, const lm_ahead &a, const lm_walk_times &t,
                     const lm_meters &m, uint32_t *memory)
{
    const lm_meter own = lm_meter_of(v, m);
    for (uint64_t ration = 0; ration * a.halves < a.total; ration++)
        for (uint32_t g = blockIdx.x; g < v.groups; g += a.walkers)
            lm_meter_sweeps<lm_ising_walk_counter<D>>(v, t, g, ration * (a.halves / 2),
                                                      lm_halves_of(a, ration) / 2, m, own,
                                                      desk_of<D>(a, memory));
}

/* METERS: the block has meters. Without meters kernels have code of their own: with both in one,
 * walkers without meters lost 3 to 5 %. */
template <int D, int SIGNS, int BLOCK, bool METERS>
__global__ void __launch_bounds__(BLOCK, LM_WALK_MOST / BLOCK)
    resident_kernel(lm_bits_view v, lm_ahead a, lm_walk_times t, lm_meters m)
{
    extern __shared__ uint4 memory_of_block[];
    uint32_t *memory = (uint32_t *)memory_of_block;
    const uint32_t first = lm_first_of_warp();
    if (blockIdx.x >= a.walkers || first >= m.end) {
        const bool helps = blockIdx.x < a.walkers;
        const lm_squad<LM_DRAWING> drawer = {helps ? m.end : 0, helps ? a.helping : BLOCK};
        if (first < drawer.first + drawer.threads)
            lm_draw_ahead<D>(v, a, drawer, helps ? (char *)memory + a.beside : (char *)memory);
        return;
    }
    if (METERS && first >= a.walking) {
        if (lm_meter_number(m) < m.metering / 32)
            meter<D>(v, a, t, m, memory);
        return;
    }
    const lm_squad<LM_WALKING> squad = squad_of(a);
    for (uint64_t ration = 0; ration * a.halves < a.total; ration++) {
        lm_ration_await(squad, a.ready, ration, a.drawers);
        for (uint32_t g = blockIdx.x; g < v.groups; g += a.walkers) {
            walk<D, SIGNS, METERS>(v, a, t, m, g, ration, memory);
            if (METERS)
                lm_meet_meters(m);
            else
                lm_squad_sync(squad);
        }
        lm_ration_post(squad, a.done, ration);
    }
}

typedef void (*kernel)(lm_bits_view, lm_ahead, lm_walk_times, lm_meters);

/* [meters][block][dimensions - 2][signs]. A multiprocessor has two blocks, of which one may
 * walk, or one large block (layout_of()). */
#define KERNEL(D, ...)                                                                             \
    {                                                                                              \
        resident_kernel<D, LM_NO_SIGNS, __VA_ARGS__>,                                              \
            resident_kernel<D, LM_SHARED_SIGNS, __VA_ARGS__>,                                      \
            resident_kernel<D, LM_OWN_SIGNS, __VA_ARGS__>                                          \
    }
#define KERNELS(...)                                                                               \
    {                                                                                              \
        KERNEL(2, __VA_ARGS__), KERNEL(3, __VA_ARGS__), KERNEL(4, __VA_ARGS__)                     \
    }
static const kernel kernels[2][2][3][LM_SIGN_KINDS] = {
    {KERNELS(LM_WALK_MOST / 2, false), KERNELS(LM_WALK_MOST, false)},
    {KERNELS(LM_WALK_MOST / 2, true), KERNELS(LM_WALK_MOST, true)}};

/* The layout of a launch's blocks. */
typedef struct launch_layout {
    int wide;         /* 1: large blocks, one to a multiprocessor */
    lm_meters meters; /* meters beside a walker */
    size_t most;      /* bytes of shared memory that a block may have */
} launch_layout;

/* Says whether a lattice has words enough for a large block. */
static int is_large(const lm_bits_view *v)
{
    return v->rows * v->width > LM_WALK_MOST / 2;
}

/* Returns the bytes of a walker without its desk. */
static size_t ring_and_sites(const lm_bits_view *v)
{
    return (LM_SUPPLY * (size_t)v->dims + 2) * lm_ahead_words(v) * sizeof(uint32_t);
}

/* Returns the meters where there are few groups. Each group then has all threads and all memory
 * of a multiprocessor, except one KiB, which a kernel may need by itself. */
static lm_meters meters_of_few(const lm_bits_view *v, size_t most)
{
    const size_t taken = ring_and_sites(v) + 1024;
    const uint32_t desk = most > taken ? (uint32_t)(most - taken) : 0;
    const lm_meter_limits limits = {LM_WALK_MOST, desk, {{768, 12}, {512, 8}}};
    const lm_meter_limits one = {LM_WALK_MOST, desk, {{768, 12}, {0, 0}}};
    lm_meters m = lm_ising_meters_of(v, lm_walking_of(v), &limits);
    if (m.metering == 0) /* the desk of two relays may be too large */
        m = lm_ising_meters_of(v, lm_walking_of(v), &one);
    return lm_meters_apart(&m, LM_WALK_MOST);
}

/* The most sweeps of a record for which few groups have meters. With longer records meters have
 * nothing to do for most of the time, and their threads may help drawing. */
enum { METERED_SWEEPS = 16 };

/*
 * Returns the layout of a launch with `record` sweeps of a record; 0: nothing is measured. If there
 * are few groups, each has a multiprocessor. The other multiprocessors then draw fast enough. A
 * drawer beside a walker would delay the walker by a sixth to a half (doc/performance.md).
 */
static launch_layout layout_of(const lm_bits_view *v, int device, int64_t record)
{
    int processors = 0, most = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const int few = v->groups * 11u <= (uint32_t)processors * 5u;
    const uint32_t walking = lm_walking_of(v);
    launch_layout p = {few || is_large(v), lm_no_meters(walking), (size_t)most};
    if (record > 0 && !few)
        p.meters = lm_ising_meters_of(v, walking, &lm_shared_limits);
    else if (record > 0 && record <= METERED_SWEEPS)
        p.meters = meters_of_few(v, p.most);
    return p;
}

static uint32_t block_of(const launch_layout *p)
{
    return p->wide ? LM_WALK_MOST : LM_WALK_MOST / 2;
}

static kernel choose(const lm_bits_view *v, const launch_layout *p)
{
    return kernels[p->meters.metering > 0][p->wide][v->dims - 2][lm_signs_of(v)];
}

/* Returns the bytes of a walker with its meters. */
static size_t walker_bytes(const lm_bits_view *v, const launch_layout *p)
{
    return ring_and_sites(v) + p->meters.bytes;
}

/* Returns the bytes of a block in which a walker is and `helping` threads draw, or of a block
 * that only draws. */
static size_t shared_bytes(const lm_bits_view *v, const launch_layout *p, uint32_t helping)
{
    const size_t walks = walker_bytes(v, p) + lm_ahead_queues(v->dims, helping);
    const size_t draws = lm_ahead_queues(v->dims, block_of(p));
    return walks > draws ? walks : draws;
}

/* Allows a kernel's blocks all the shared memory that the device has for one block, and returns
 * how much of it a launch may ask for. The limit holds for every thread of the process, so it is
 * always the largest. A thread that set it to the need of its own lattice could make a launch
 * fail which another thread is about to queue for a larger lattice. */
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
        cudaGetLastError(); /* the next launch must not find the error */
    return e == cudaSuccess && most > 0 ? (size_t)most : 0;
}

extern "C" size_t lm_ising_resident_bytes(const lm_bits_view *v)
{
    return lm_walk_serves(v) ? LM_AHEAD_RING * lm_ahead_halves(v) * lm_ahead_half(v) : 0;
}

/* Returns the threads of a walker's block that neither walk nor meter, if there is room for
 * their queues. */
static uint32_t idle_of(const lm_bits_view *v, const launch_layout *p)
{
    const uint32_t idle = block_of(p) - p->meters.end;
    return shared_bytes(v, p, idle) <= p->most ? idle : 0;
}

/* Returns the blocks that the device can hold at once, or 0 if one needs too much shared memory. */
static int64_t blocks_that_fit(const lm_bits_view *v, const launch_layout *p, int device)
{
    const void *const k = (const void *)choose(v, p);
    const size_t bytes = shared_bytes(v, p, idle_of(v, p));
    return bytes > allow_shared(k, device) ? 0
                                           : lm_blocks_at_once(k, device, (int)block_of(p), bytes);
}

/* Returns the most blocks that both kernels can have. */
extern "C" unsigned lm_ising_resident_blocks(const lm_bits_view *v, int device)
{
    if (!lm_ising_resident_bytes(v))
        return 0;
    const launch_layout quiet = layout_of(v, device, 0), measures = layout_of(v, device, 1);
    int64_t blocks = blocks_that_fit(v, &quiet, device);
    if (measures.meters.metering > 0) {
        const int64_t beside = blocks_that_fit(v, &measures, device);
        blocks = beside < blocks ? beside : blocks;
    }
    return blocks >= 2 ? (unsigned)blocks : 0;
}

/*
 * Returns how many threads help drawing in a block that walks. Helpers delay the walkers: by a
 * third where all threads help and the lattice is small. So no thread helps where walking takes
 * longer than drawing without help, and few help where walkers have several groups. The times of a
 * sweep are those of an H200, in ns. All threads of the device draw for a warp's words in 0.36 +
 * 0.18 D where they do nothing else. Fewer threads take longer; 1.3 was found with walkers that
 * share their multiprocessors with drawers.
 */
static uint32_t helping_of(const lm_bits_view *v, const launch_layout *p, unsigned blocks)
{
    const uint32_t idle = idle_of(v, p);
    const double warps = lm_walking_of(v) / 32.0, slower = v->dims > 2 ? 1.3 : 1.0;
    const unsigned walkers = lm_walkers_of(v, blocks), turns = (v->groups + walkers - 1) / walkers;
    const double walk = turns * (LM_WALK_NS + LM_WALK_WARP_NS * warps * slower);
    const double each = p->wide && !is_large(v)
                            ? (0.36 + 0.18 * v->dims) * blocks / (double)(blocks - walkers)
                            : 1.3;
    const uint32_t few = 128;
    if (each * v->groups * warps < 1.15 * walk)
        return 0;
    return turns > 1 && idle > few ? few : idle;
}

extern "C" cudaError_t lm_launch_ising_resident(const lm_bits_view *v, unsigned blocks,
                                                const lm_walk *w, void *buffer, lm_count *counters,
                                                cudaStream_t stream)
{
    lm_bits_view view = *v;
    int device = 0;
    cudaGetDevice(&device);
    const launch_layout p = layout_of(v, device, w->measures ? w->sweeps : 0);
    const uint32_t helping = helping_of(v, &p, blocks);
    lm_meters m = p.meters;
    lm_ahead a =
        lm_ahead_of(v, w, blocks, block_of(&p), helping, walker_bytes(v, &p), buffer, counters);
    lm_walk_times t = lm_walk_times_of(w);
    void *arguments[] = {&view, &a, &t, &m};
    const cudaError_t e =
        cudaMemsetAsync(counters, 0, LM_AHEAD_COUNTERS * sizeof *counters, stream);
    if (e != cudaSuccess)
        return e;
    /* The launch is cooperative, because drawers and walkers wait for each other. */
    return cudaLaunchCooperativeKernel((const void *)choose(v, &p), dim3(blocks),
                                       dim3(block_of(&p)), arguments, shared_bytes(v, &p, helping),
                                       stream);
}
