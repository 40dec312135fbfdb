/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One colour of a large whole folded lattice by the general rule: the heat bath, a field, couplings
 * that differ between the axes, missing bonds. As in large.cu a thread takes a patch of words, and
 * words that are tied after the head of 8 planes are queued and settled by as many threads as there
 * are of them. Here a queue is a warp's, so that no warp waits for another: it is settled when 32
 * words are there, or at the end.
 *
 * Each block has the planes of its group of replicas in shared memory. For Metropolis there are
 * those of two spins, but of two opposite moves one lowers the energy: it is made for certain, and
 * its threshold has no bits. So one table serves both spins, the bits of one or the other. Only
 * where in some replica both are less than certain and differ, as moves on loose lattices may in a
 * field (lm_ising_table: apart), each spin has its table.
 *
 * The work of a word of 32 sites in logical instructions, besides Philox (40) and what all large
 * lattices need (about 50): 9 for each class but one, 8 of them for its planes, and for Metropolis
 * 2 for what is certain.
 */
#include "backends/cuda/bits/patch.cuh"

enum { WARP = 32 };

/* Sets of bonds of equal coupling: one of all bonds, one for each axis, or one of all bonds some
 * of which may be missing. */
enum { ALIKE, AXES, GAPS, KINDS };

/* A rule's numbers for D dimensions, as lm_ising_shape has them, known to the compiler. */
template <int D, int KIND> struct rule {
    static constexpr int sets = KIND == AXES ? D : 1, bonds = 2 * D / sets;
    static constexpr int levels = (KIND == GAPS ? 2 * bonds : bonds) + 1;
    static constexpr int classes = KIND != AXES ? levels
                                   : D == 2     ? levels * levels
                                                : levels * levels * levels;
    static constexpr int each = levels > 16 ? 5 : levels > 8 ? 4 : levels > 4 ? 3 : 2;
    static constexpr int digits = sets * each, members = sets * levels; /* of a site's levels */
    static __device__ constexpr lm_ising_shape shape()
    {
        return {0, sets, bonds, KIND == GAPS, levels, classes};
    }
};

/* A class's words in shared memory: planes, then where its threshold is certain, for either spin.
 * Classes but the first have what differs from the first: then a site's bit is that of the first
 * and what its class adds, which is an instruction for each class but one. */
enum { CERTAIN = LM_ISING_PLANES, STRIDE = LM_ISING_PLANES + 4 };

template <class RULE, bool RARE> struct tables {
    alignas(16) uint32_t words[RARE ? 2 : 1][RULE::classes * STRIDE];
};

/* Words with tied sites, as a warp queues them: each thread may add four to less than 32. */
template <class RULE> struct queue {
    uint32_t at[5 * WARP], tied[5 * WARP]; /* word of the sublattice, sites */
    uint32_t digits[RULE::digits][5 * WARP];
};

/* What the threads of a block share, and each needs for every word. */
template <class RULE, bool RARE> struct block {
    const tables<RULE, RARE> &table;
    int apart, certain; /* each spin has its table; some class is certain */
    int heat_bath, tosses;
    lm_stream stream;
};

/* A word of a group's planes for both spins, down and up. */
LM_INLINE uint2 of_both(const uint32_t *planes, uint32_t up, uint32_t q, uint32_t k)
{
    const uint32_t *at = planes + q * LM_ISING_STRIDE + k;
    return make_uint2(at[0], at[up]);
}

/* What they say of a class in one table: planes, those of both spins if not `apart`; certain ones
 * as they are, number 32 of spin down and 33 of spin up. */
LM_INLINE uint32_t of_table(const uint32_t *planes, uint32_t up, int apart, int table, uint32_t q,
                            uint32_t k)
{
    const uint2 w = of_both(planes, up, q, k < CERTAIN ? k : CERTAIN);
    if (k >= CERTAIN)
        return k == CERTAIN ? w.x : w.y;
    return apart ? (table ? w.y : w.x) : w.x | w.y;
}

