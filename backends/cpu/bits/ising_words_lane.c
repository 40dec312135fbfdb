/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the inner loops of the Ising model, which are compiled once for each lane. LM_LANE is its
 * name and LM_LANE_HEADER its vocabulary. Only the table at the end is visible outside the object.
 * So no function compiled for one instruction set can be linked into code for another.
 */
#include LM_LANE_HEADER

#include "backends/cpu/bits/ising_words.h"
#include "backends/cpu/bits/tally.h"
#include "lib/physics/ising_words.h"

/* Loads the neighbours' spins in the order of the bonds, times the bonds' signs. */
LM_INLINE void neighbours(const lm_bits_band *b, int d, int64_t t, int64_t in_pattern, lm_word *v)
{
    neighbours_of(b, d, 0, t, in_pattern, v);
    if (b->sign[0])
        for (int i = 0; i < 2 * d; i++)
            v[i] = lm_xor(v[i], lm_load(b->sign[i] + t));
}

/* Updates n words from t on, with all of their draws at once. */
LM_INLINE void update_words(const lm_bits_band *b, int d, int64_t t, int64_t in_pattern, int n,
                            const lm_stream *stream)
{
    const uint64_t index = b->index + (uint64_t)t;
    const lm_word s = lm_load(b->own + t);
    lm_word up[LM_MAX_BONDS];
    neighbours(b, d, t, in_pattern, up);
    const lm_word change = lm_ising_metropolis(d, up, lm_xor(s, lm_set(b->flip)), b->planes,
                                               active_at(b, in_pattern), stream, index);
    lm_store_first(b->own + t, lm_xor(s, change), n);
    if (b->changed)
        count_bits(b->shape, change, n, b->changed);
}

#ifdef LM_PICKS
#include "backends/cpu/bits/ising_any_rule.h"
#include "backends/cpu/bits/ties.h"

/* Makes one more draw for tied words. The hints are the class's digits. Sites that are still tied
 * at the end do not flip. */
LM_INLINE lm_word settle_uniform(const void *rule, const lm_bits_band *b, const lm_word *hint,
                                 lm_word *tied, const lm_word *r, int draw)
{
    const int d = *(const int *)rule;
    const lm_ising_class c = {hint[0], d > 2 ? hint[1] : lm_set(0), lm_set(0), lm_set(0)};
    lm_ballot v = {lm_set(0), *tied};
    lm_ising_more_by(d, &v, &c, b->planes, r, draw);
    *tied = v.tied;
    return v.yes;
}

LM_INLINE void update_vector(const void *rule, const lm_bits_band *b, int64_t t, int64_t in_pattern,
                             int n, const lm_stream *stream, ties *q)
{
    const int d = *(const int *)rule;
    const uint64_t index = b->index + (uint64_t)t;
    const lm_word s = lm_load(b->own + t);
    lm_word up[LM_MAX_BONDS], r[4 * LM_ISING_HEAD];
    neighbours(b, d, t, in_pattern, up);
    const lm_ising_class c = lm_ising_classify(d, up, lm_xor(s, lm_set(b->flip)));
    const lm_word hint[] = {c.n0, c.n1};
    lm_random_draws(stream, index, 0, LM_ISING_HEAD, r);
    const lm_ballot v = lm_ising_head(d, &c, b->planes, r, active_in(b, in_pattern, n));
    store_words(b->own + t, lm_xor(s, v.yes), n);
    if (b->changed)
        count_bits(b->shape, v.yes, LM_LANES, b->changed);
    q->count = put_ties(q, q->count, lm_count_from((uint32_t)index), v.tied, hint, d > 2 ? 2 : 1);
}
#endif

LM_INLINE void update_band(const lm_bits_band *b, int d, const lm_stream *stream)
{
    int64_t in_pattern = b->in_pattern;
    for (int64_t t = b->begin, n; t < b->end; t += n) {
        n = next_count(b, t);
        update_words(b, d, t, in_pattern, (int)n, stream);
        in_pattern = next_in_pattern(b, in_pattern, (int)n);
    }
}

LM_INLINE void uniform(const lm_bits_band *bands, int count, int d)
{
    const lm_stream stream = stream_of(bands, LM_DOMAIN_UPDATE);
#ifdef LM_PICKS
    if (are_worth_ties(bands, count)) {
        const tie_rule rule = {update_vector, settle_uniform, &d, d > 2 ? 2 : 1};
        update_bands(bands, count, &stream, &rule);
        lm_leave();
        return;
    }
#endif
    for (int i = 0; i < count; i++)
        update_band(bands + i, d, &stream);
    lm_leave();
}

