/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes many sweeps and measurements of small lattices in one launch, by any rule. A block for each
 * group of replicas keeps its lattice in shared memory and has a thread for each word of a colour.
 * It draws for itself and waits for no other block. So it serves groups that fill a device, and
 * rules that cannot be drawn ahead. With few groups the resident kernel is faster.
 */
#include "backends/cuda/bits/ising_rule.cuh"
#include "backends/cuda/bits/ising_walk.cuh"

/* A block's group, and a thread's word of each colour. */
template <int D> struct place {
    uint32_t g, words, valid;
    lm_word_place<D> s;
};

/* The random words of a half sweep. Of 32 threads one nearly always has a tied site after the
 * head, and one in five warps has one after another draw. So this draw is made with the head. */
enum { DRAWN = LM_ISING_HEAD + 1 };

typedef struct drawn {
    lm_stream stream;
    uint32_t words[4 * DRAWN];
} drawn;

LM_INLINE drawn draw(const lm_bits_view &v, uint32_t g, uint32_t at, uint64_t sweep, int colour)
{
    drawn r;
    r.stream = lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, sweep, v.first_group + g, (uint32_t)colour);
    LM_UNROLL
    for (int i = 0; i < DRAWN; i++)
        lm_random_words(&r.stream, at, i, r.words + 4 * i);
    return r;
}

/* ---- rules: what the threads of a block share, what each keeps, and how it updates a word. u:
 * the neighbours' spins times the bonds' signs. The update returns the sites that change. */

template <int D> struct uniform_rule {
    /* Sweeps after which something is counted have a loop of their own. All bonds are present. */
    static constexpr bool splits = true;
    struct table {
        alignas(16) uint32_t planes[32 * D];
    };
    uint32_t flip;
};

template <int D>
LM_INLINE void begin(const lm_bits_view &v, uint32_t g, int, typename uniform_rule<D>::table *table,
                     uniform_rule<D> *rule)
{
    for (uint32_t i = threadIdx.x; i < 32 * D; i += blockDim.x)
        table->planes[i] = v.uniform_planes[g * 32 * D + i];
    rule->flip = v.flip[g];
}

template <int D>
LM_INLINE uint32_t changes(const uniform_rule<D> &rule,
                           const typename uniform_rule<D>::table &table, const place<D> &p,
                           const drawn &r, uint32_t spins, const uint32_t *u, const uint32_t *)
{
    const lm_ising_class c = lm_ising_classify(D, u, spins ^ rule.flip);
    lm_ballot b = lm_ising_head(D, &c, table.planes, r.words, p.valid);
    if (b.tied)
        lm_ising_more_by(D, &b, &c, table.planes, r.words + 4 * LM_ISING_HEAD, LM_ISING_HEAD);
    for (int draw = DRAWN; draw < LM_ISING_DRAWS && b.tied; draw++)
        lm_ising_more(D, &b, &c, table.planes, &r.stream, p.s.at, draw);
    return b.yes;
}

/* Rules of missing bonds have one loop, since with two loops either one lacks registers. They
 * have no meters either, since meters know of no missing bonds. */
template <int D, int KIND> struct general_rule {
    static constexpr bool splits = KIND != LM_GAPS;
    typedef lm_rule<D, KIND> RULE;
    typedef lm_tables<RULE, true> table;
    int heat_bath, by_spin, certain;
};

template <int D, int KIND>
LM_INLINE void begin(const lm_bits_view &v, uint32_t g, int update,
                     typename general_rule<D, KIND>::table *table, general_rule<D, KIND> *rule)
{
    typedef lm_rule<D, KIND> RULE;
    rule->heat_bath = v.shape[update].heat_bath;
    rule->by_spin = v.by_spin;
    const size_t words = (size_t)(rule->heat_bath ? 1 : 2) * RULE::classes * LM_RULE_STRIDE;
    rule->certain =
        lm_load_tables(v.planes[update] + g * words, rule->heat_bath, rule->by_spin, table);
}

template <int D, int KIND>
LM_INLINE uint32_t changes(const general_rule<D, KIND> &rule,
                           const typename general_rule<D, KIND>::table &table, const place<D> &p,
                           const drawn &r, uint32_t spins, const uint32_t *u, const uint32_t *gone)
{
    typedef lm_rule<D, KIND> RULE;
    const lm_rule_block<RULE, true> b = {table, rule.by_spin, rule.certain, rule.heat_bath,
                                         r.stream};
    uint32_t digits[RULE::digits], by_level[1][RULE::all_levels], certain[1];
    uint32_t t[1][4 * LM_ISING_HEAD];
    lm_digits_of<RULE>(u, gone, digits);
    lm_by_level_of<RULE>(digits, by_level[0]);
    lm_certain_sites<1>(b, by_level, &spins, certain);
    lm_thresholds<4 * LM_ISING_HEAD, 1>(b, by_level, &spins, 0, t);
    lm_ballot ballot = {p.valid & certain[0], p.valid & ~certain[0]};
    lm_ballot_bit_planes(&ballot, 4 * LM_ISING_HEAD, r.words, t[0]);
    for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && ballot.tied; draw++) {
        uint32_t more[1][4], of[4];
        LM_UNROLL
        for (int k = 0; k < 4; k++)
            of[k] = r.words[4 * LM_ISING_HEAD + k];
        if (draw >= DRAWN)
            lm_random_words(&r.stream, p.s.at, (uint32_t)draw, of);
        lm_thresholds<4, 1>(b, by_level, &spins, 4 * draw, more);
        lm_ballot_bit_planes(&ballot, 4, of, more[0]);
    }
    return lm_ising_changes(b.heat_bath, spins, ballot.yes, p.valid);
}

