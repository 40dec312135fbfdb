/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the general rule for words that threads have in registers: the heat bath, a field,
 * couplings that differ between the axes, missing bonds.
 *
 * Each block has the planes of its group of replicas in shared memory. Metropolis has thresholds
 * for both spins. But of two opposite moves one lowers the energy: it is certain, and its threshold
 * has no bits. So one table serves both spins, with the bits of one spin or the other. In some
 * replica both moves may be less than certain and differ, as in a field that is hardly felt
 * (lm_rule_table: by_spin). Only then each spin has its table.
 *
 * Words that are tied after the head of 8 planes are queued, as in ising_large.cu. As many threads
 * as there are queued words settle one each. Here each warp has a queue, so that no warp waits for
 * another. A warp settles its queue when 32 words are there, or at the end.
 *
 * A word of 32 sites takes these logical instructions, besides Philox (40) and what all large
 * lattices need (about 50): 9 for each class but one, 8 of them for its planes. Metropolis takes 2
 * more for certain moves.
 */
#ifndef LM_CUDA_BITS_ISING_RULE_CUH
#define LM_CUDA_BITS_ISING_RULE_CUH

#include "backends/cuda/bits/ising_uniform.cuh"
#include "backends/cuda/bits/patch.cuh"
#include "backends/cuda/bits/queue.cuh"

/* Sets of bonds of equal coupling: one set of all bonds; a set for each axis; or one set of all
 * bonds, of which some may be missing. */
enum { LM_ALIKE, LM_AXES, LM_GAPS, LM_RULE_KINDS };

/* A rule's numbers for D dimensions, as lm_rule_shape has them, known to the compiler. */
template <int D, int KIND> struct lm_rule {
    static constexpr int sets = KIND == LM_AXES ? D : 1, bonds = 2 * D / sets;
    static constexpr int levels = (KIND == LM_GAPS ? 2 * bonds : bonds) + 1;
    static constexpr int classes = KIND != LM_AXES ? levels
                                   : D == 2        ? levels * levels
                                                   : levels * levels * levels;
    static constexpr int each = levels > 16 ? 5 : levels > 8 ? 4 : levels > 4 ? 3 : 2;
    static constexpr int digits = sets * each,
                         all_levels = sets * levels; /* digits of a site's levels */
    static constexpr int kept = digits;              /* digits in a queue */
    static __device__ constexpr lm_rule_shape shape()
    {
        return {0, sets, bonds, KIND == LM_GAPS, levels, classes};
    }
};

/* A class's words in shared memory: its planes, then the replicas where its threshold is
 * certain, for either spin. Classes after the first hold their difference from the first. Then a
 * site's bit is the first class's bit and what its own class adds. This takes one instruction
 * for each class but one. */
enum { LM_CERTAIN_BIT_PLANE = LM_BIT_PLANES, LM_TABLE_STRIDE = LM_BIT_PLANES + 4 };

template <class RULE, bool RARE> struct lm_tables {
    alignas(16) uint32_t words[RARE ? 2 : 1][RULE::classes * LM_TABLE_STRIDE];
};

/* A warp's queue of words with tied sites. Each thread may add four words to fewer than 32. */
template <class RULE> struct lm_queue {
    uint32_t at[5 * LM_WARP], tied[5 * LM_WARP]; /* word of the sublattice; its tied sites */
    uint32_t digits[RULE::kept][5 * LM_WARP];
};

/* What the threads of a block share, and each needs for every word. */
template <class RULE, bool RARE> struct lm_rule_block {
    const lm_tables<RULE, RARE> &table;
    int by_spin, certain; /* 1: each spin has its table; some class is certain */
    int heat_bath;
    lm_stream stream;
    uint32_t base; /* window: what to add to a word's number for random numbers */
};

/* Makes a window's words be numbered from `base` on, with high half `high`. */
template <class BLOCK> LM_INLINE void lm_count_from(uint32_t base, uint32_t high, BLOCK *b)
{
    b->base = base;
    b->stream.c1 |= high;
}