/* Takes the planes of a group to shared memory. Returns whether any class is certain. */
template <class RULE, bool RARE>
LM_INLINE int load_tables(const uint32_t *planes, int heat_bath, int apart, tables<RULE, RARE> *to)
{
    const uint32_t up = heat_bath ? 0 : RULE::classes * LM_ISING_STRIDE;
    uint32_t certain = 0;
    for (int table = 0; table <= apart; table++)
        for (uint32_t i = threadIdx.x; i < RULE::classes * STRIDE; i += LM_PATCH_BLOCK) {
            const uint32_t q = i / STRIDE, k = i - q * STRIDE;
            if (k > CERTAIN + 1)
                continue;
            const uint32_t word = of_table(planes, up, apart, table, q, k);
            certain |= k >= CERTAIN ? word : 0;
            to->words[table][i] = q ? word ^ of_table(planes, up, apart, table, 0, k) : word;
        }
    return __syncthreads_or(certain != 0);
}

/* The digits of the levels of a word's sites, and back. */
template <class RULE>
LM_INLINE void digits_of(const uint32_t *up, const uint32_t *gone, uint32_t *digits)
{
    const lm_ising_shape shape = RULE::shape();
    LM_UNROLL
    for (int set = 0; set < RULE::sets; set++) {
        uint32_t count[LM_ISING_DIGITS];
        lm_ising_level(&shape, set, up, gone, count);
        LM_UNROLL
        for (int j = 0; j < RULE::each; j++)
            digits[set * RULE::each + j] = count[j];
    }
}

template <class RULE> LM_INLINE void members_of(const uint32_t *digits, uint32_t *member)
{
    const lm_ising_shape shape = RULE::shape();
    LM_UNROLL
    for (int set = 0; set < RULE::sets; set++) {
        uint32_t count[LM_ISING_DIGITS] = {0, 0, 0, 0, 0};
        LM_UNROLL
        for (int j = 0; j < RULE::each; j++)
            count[j] = digits[set * RULE::each + j];
        lm_ising_members(&shape, count, member + set * RULE::levels);
    }
}

/* t[m]: N planes of the thresholds of the sites of some words, from number `first` on, in one
 * table. */
template <int N, int WORDS, class RULE>
LM_INLINE void gather(const uint32_t *table, const uint32_t member[WORDS][RULE::members], int first,
                      uint32_t t[WORDS][N])
{
    const lm_ising_shape shape = RULE::shape();
    LM_UNROLL
    for (int q = 0; q < RULE::classes; q++) {
        uint32_t p[N];
        LM_UNROLL
        for (int k = 0; k < N; k += 4)
            lm_load_four(table + q * STRIDE + first + k, p + k);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++) {
            const uint32_t of = q ? lm_ising_class_of(&shape, member[m], q, ~0u) : 0;
            LM_UNROLL
            for (int k = 0; k < N; k++)
                t[m][k] = q ? t[m][k] ^ (of & p[k]) : p[k];
        }
    }
}

/* The same, whichever table a site's spin has. */
template <int N, int WORDS, class RULE, bool RARE>
LM_INLINE void thresholds(const block<RULE, RARE> &b, const uint32_t member[WORDS][RULE::members],
                          const uint32_t *s, int first, uint32_t t[WORDS][N])
{
    gather<N, WORDS, RULE>(b.table.words[0], member, first, t);
    if (!RARE || !b.apart)
        return;
    uint32_t up[WORDS][N];
    gather<N, WORDS, RULE>(b.table.words[1], member, first, up);
    LM_UNROLL
    for (int m = 0; m < WORDS; m++)
        LM_UNROLL
    for (int k = 0; k < N; k++)
        t[m][k] = lm_select(s[m], up[m][k], t[m][k]);
}

/* The sites of some words whose outcome is certain. */
template <int WORDS, class RULE, bool RARE>
LM_INLINE void certain_sites(const block<RULE, RARE> &b,
                             const uint32_t member[WORDS][RULE::members], const uint32_t *s,
                             uint32_t *certain)
{
    const lm_ising_shape shape = RULE::shape();
    uint32_t down[WORDS], up[WORDS];
    LM_UNROLL
    for (int m = 0; m < WORDS; m++)
        down[m] = up[m] = 0;
    LM_UNROLL
    for (int q = 0; b.certain && q < RULE::classes; q++) {
        const uint2 c = *(const uint2 *)(b.table.words[0] + q * STRIDE + CERTAIN);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++) {
            const uint32_t of = q ? lm_ising_class_of(&shape, member[m], q, ~0u) : ~0u;
            down[m] ^= of & c.x;
            up[m] ^= of & c.y;
        }
    }
    LM_UNROLL
    for (int m = 0; m < WORDS; m++)
        certain[m] = lm_select(s[m], up[m], down[m]);
}