/* ---- the walk */

/* Returns a word of the signs of a slot's bonds, or of its missing ones; 0 if there are none. */
template <int D>
LM_INLINE uint32_t bond(const lm_bits_view &v, const uint32_t *bonds, const place<D> &p, int colour,
                        int slot)
{
    return bonds ? __ldg(lm_bonds_of<LM_OWN_SIGNS>(v, bonds, p.g, colour, slot) + p.s.at) : 0;
}

/* Makes one half sweep of a word. */
template <int D, class RULE>
LM_INLINE lm_ising_walk_word<D> update(const lm_bits_view &v, const RULE &rule,
                                       const typename RULE::table &table, const place<D> &p,
                                       int colour, const drawn &r, uint32_t *sites,
                                       lm_ising_walk_bonds<D> *bonds)
{
    uint32_t *own = sites + (colour ? p.words : 0) + p.s.at, u[2 * D], gone[2 * D];
    const uint32_t *other = sites + (colour ? 0 : p.words);
    const uint32_t spins = p.valid ? *own : 0; /* a thread without a word must not read others' */
    lm_ising_walk_word<D> w;
    lm_around_word<D>(other, p.s, colour, u);
    w.mate = u[0];
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++) {
        gone[i] = bond(v, v.gone, p, colour, i);
        u[i] ^= bond(v, v.sign, p, colour, i);
    }
    w.change = changes(rule, table, p, r, spins, u, gone);
    w.spins = spins ^ w.change;
    w.valid = p.valid;
    w.flip = 0;
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++) {
        bonds->present[i] = ~gone[i];
        w.seen[i] = u[i] ^ spins;
    }
    if (p.valid)
        *own = w.spins;
    return w;
}

/* Ends the last sweep of a record: somebody counts, and all threads meet. */
template <int D, bool METERS>
LM_INLINE void end_record(const lm_bits_view &v, const lm_walk_times &t, const lm_meters &m,
                          uint4 *desk, const lm_walk_place &at, const lm_ising_walk_word<D> &w,
                          const lm_ising_walk_bonds<D> &bonds)
{
    if (METERS && m.metering > 0) {
        const uint32_t record = (uint32_t)at.record;
        lm_leave_word(lm_place_of_record<lm_ising_walk_word<D>>(desk, m, record), w);
        lm_meet_relay(m, record);
    } else {
        lm_ising_walk_count<D>(v, lm_walk_due_of(t, at), w, bonds);
        lm_squad_sync(lm_walkers_of(m));
    }
}

/* What all sweeps of a thread have. */
template <int D, class RULE> struct walker {
    const lm_bits_view &v;
    const lm_walk_times &t;
    const RULE &rule;
    const typename RULE::table &table;
    const place<D> &p;
    uint32_t *sites;
    const lm_meters &m;
    uint4 *desk;
};

/* Makes a sweep. QUIET: nothing is counted after it. AHEAD: *next has its first random words,
 * and then those of the next sweep. */
template <int D, bool AHEAD, bool QUIET, class RULE>
LM_INLINE void walk_sweep(const walker<D, RULE> &by, uint64_t sweep, const lm_walk_place &at,
                          drawn *next)
{
    const lm_bits_view &v = by.v;
    const place<D> &p = by.p;
    uint32_t before = 0;
    LM_UNROLL
    for (int colour = 0; colour < 2; colour++) {
        const drawn now = AHEAD ? *next : draw(v, p.g, p.s.at, sweep, colour);
        if (AHEAD)
            *next = draw(v, p.g, p.s.at, sweep + colour, !colour);
        lm_ising_walk_bonds<D> bonds;
        lm_ising_walk_word<D> w = update<D>(v, by.rule, by.table, p, colour, now, by.sites, &bonds);
        w.before = before;
        before = w.change;
        if (!QUIET && colour && at.left == 1)
            end_record<D, RULE::splits>(v, by.t, by.m, by.desk, at, w, bonds);
        else
            lm_squad_sync(lm_walkers_of(by.m));
    }
}