/* Returns a word of a group's planes for both spins: x for down, y for up. */
LM_INLINE uint2 lm_of_both(const uint32_t *planes, uint32_t up, uint32_t q, uint32_t k)
{
    const uint32_t *at = planes + q * LM_RULE_STRIDE + k;
    return make_uint2(at[0], at[up]);
}

/* Returns word k of a class in one table. Planes are those of both spins if not `by_spin`. Words
 * 32 and 33 are the certain ones for spin down and spin up, as they are. */
LM_INLINE uint32_t lm_of_table(const uint32_t *planes, uint32_t up, int by_spin, int table,
                               uint32_t q, uint32_t k)
{
    const uint2 w = lm_of_both(planes, up, q, k < LM_CERTAIN_BIT_PLANE ? k : LM_CERTAIN_BIT_PLANE);
    if (k >= LM_CERTAIN_BIT_PLANE)
        return k == LM_CERTAIN_BIT_PLANE ? w.x : w.y;
    return by_spin ? (table ? w.y : w.x) : w.x | w.y;
}

/* Loads the planes of a group into shared memory. Returns whether any class is certain. */
template <class RULE, bool RARE>
LM_INLINE int lm_load_tables(const uint32_t *planes, int heat_bath, int by_spin,
                             lm_tables<RULE, RARE> *to)
{
    const uint32_t up = heat_bath ? 0 : RULE::classes * LM_RULE_STRIDE;
    uint32_t certain = 0;
    for (int table = 0; table <= by_spin; table++)
        for (uint32_t i = threadIdx.x; i < RULE::classes * LM_TABLE_STRIDE; i += blockDim.x) {
            const uint32_t q = i / LM_TABLE_STRIDE, k = i - q * LM_TABLE_STRIDE;
            if (k > LM_CERTAIN_BIT_PLANE + 1)
                continue;
            const uint32_t word = lm_of_table(planes, up, by_spin, table, q, k);
            certain |= k >= LM_CERTAIN_BIT_PLANE ? word : 0;
            to->words[table][i] = q ? word ^ lm_of_table(planes, up, by_spin, table, 0, k) : word;
        }
    return __syncthreads_or(certain != 0);
}

/* Finds the digits of the levels of a word's sites; lm_by_level_of() inverts it. */
template <class RULE>
LM_INLINE void lm_digits_of(const uint32_t *up, const uint32_t *gone, uint32_t *digits)
{
    const lm_rule_shape shape = RULE::shape();
    LM_UNROLL
    for (int set = 0; set < RULE::sets; set++) {
        uint32_t count[LM_LEVEL_DIGITS];
        lm_ising_level(&shape, set, up, gone, count);
        LM_UNROLL
        for (int j = 0; j < RULE::each; j++)
            digits[set * RULE::each + j] = count[j];
    }
}

template <class RULE> LM_INLINE void lm_by_level_of(const uint32_t *digits, uint32_t *by_level)
{
    const lm_rule_shape shape = RULE::shape();
    LM_UNROLL
    for (int set = 0; set < RULE::sets; set++) {
        uint32_t count[LM_LEVEL_DIGITS] = {0, 0, 0, 0, 0};
        LM_UNROLL
        for (int j = 0; j < RULE::each; j++)
            count[j] = digits[set * RULE::each + j];
        lm_sites_by_level(&shape, count, by_level + set * RULE::levels);
    }
}

/* Finds N planes of the thresholds of the sites of some words, t[m], from plane `first` on, in
 * one table. */
template <int N, int WORDS, class RULE>
LM_INLINE void lm_gather(const uint32_t *table, const uint32_t by_level[WORDS][RULE::all_levels],
                         int first, uint32_t t[WORDS][N])
{
    const lm_rule_shape shape = RULE::shape();
    LM_UNROLL
    for (int q = 0; q < RULE::classes; q++) {
        uint32_t p[N];
        LM_UNROLL
        for (int k = 0; k < N; k += 4)
            lm_load_four(table + q * LM_TABLE_STRIDE + first + k, p + k);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++) {
            const uint32_t of = q ? lm_class_of(&shape, by_level[m], q, ~0u) : 0;
            LM_UNROLL
            for (int k = 0; k < N; k++)
                t[m][k] = q ? t[m][k] ^ (of & p[k]) : p[k];
        }
    }
}