static void uniform2(const lm_bits_band *bands, int count)
{
    uniform(bands, count, 2);
}
static void uniform3(const lm_bits_band *bands, int count)
{
    uniform(bands, count, 3);
}
static void uniform4(const lm_bits_band *bands, int count)
{
    uniform(bands, count, 4);
}

/* Updates n words from t on, one draw after another. */
LM_INLINE void update_general(const lm_bits_band *b, int d, int64_t t, int64_t in_pattern, int n,
                              const lm_stream *stream)
{
    const lm_word s = lm_load(b->own + t);
    lm_word up[LM_MAX_BONDS], gone[LM_MAX_BONDS];
    neighbours(b, d, t, in_pattern, up);
    for (int i = 0; i < 2 * d && b->rule->shape.missing; i++)
        gone[i] = b->gone[i] ? lm_load(b->gone[i] + t) : lm_set(0);
    const lm_word now = lm_ising_general(b->rule, s, up, gone, active_at(b, in_pattern), stream,
                                         b->index + (uint64_t)t);
    lm_store_first(b->own + t, now, n);
    if (b->changed)
        count_bits(b->shape, lm_xor(s, now), n, b->changed);
}

#ifdef LM_PICKS
/* Updates whole vectors by code whose form the compiler knows, if there is such code. Otherwise it
 * returns 0. */
LM_INLINE int formed_vectors(const lm_bits_band *bands, int count, int heat_bath, int d,
                             const lm_stream *stream)
{
    const lm_rule_shape *s = &bands->rule->shape;
    if (s->sets == 1 && !s->missing)
        return update_any(bands, count, (any_form){heat_bath, d, 1, 0}, stream);
    if (s->sets == 1)
        return update_any(bands, count, (any_form){heat_bath, d, 1, 1}, stream);
    if (d <= 3 && !s->missing)
        return update_any(bands, count, (any_form){heat_bath, d, d, 0}, stream);
    return d == 2 && update_any(bands, count, (any_form){heat_bath, d, d, 1}, stream);
}

LM_INLINE int general_vectors(const lm_bits_band *bands, int count, int d, const lm_stream *stream)
{
    const lm_rule_shape *s = &bands->rule->shape;
    if (!are_worth_ties(bands, count) || !is_small(s))
        return 0;
    if (s->heat_bath)
        return formed_vectors(bands, count, 1, d, stream);
    return formed_vectors(bands, count, 0, d, stream);
}
#endif

LM_INLINE void general_band(const lm_bits_band *b, int d, const lm_stream *stream)
{
    int64_t in_pattern = b->in_pattern;
    for (int64_t t = b->begin, n; t < b->end; t += n) {
        n = next_count(b, t);
        update_general(b, d, t, in_pattern, (int)n, stream);
        in_pattern = next_in_pattern(b, in_pattern, (int)n);
    }
}

LM_INLINE void general(const lm_bits_band *bands, int count, int d)
{
    const lm_stream stream = stream_of(bands, LM_DOMAIN_UPDATE);
    int done = 0;
#ifdef LM_PICKS
    done = general_vectors(bands, count, d, &stream);
#endif
    for (int i = 0; i < count && !done; i++)
        general_band(bands + i, d, &stream);
    lm_leave();
}

static void general1(const lm_bits_band *bands, int count)
{
    general(bands, count, 1);
}
static void general2(const lm_bits_band *bands, int count)
{
    general(bands, count, 2);
}
static void general3(const lm_bits_band *bands, int count)
{
    general(bands, count, 3);
}
static void general4(const lm_bits_band *bands, int count)
{
    general(bands, count, 4);
}

static void hot(const lm_bits_band *b)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_START);
    int64_t in_pattern = b->in_pattern;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        lm_word r[4];
        lm_random_words(&stream, b->index + (uint64_t)t, 0, r);
        const lm_word valid =
            lm_and(lm_load(b->shape->valid + in_pattern), lm_set(b->replicas_mask));
        lm_store_first(b->own + t, lm_and(r[0], valid), n);
        in_pattern = next_in_pattern(b, in_pattern, n);
        t += n;
    }
    lm_leave();
}

/* Finds the bonds that a vector's sites see along an axis: those that are there, and the
 * unsatisfied ones among them. In a natural lattice they are the bonds upward. */