template <int D, class RULE, int MOST>
__global__ void __launch_bounds__(MOST)
    alone_kernel(lm_bits_view v, lm_walk_times t, int which, uint64_t step, lm_meters m)
{
    constexpr bool AHEAD = MOST < LM_WALK_MOST;
    extern __shared__ uint4 parcels[];
    __shared__ uint32_t sites[2 * MOST];
    __shared__ typename RULE::table table;
    uint32_t *home = v.sites + blockIdx.x * v.group_stride;
    place<D> p;
    RULE rule;
    p.g = blockIdx.x;
    p.words = (uint32_t)v.rows * v.width;
    p.s = lm_word_place_of<D>(v, threadIdx.x < p.words ? threadIdx.x : 0);
    p.valid = threadIdx.x < p.words ? lm_valid(v, p.s.j) & v.replicas_mask[p.g] : 0;
    begin(v, p.g, which, &table, &rule);
    for (uint32_t i = threadIdx.x; i < 2 * p.words; i += blockDim.x)
        sites[i] = home[i]; /* sublattices follow each other in a whole lattice */
    __syncthreads();
    if (RULE::splits && lm_first_of_warp() >= m.walking) {
        lm_meter_sweeps<lm_ising_walk_counter<D>>(v, t, p.g, 0, t.record * t.records, m,
                                                  lm_meter_of(v, m), parcels);
        return;
    }
    uint4 *desk = lm_place_of_word<lm_ising_walk_word<D>>(parcels, threadIdx.x);
    if (RULE::splits) {
        const lm_ising_walk_word<D> same = {{}, 0, 0, 0, 0, p.valid, 0};
        lm_begin_desk(desk, m, same);
    }
    const walker<D, RULE> by = {v, t, rule, table, p, sites, m, desk};
    lm_walk_place at = lm_walk_place_of(v, t, p.g, 0);
    const uint64_t end = step + t.record * t.records;
    drawn next;
    if (AHEAD)
        next = draw(v, p.g, p.s.at, step, 0);
    for (uint64_t sweep = step; sweep < end;) {
        const uint64_t due = RULE::splits ? min(end, sweep + at.left - 1) : sweep;
        at.left -= due - sweep;
        for (; sweep < due; sweep++)
            walk_sweep<D, AHEAD, true>(by, sweep, at, &next);
        if (sweep < end) {
            walk_sweep<D, AHEAD, false>(by, sweep++, at, &next);
            lm_walk_on(v, t, &at);
        }
    }
    if (RULE::splits && m.metering > 0)
        lm_meet_meters(m);
    for (uint32_t i = threadIdx.x; i < 2 * p.words; i += m.walking)
        home[i] = sites[i];
}

typedef void (*kernel)(lm_bits_view, lm_walk_times, int, uint64_t, lm_meters);

/* [threads][dimensions - 2][kind]: the uniform rule comes after the kinds of lm_kind_of. Blocks
 * of at most half the threads have twice the registers. */
enum { UNIFORM = LM_RULE_KINDS, KINDS };
#define GENERAL(D, KIND, MOST) alone_kernel<D, general_rule<D, KIND>, MOST>
#define KERNELS(MOST)                                                                              \
    {                                                                                              \
        {GENERAL(2, LM_ALIKE, MOST), GENERAL(2, LM_AXES, MOST), GENERAL(2, LM_GAPS, MOST),         \
         alone_kernel<2, uniform_rule<2>, MOST>},                                                  \
            {GENERAL(3, LM_ALIKE, MOST), GENERAL(3, LM_AXES, MOST), GENERAL(3, LM_GAPS, MOST),     \
             alone_kernel<3, uniform_rule<3>, MOST>},                                              \
            {GENERAL(4, LM_ALIKE, MOST), NULL, GENERAL(4, LM_GAPS, MOST),                          \
             alone_kernel<4, uniform_rule<4>, MOST>},                                              \
    }
static const kernel kernels[2][3][KINDS] = {KERNELS(LM_WALK_MOST / 2), KERNELS(LM_WALK_MOST)};

extern "C" int lm_ising_alone_serves(const lm_bits_view *v, int update, int uniform)
{
    return lm_walk_serves(v) && (uniform || lm_rule_serves(v, update));
}

extern "C" cudaError_t lm_launch_ising_alone(const lm_bits_view *v, const lm_walk *w, int uniform,
                                             cudaStream_t stream)
{
    const unsigned threads = (unsigned)(v->rows * v->width + LM_WARP - 1) / LM_WARP * LM_WARP;
    const int kind = uniform ? UNIFORM : lm_kind_of(&v->shape[w->update]);
    const lm_meters m = w->metering && kind != LM_GAPS
                            ? lm_ising_meters_of(v, threads, &lm_shared_limits)
                            : lm_no_meters(threads);
    kernels[threads > LM_WALK_MOST / 2][v->dims - 2]
           [kind]<<<v->groups, threads + m.metering, m.bytes, stream>>>(*v, lm_walk_times_of(w),
                                                                        w->update, w->step, m);
    return cudaGetLastError();
}