/* A queued word is settled: the sites that change. */
template <class RULE, bool RARE>
LM_INLINE uint32_t settle_word(const block<RULE, RARE> &b, const queue<RULE> &waiting, uint32_t i,
                               uint32_t *own)
{
    const uint32_t at = waiting.at[i], tied = waiting.tied[i], s = own[at];
    uint32_t digits[RULE::digits], member[1][RULE::members], r[4], t[1][4];
    lm_ballot ballot = {0, tied};
    LM_UNROLL
    for (int j = 0; j < RULE::digits; j++)
        digits[j] = waiting.digits[j][i];
    members_of<RULE>(digits, member[0]);
    for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && ballot.tied; draw++) {
        lm_random_words(&b.stream, at, draw, r);
        thresholds<4, 1>(b, member, &s, 4 * draw, t);
        lm_ballot_planes(&ballot, 4, r, t[0]);
    }
    uint32_t changes = lm_ising_changes(b.heat_bath, s, ballot.yes, tied);
    if (RARE && b.tosses)
        changes = lm_ising_toss(changes, &b.stream, at);
    own[at] = s ^ changes;
    return changes;
}

/* A warp settles its queued words, the last ones first, as long as there are so many. */
template <int SHAPE, class RULE, bool RARE>
LM_INLINE void settle(const lm_bits_view &v, uint32_t g, const block<RULE, RARE> &b,
                      const queue<RULE> &waiting, uint32_t least, uint32_t *queued, uint32_t *own,
                      int count, int *changed)
{
    __syncwarp(); /* what the others have queued, and stored */
    while (*queued >= least) {
        const uint32_t from = *queued > WARP ? *queued - WARP : 0;
        const uint32_t i = from + threadIdx.x % WARP;
        uint32_t changes = 0;
        if (i < *queued)
            changes = settle_word(b, waiting, i, own);
        lm_count_changed<SHAPE>(v, g, count, changes, changed);
        *queued = from;
        __syncwarp();
    }
}

/* All threads of a warp have their word queued, if it is tied. */
template <class RULE>
LM_INLINE void put(const uint32_t *digits, uint32_t at, uint32_t tied, uint32_t *queued,
                   queue<RULE> *waiting)
{
    const uint32_t lane = threadIdx.x % WARP, all = __ballot_sync(~0u, tied != 0);
    const uint32_t i = *queued + __popc(all & ((1u << lane) - 1u));
    *queued += __popc(all);
    if (!tied)
        return;
    waiting->at[i] = at;
    waiting->tied[i] = tied;
    LM_UNROLL
    for (int j = 0; j < RULE::digits; j++)
        waiting->digits[j][i] = digits[j];
}

/* digits[j][m] of the words of a patch. */
template <int D, int KIND, int SHAPE>
LM_INLINE void digits_of_patch(const lm_bits_view &v, const lm_patches &l, const lm_patch &p,
                               uint32_t group, int colour, const uint32_t *other,
                               uint32_t digits[][lm_patch_words(SHAPE)])
{
    typedef rule<D, KIND> RULE;
    constexpr int WORDS = lm_patch_words(SHAPE);
    uint32_t u[2 * D][WORDS], gone[2 * D][WORDS];
    if (v.sign)
        lm_around_patch<D, LM_OWN_SIGNS, SHAPE>(v, l, p, group, colour, other, u);
    else
        lm_around_patch<D, LM_NO_SIGNS, SHAPE>(v, l, p, group, colour, other, u);
    LM_UNROLL
    for (int i = 0; KIND == GAPS && i < 2 * D; i++)
        lm_load_patch<SHAPE>(l, p, lm_bonds_of<LM_OWN_SIGNS>(v, v.gone, group, colour, i), p.first,
                             gone[i]);
    LM_UNROLL
    for (int m = 0; m < WORDS; m++) {
        uint32_t of[2 * D], missing[2 * D], d[RULE::digits];
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++) {
            of[i] = u[i][m];
            missing[i] = KIND == GAPS ? gone[i][m] : 0;
        }
        digits_of<RULE>(of, missing, d);
        LM_UNROLL
        for (int j = 0; j < RULE::digits; j++)
            digits[j][m] = d[j];
    }
}