LM_INLINE void find_bonds(const lm_bits_band *b, int a, int64_t t, lm_word valid, lm_word s,
                          const lm_word *v, lm_word *there, lm_word *broken)
{
    LM_UNROLL
    for (int i = 0; i < 2; i++) {
        const uint32_t *const gone = b->gone[2 * a + i];
        there[i] = i == 0 && !b->shape->folded ? lm_set(0)
                   : gone                      ? lm_andnot(lm_load(gone + t), valid)
                                               : valid;
        broken[i] = lm_and(there[i], lm_xor(v[2 * a + i], s));
    }
}

LM_INLINE void add_bonds(const lm_bits_band *b, int d, sum_tally *sums)
{
    int64_t in_pattern = b->in_pattern;
    for (int64_t t = b->begin, n; t < b->end;
         t += n, in_pattern = next_in_pattern(b, in_pattern, (int)n)) {
        n = next_count(b, t);
        const lm_word s = lm_load(b->own + t), valid = first_of(valid_at(b, in_pattern), (int)n);
        lm_word v[LM_MAX_BONDS];
        neighbours(b, d, t, in_pattern, v);
        LM_UNROLL
        for (int a = 0; a < d; a++) {
            lm_word there[2], broken[2];
            find_bonds(b, a, t, valid, s, v, there, broken);
            add_turned(&sums[a], broken[0], broken[1], b->shape);
            if (b->gone[0])
                add_all(&sums[a], there[0], there[1], b->shape);
        }
    }
}

/* If no bonds can be missing, their number is known. */
LM_INLINE void bond_sums(const lm_bits_band *bands, int count, int d,
                         int64_t (*bonds)[LM_BITS_MAX_SUMS])
{
    const lm_row_patterns *const s = bands->shape;
    sum_tally sums[LM_MAX_BONDS / 2];
    int64_t known = 0;
    for (int a = 0; a < d; a++)
        begin_sum(&sums[a], s);
    for (const lm_bits_band *b = bands; b < bands + count; b++) {
        add_bonds(b, d, sums);
        known += b->gone[0] ? 0 : (s->folded ? 2 : 1) * sites_of(b);
    }
    for (int a = 0; a < d; a++)
        end_sum(&sums[a], s, a, known, bonds);
    lm_leave();
}

static void bond_sums1(const lm_bits_band *bands, int count, int64_t (*bonds)[LM_BITS_MAX_SUMS])
{
    bond_sums(bands, count, 1, bonds);
}
static void bond_sums2(const lm_bits_band *bands, int count, int64_t (*bonds)[LM_BITS_MAX_SUMS])
{
    bond_sums(bands, count, 2, bonds);
}
static void bond_sums3(const lm_bits_band *bands, int count, int64_t (*bonds)[LM_BITS_MAX_SUMS])
{
    bond_sums(bands, count, 3, bonds);
}
static void bond_sums4(const lm_bits_band *bands, int count, int64_t (*bonds)[LM_BITS_MAX_SUMS])
{
    bond_sums(bands, count, 4, bonds);
}

static void count_up(const lm_bits_band *bands, int count, int64_t *ups)
{
    tally up = {0};
    lm_word other = lm_set(0); /* waits for the next one */
    int waits = 0;
    for (const lm_bits_band *b = bands; b < bands + count; b++)
        for (int64_t t = b->begin, n; t < b->end; t += n, waits = !waits) {
            n = next_count(b, t);
            const lm_word s =
                first_of(lm_and(lm_load(b->own + t), lm_set(b->replicas_mask)), (int)n);
            if (waits)
                add_to_tally(&up, other, s, b->shape, ups);
            other = s;
        }
    if (waits)
        add_to_tally(&up, other, lm_set(0), bands->shape, ups);
    end_tally(&up, bands->shape, ups);
    lm_leave();
}

#include "backends/cpu/bits/ising_twins.h"

const lm_ising_loops LM_LANE_NAME(lm_ising_loops_, ) = {
    .head = {.name = LM_LANE_STRING(LM_LANE),
             .words = LM_LANES,
             .hot = hot,
             .count_apart = count_apart,
             .count_links = {count_links1, count_links2, count_links3, count_links4}},
    .uniform = {uniform2, uniform3, uniform4},
    .general = {general1, general2, general3, general4},
    .bond_sums = {bond_sums1, bond_sums2, bond_sums3, bond_sums4},
    .count_up = count_up,
};