/* Finds the same planes, with the table that belongs to each site's spin. */
template <int N, int WORDS, class RULE, bool RARE>
LM_INLINE void lm_thresholds(const lm_rule_block<RULE, RARE> &b,
                             const uint32_t by_level[WORDS][RULE::all_levels], const uint32_t *s,
                             int first, uint32_t t[WORDS][N])
{
    lm_gather<N, WORDS, RULE>(b.table.words[0], by_level, first, t);
    if (!RARE || !b.by_spin)
        return;
    uint32_t up[WORDS][N];
    lm_gather<N, WORDS, RULE>(b.table.words[1], by_level, first, up);
    LM_UNROLL
    for (int m = 0; m < WORDS; m++)
        LM_UNROLL
    for (int k = 0; k < N; k++)
        t[m][k] = lm_select(s[m], up[m][k], t[m][k]);
}

/* Finds the sites of some words whose outcome is certain. */
template <int WORDS, class RULE, bool RARE>
LM_INLINE void lm_certain_sites(const lm_rule_block<RULE, RARE> &b,
                                const uint32_t by_level[WORDS][RULE::all_levels], const uint32_t *s,
                                uint32_t *certain)
{
    const lm_rule_shape shape = RULE::shape();
    uint32_t down[WORDS], up[WORDS];
    LM_UNROLL
    for (int m = 0; m < WORDS; m++)
        down[m] = up[m] = 0;
    LM_UNROLL
    for (int q = 0; b.certain && q < RULE::classes; q++) {
        const uint2 c =
            *(const uint2 *)(b.table.words[0] + q * LM_TABLE_STRIDE + LM_CERTAIN_BIT_PLANE);
        LM_UNROLL
        for (int m = 0; m < WORDS; m++) {
            const uint32_t of = q ? lm_class_of(&shape, by_level[m], q, ~0u) : ~0u;
            down[m] ^= of & c.x;
            up[m] ^= of & c.y;
        }
    }
    LM_UNROLL
    for (int m = 0; m < WORDS; m++)
        certain[m] = lm_select(s[m], up[m], down[m]);
}

/* Settles a queued word. Returns the sites that change. */
template <class RULE, bool RARE>
LM_INLINE uint32_t lm_settle_word(const lm_rule_block<RULE, RARE> &b, const lm_queue<RULE> &waiting,
                                  uint32_t i, uint32_t *own)
{
    const uint32_t at = waiting.at[i], tied = waiting.tied[i], s = own[at];
    uint32_t digits[RULE::digits], by_level[1][RULE::all_levels], r[4], t[1][4];
    lm_ballot ballot = {0, tied};
    LM_UNROLL
    for (int j = 0; j < RULE::digits; j++)
        digits[j] = waiting.digits[j][i];
    lm_by_level_of<RULE>(digits, by_level[0]);
    for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && ballot.tied; draw++) {
        lm_random_words(&b.stream, b.base + at, draw, r);
        lm_thresholds<4, 1>(b, by_level, &s, 4 * draw, t);
        lm_ballot_bit_planes(&ballot, 4, r, t[0]);
    }
    const uint32_t changes = lm_ising_changes(b.heat_bath, s, ballot.yes, tied);
    own[at] = s ^ changes;
    return changes;
}

/* What a thread works on: its group's sublattice, its warp's queue, and the changes that it
 * counts. */
template <class RULE> struct lm_rule_work {
    uint32_t g, *own;
    int count, changed; /* 1: count changes; changes that wait for lm_add_changed() */
    lm_queue<RULE> *waiting;
    uint32_t queued; /* words in the queue */
};