/* Four words of a patch: a row of it, or four. */
template <int SHAPE>
LM_INLINE void store_four(const lm_patches &l, const lm_patch &p, int which, const uint32_t *spins,
                          uint32_t *own)
{
    if (SHAPE == LM_BRICK)
        lm_store_row<SHAPE>(l, p, which, spins, own);
    else
        lm_store_patch<SHAPE>(l, p, spins, own);
}

/* What a thread knows of its patch. */
template <class RULE, int WORDS> struct work {
    uint32_t valid, spins[WORDS], digits[RULE::digits][WORDS];
    uint32_t queued; /* words of the warp's queue */
    int changed;
};

/* Words m and m + 1: what the head decides; and those with ties into the queue. */
template <int SHAPE, class RULE, bool RARE>
LM_INLINE void update_two(const lm_bits_view &v, const lm_patches &l, const lm_patch &p, uint32_t g,
                          const block<RULE, RARE> &b, int m, int count, queue<RULE> *waiting,
                          work<RULE, lm_patch_words(SHAPE)> *w)
{
    uint32_t of[2][RULE::digits], member[2][RULE::members], t[2][4 * LM_ISING_HEAD], certain[2];
    LM_UNROLL
    for (int i = 0; i < 2; i++) {
        LM_UNROLL
        for (int j = 0; j < RULE::digits; j++)
            of[i][j] = w->digits[j][m + i];
        members_of<RULE>(of[i], member[i]);
    }
    thresholds<4 * LM_ISING_HEAD, 2>(b, member, w->spins + m, 0, t);
    certain_sites<2>(b, member, w->spins + m, certain);
    LM_UNROLL
    for (int i = 0; i < 2; i++) {
        const uint32_t at = p.first + lm_patch_offset<SHAPE>(l, m + i);
        const uint32_t valid = lm_in_patch<SHAPE>(l, p, m + i) ? w->valid : 0;
        uint32_t r[4 * LM_ISING_HEAD];
        lm_ballot ballot = {valid & certain[i], valid & ~certain[i]};
        lm_draw_head(b.stream, at, r);
        lm_ballot_planes(&ballot, 4 * LM_ISING_HEAD, r, t[i]);
        uint32_t changes =
            lm_ising_changes(b.heat_bath, w->spins[m + i], ballot.yes, valid & ~ballot.tied);
        if (RARE && b.tosses)
            changes = lm_ising_toss(changes, &b.stream, at);
        w->spins[m + i] ^= changes;
        put(of[i], at, ballot.tied, &w->queued, waiting);
        lm_count_changed<SHAPE>(v, g, count, changes, &w->changed);
    }
}

