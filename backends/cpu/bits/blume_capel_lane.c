/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of the Blume-Capel model, compiled once for each lane as lane.c is. */
#include LM_LANE_HEADER

#include "backends/cpu/bits/words.h"
#include "lib/physics/blume_capel.h"

/* A vector's sites and what is around them. */
LM_INLINE void load_sites(const lm_bits_band *b, int d, int plain, int64_t t, int64_t phase,
                          lm_digit_sites *at)
{
    LM_UNROLL
    for (int k = 0; k < LM_CAPEL_DIGITS; k++) {
        lm_word v[LM_MAX_SLOTS];
        at->own[k] = lm_load(b->own + k * b->digit_stride + t);
        neighbours_of(b, d, k, t, phase, v);
        for (int i = 0; i < 2 * d; i++)
            at->around[i][k] = v[i];
    }
    for (int i = 0; !plain && i < 2 * d; i++) {
        at->sign[i] = b->sign[i] ? lm_load(b->sign[i] + t) : lm_set(0);
        at->gone[i] = b->gone[i] ? lm_load(b->gone[i] + t) : lm_set(0);
    }
}

/* A vector's spins where `changes` are those of t. */
LM_INLINE void put_changes(const lm_bits_band *b, int64_t at, const lm_word *s, const lm_word *t,
                           lm_word changes, int n)
{
    LM_UNROLL
    for (int k = 0; k < LM_CAPEL_DIGITS; k++)
        lm_store_part(b->own + k * b->digit_stride + at, lm_select(changes, t[k], s[k]), n);
    if (b->changed)
        count_bits(b->shape, changes, n, b->changed, 1);
}

LM_INLINE void update_by(const lm_bits_band *b, int d, int plain, int bath)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_UPDATE);
    const lm_capel_way way = {.dims = d, .plain = plain, .rule = *b->rule};
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = active_at(b, phase);
        const uint64_t index = b->index + (uint64_t)t;
        lm_digit_sites at;
        lm_word to[LM_CAPEL_DIGITS];
        load_sites(b, d, plain, t, phase, &at);
        const lm_word changes = bath ? lm_capel_heatbath(&way.rule, &at, valid, &stream, index, to)
                                     : lm_capel_metropolis(&way, &at, valid, &stream, index, to);
        put_changes(b, t, at.own, to, changes, n);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

/* Texts for plain sites of two and three dimensions, and one for all others. */
static void metropolis(const lm_bits_band *b)
{
    const int d = b->shape->dims;
    if (b->plain && d == 2)
        update_by(b, 2, 1, 0);
    else if (b->plain && d == 3)
        update_by(b, 3, 1, 0);
    else
        update_by(b, d, 0, 0);
}

static void heat_bath(const lm_bits_band *b)
{
    update_by(b, b->shape->dims, 0, 1);
}

static void hot_states(const lm_bits_band *b)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_START);
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = lm_and(lm_load(b->shape->valid + phase), lm_set(b->lanes));
        lm_word s[LM_CAPEL_DIGITS];
        lm_capel_hot(valid, &stream, b->index + (uint64_t)t, s);
        LM_UNROLL
        for (int k = 0; k < LM_CAPEL_DIGITS; k++)
            lm_store_part(b->own + k * b->digit_stride + t, s[k], n);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

/* Adds the one-bits of some words to number k of the replicas' sums, so many times. */
static void add_bits(const lm_bits_band *b, lm_word v, int n, int times, int k,
                     int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    int64_t count[32] = {0};
    count_bits(b->shape, v, n, count, 1);
    for (int r = 0; r < b->shape->pack; r++)
        sums[r][k] += times * count[r];
}

/* Folded: the bonds of sublattice 0 are all there are. Natural: those upward. */
static void state_bonds(const lm_bits_band *b, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const int step = b->shape->folded ? 1 : 2, d = b->shape->dims;
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = lm_and(lm_load(b->shape->valid + phase), lm_set(b->lanes));
        lm_digit_sites at;
        load_sites(b, d, 0, t, phase, &at);
        for (int i = step - 1; i < 2 * d; i += step) {
            const lm_word both =
                lm_andnot(at.gone[i], lm_and(valid, lm_and(at.own[0], at.around[i][0])));
            const lm_word apart = lm_xor3(at.own[1], at.around[i][1], at.sign[i]);
            add_bits(b, both, n, 1, i / 2, sums);
            add_bits(b, lm_and(both, apart), n, -2, i / 2, sums);
        }
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

/* The sum of the spins to number `first`, that of their squares to the next one. */
static void count_states(const lm_bits_band *b, int first, int states,
                         int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    (void)states;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word some = lm_set(b->lanes);
        const lm_word there = lm_and(some, lm_load(b->own + t));
        add_bits(b, there, n, 1, first, sums);
        add_bits(b, there, n, 1, first + 1, sums);
        add_bits(b, lm_and(some, lm_load(b->own + b->digit_stride + t)), n, -2, first, sums);
        t += n;
    }
    lm_leave();
}

#define LM_STRING2(x) #x
#define LM_STRING(x)  LM_STRING2(x)

const lm_bits_loops LM_LANE_NAME(lm_blume_capel_loops_, ) = {
    .name = LM_STRING(LM_LANE),
    .lanes = LM_LANES,
    .metropolis = metropolis,
    .heat_bath = heat_bath,
    .hot_states = hot_states,
    .state_bonds = state_bonds,
    .count_states = count_states,
};