/* Settles a warp's queued words, the last ones first, as long as there are `least` of them. */
template <int SHAPE, class BLOCK, class RULE>
LM_INLINE void lm_settle_waiting(const lm_bits_view &v, const BLOCK &b, uint32_t least,
                                 lm_rule_work<RULE> *w)
{
    __syncwarp(); /* see what the others have queued, and stored */
    while (w->queued >= least) {
        const uint32_t from = lm_queue_last(w->queued), i = from + threadIdx.x % LM_WARP;
        uint32_t changes = 0;
        if (i < w->queued)
            changes = lm_settle_word(b, *w->waiting, i, w->own);
        lm_count_changed<SHAPE>(v, w->g, w->count, changes, &w->changed);
        w->queued = from;
        __syncwarp();
    }
}

/* Queues each thread's word if it is tied. All threads of a warp must call it. */
template <class RULE>
LM_INLINE void lm_queue_word(const uint32_t *digits, uint32_t at, uint32_t tied, uint32_t *queued,
                             lm_queue<RULE> *waiting)
{
    const uint32_t i = lm_queue_position(tied != 0, queued);
    if (!tied)
        return;
    waiting->at[i] = at;
    waiting->tied[i] = tied;
    LM_UNROLL
    for (int j = 0; j < RULE::kept; j++)
        waiting->digits[j][i] = digits[j];
}

/* Updates two words. Sites of valid[m] that the head decides get their new spins, and words with
 * ties go into the queue. changes[m]: the sites that change. All threads of a warp must call it. */
template <class RULE, bool RARE>
LM_INLINE void lm_update_two(const lm_rule_block<RULE, RARE> &b,
                             const uint32_t digits[2][RULE::digits], const uint32_t *at,
                             const uint32_t *valid, uint32_t *s, uint32_t *queued,
                             lm_queue<RULE> *waiting, uint32_t *changes)
{
    uint32_t by_level[2][RULE::all_levels], t[2][4 * LM_ISING_HEAD], certain[2];
    LM_UNROLL
    for (int m = 0; m < 2; m++)
        lm_by_level_of<RULE>(digits[m], by_level[m]);
    lm_thresholds<4 * LM_ISING_HEAD, 2>(b, by_level, s, 0, t);
    lm_certain_sites<2>(b, by_level, s, certain);
    LM_UNROLL
    for (int m = 0; m < 2; m++) {
        uint32_t r[4 * LM_ISING_HEAD];
        lm_ballot ballot = {valid[m] & certain[m], valid[m] & ~certain[m]};
        lm_draw_head(b.stream, b.base + at[m], r);
        lm_ballot_bit_planes(&ballot, 4 * LM_ISING_HEAD, r, t[m]);
        changes[m] = lm_ising_changes(b.heat_bath, s[m], ballot.yes, valid[m] & ~ballot.tied);
        s[m] ^= changes[m];
        lm_queue_word(digits[m], at[m], ballot.tied, queued, waiting);
    }
}

/* Loads the group's planes for an update, and what else its blocks share. */
template <class RULE, bool RARE>
LM_INLINE lm_rule_block<RULE, RARE> lm_rule_block_of(const lm_bits_view &v,
                                                     const lm_bits_pass &pass, uint32_t g,
                                                     lm_tables<RULE, RARE> *table)
{
    const int heat_bath = v.shape[pass.update].heat_bath, by_spin = RARE && v.by_spin;
    const size_t words = (size_t)(heat_bath ? 1 : 2) * RULE::classes * LM_RULE_STRIDE;
    const int certain =
        lm_load_tables(v.planes[pass.update] + g * words, heat_bath, by_spin, table);
    return {*table,
            by_spin,
            certain,
            heat_bath,
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour),
            0};
}

static int lm_kind_of(const lm_rule_shape *s)
{
    return s->missing ? LM_GAPS : s->sets > 1 ? LM_AXES : LM_ALIKE;
}

/* Says whether these kernels serve the update. They do not serve the 81 classes of four axes,
 * nor different axes where bonds are missing. */
static int lm_rule_serves(const lm_bits_view *v, int update)
{
    const lm_rule_shape *s = &v->shape[update];
    return v->groups < 65536 && (s->sets == 1 || (v->dims < 4 && !s->missing));
}

#endif