/* RARE: coins are tossed, or each spin has its table. */
template <int D, int KIND, int SHAPE, bool RARE>
__global__ void __launch_bounds__(LM_PATCH_BLOCK, 3)
    ruled_kernel(lm_bits_view v, lm_patches l, lm_bits_pass pass)
{
    typedef rule<D, KIND> RULE;
    constexpr int WORDS = lm_patch_words(SHAPE);
    __shared__ tables<RULE, RARE> table;
    __shared__ queue<RULE> queues[LM_PATCH_BLOCK / WARP];
    queue<RULE> *waiting = queues + threadIdx.x / WARP;
    const uint32_t number = blockIdx.x * LM_PATCH_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.patches; /* no thread leaves early: warps settle together */
    const uint32_t group = g * (uint32_t)v.group_stride, half = (uint32_t)v.sublattice_stride;
    uint32_t *own = v.sites + (group + (pass.colour ? half : 0));
    const uint32_t *other = v.sites + (group + (pass.colour ? 0 : half));
    const int heat_bath = v.shape[pass.update].heat_bath, apart = RARE && v.apart;
    const size_t words = (size_t)(heat_bath ? 1 : 2) * RULE::classes * LM_ISING_STRIDE;
    /* What needs no spins is done while the previous colour ends. */
    const int certain =
        load_tables<RULE>(v.planes[pass.update] + g * words, heat_bath, apart, &table);
    const block<RULE, RARE> b = {
        table,
        apart,
        certain,
        heat_bath,
        !heat_bath && lm_ising_tosses(pass.step),
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour)};
    const lm_patch p = lm_locate<D, SHAPE>(l, inside ? number : 0, pass.colour);
    work<RULE, WORDS> w;
    w.queued = 0;
    w.changed = 0;
    w.valid = lm_valid_in<SHAPE>(v, p, g, inside);
    lm_await_previous();
    lm_load_patch<SHAPE>(l, p, own, p.first, w.spins);
    digits_of_patch<D, KIND, SHAPE>(v, l, p, g, pass.colour, other, w.digits);
    LM_UNROLL
    for (int four = 0; four < WORDS / 4; four++) {
        LM_UNROLL
        for (int m = 4 * four; m < 4 * four + 4; m += 2)
            update_two<SHAPE>(v, l, p, g, b, m, pass.count, waiting, &w);
        if (inside)
            store_four<SHAPE>(l, p, four, w.spins, own);
        settle<SHAPE>(v, g, b, *waiting, 4 * four + 4 < WORDS ? WARP : 1, &w.queued, own,
                      pass.count, &w.changed);
    }
    lm_add_changed(v, g, pass.count, w.changed);
}

typedef void (*kernel)(lm_bits_view, lm_patches, lm_bits_pass);

/* What is rare has the shape that serves all lattices. */
enum { RAGGED, BRICK, RARE, WAYS };
#define EACH(D, KIND)                                                                              \
    {                                                                                              \
        ruled_kernel<D, KIND, LM_RAGGED, false>, ruled_kernel<D, KIND, LM_BRICK, false>,           \
            ruled_kernel<D, KIND, LM_RAGGED, true>                                                 \
    }
/* [dimensions - 2][kind][way] */
static const kernel kernels[3][KINDS][WAYS] = {
    {EACH(2, ALIKE), EACH(2, AXES), EACH(2, GAPS)},
    {EACH(3, ALIKE), EACH(3, AXES), EACH(3, GAPS)},
    {EACH(4, ALIKE), {NULL, NULL, NULL}, EACH(4, GAPS)},
};

static int kind_of(const lm_ising_shape *s)
{
    return s->missing ? GAPS : s->sets > 1 ? AXES : ALIKE;
}

static int way_of(const lm_bits_view *v, const lm_bits_pass *pass)
{
    const int tosses = !v->shape[pass->update].heat_bath && lm_ising_tosses(pass->step);
    return tosses || v->apart ? RARE : lm_patch_shape(v) == LM_BRICK ? BRICK : RAGGED;
}

/* Not the 81 classes of four axes, nor axes that differ where bonds are missing. */
extern "C" int lm_ruled_serves(const lm_bits_view *v, int update)
{
    const lm_ising_shape *s = &v->shape[update];
    return lm_is_even(v) && v->groups < 65536 && (s->sets == 1 || (v->dims < 4 && !s->missing));
}

extern "C" cudaError_t lm_launch_ruled(const lm_bits_view *v, const lm_bits_pass *pass,
                                       cudaStream_t stream)
{
    const int way = way_of(v, pass);
    lm_patches l = lm_patches_of(v, way == BRICK ? LM_BRICK : LM_RAGGED);
    void *arguments[] = {(void *)v, &l, (void *)pass};
    return lm_launch_overlapping(
        (const void *)kernels[v->dims - 2][kind_of(&v->shape[pass->update])][way],
        dim3((l.patches + LM_PATCH_BLOCK - 1) / LM_PATCH_BLOCK, v->groups), LM_PATCH_BLOCK,
        arguments, v->overlaps, stream);
}
