/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loops of the Potts model in words, compiled once for each lane as lane.c is. */
#include LM_REAL_HEADER

#include "backends/cpu/bits/words.h"
#include "lib/physics/potts_heatbath.h"

/* States of a vector's sites, in `digits`, which may be more than they have. */
LM_INLINE void load_states(const lm_bits_band *b, int states, int digits, int64_t t, lm_word *s)
{
    const int has = lm_potts_digits(states);
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        s[k] = k < has ? lm_load(b->own + k * b->digit_stride + t) : lm_set(0);
}

LM_INLINE void store_states(const lm_bits_band *b, int states, int digits, int64_t t,
                            const lm_word *s, int n)
{
    const int has = lm_potts_digits(states);
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        if (k < has)
            lm_store_part(b->own + k * b->digit_stride + t, s[k], n);
}

LM_INLINE void load_around(const lm_bits_band *b, int states, int digits, int d, int64_t t,
                           int64_t phase, lm_digit_sites *at)
{
    const int has = lm_potts_digits(states);
    LM_UNROLL
    for (int k = 0; k < digits; k++) {
        lm_word v[LM_MAX_SLOTS];
        LM_UNROLL
        for (int i = 0; i < LM_MAX_SLOTS; i++)
            v[i] = lm_set(0);
        if (k < has)
            neighbours_of(b, d, k, t, phase, v);
        LM_UNROLL
        for (int i = 0; i < LM_MAX_SLOTS; i++)
            at->around[i][k] = v[i];
    }
}

LM_INLINE void load_bonds(const lm_bits_band *b, int d, int64_t t, lm_digit_sites *at)
{
    for (int i = 0; i < 2 * d; i++) {
        at->sign[i] = b->sign[i] ? lm_load(b->sign[i] + t) : lm_set(0);
        at->gone[i] = b->gone[i] ? lm_load(b->gone[i] + t) : lm_set(0);
    }
}

/* A vector's states where `changes` are those of t. */
LM_INLINE void put_changes(const lm_bits_band *b, int states, int digits, int64_t at,
                           const lm_word *s, const lm_word *t, lm_word changes, int n)
{
    lm_word now[LM_POTTS_DIGITS];
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        now[k] = lm_select(changes, t[k], s[k]);
    store_states(b, states, digits, at, now, n);
    if (b->changed)
        count_bits(b->shape, changes, n, b->changed, 1);
}

LM_INLINE void metropolis_by(const lm_bits_band *b, int states, int digits, int d, int plain)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_UPDATE);
    const lm_potts_way way = {.states = states,
                              .digits = digits,
                              .dims = d,
                              .plain = plain,
                              .other = b->other_state,
                              .rule = *b->rule};
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        lm_digit_sites at;
        lm_word to[LM_POTTS_DIGITS];
        load_states(b, states, digits, t, at.own);
        load_around(b, states, digits, d, t, phase, &at);
        if (!plain)
            load_bonds(b, d, t, &at);
        const lm_word changes = lm_potts_metropolis(&way, &at, active_at(b, phase), &stream,
                                                    b->index + (uint64_t)t, to);
        put_changes(b, states, digits, t, at.own, to, changes, n);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

/* Texts for two, three and four states, for up to 8 and for up to 16, all of which a text may know
 * no better than by their digits. */
typedef void loop(const lm_bits_band *b);
enum { TEXTS = 5 };

static int text_of(int states)
{
    return states <= 4 ? states - 2 : lm_potts_digits(states);
}

/* Of plain sites of two and three dimensions; of all others for few states and for many. */
#define PLAIN(text, states, d)                                                                     \
    static void plain_##text##_##d(const lm_bits_band *b)                                          \
    {                                                                                              \
        metropolis_by(b, states, lm_potts_digits(text), d, 1);                                     \
    }
#define PLAIN_OF(d)                                                                                \
    PLAIN(2, 2, d)                                                                                 \
    PLAIN(3, 3, d)                                                                                 \
    PLAIN(4, 4, d)                                                                                 \
    PLAIN(8, b->states, d)                                                                         \
    PLAIN(16, b->states, d)
PLAIN_OF(2)
PLAIN_OF(3)

static void metropolis(const lm_bits_band *b)
{
    static loop *const plain[2][TEXTS] = {{plain_2_2, plain_3_2, plain_4_2, plain_8_2, plain_16_2},
                                          {plain_2_3, plain_3_3, plain_4_3, plain_8_3, plain_16_3}};
    const int d = b->shape->dims;
    if (b->plain && (d == 2 || d == 3))
        plain[d - 2][text_of(b->states)](b);
    else if (b->states <= 4)
        metropolis_by(b, b->states, 2, d, 0);
    else
        metropolis_by(b, b->states, LM_POTTS_DIGITS, d, 0);
}

LM_INLINE void heat_bath_by(const lm_bits_band *b, int states, int digits, int d)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_UPDATE);
    const lm_potts_form form = lm_potts_form_of(states, digits, d, b->sets);
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        lm_digit_sites at;
        lm_word to[LM_POTTS_DIGITS];
        load_states(b, states, digits, t, at.own);
        load_around(b, states, digits, d, t, phase, &at);
        load_bonds(b, d, t, &at);
        lm_potts_heatbath(&form, b->bath, b->shape->segment, &at, &stream, b->index + (uint64_t)t,
                          to);
        const lm_word changes = lm_and(active_at(b, phase), lm_potts_apart(digits, at.own, to));
        put_changes(b, states, digits, t, at.own, to, changes, n);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

#define BATH(text, states)                                                                         \
    static void bath_##text(const lm_bits_band *b)                                                 \
    {                                                                                              \
        heat_bath_by(b, states, lm_potts_digits(text), b->shape->dims);                            \
    }
BATH(2, 2)
BATH(3, 3)
BATH(4, 4)
BATH(16, b->states)

static void heat_bath(const lm_bits_band *b)
{
    static loop *const of_states[TEXTS] = {bath_2, bath_3, bath_4, bath_16, bath_16};
    of_states[text_of(b->states)](b);
}

static void hot_states(const lm_bits_band *b)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_START);
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = lm_and(lm_load(b->shape->valid + phase), lm_set(b->lanes));
        lm_word s[LM_POTTS_DIGITS];
        lm_potts_hot(b->states, valid, &stream, b->index + (uint64_t)t, s);
        store_states(b, b->states, LM_POTTS_DIGITS, t, s, n);
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
LM_INLINE void state_bonds_by(const lm_bits_band *b, int digits, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const lm_row_patterns *shape = b->shape;
    const int step = shape->folded ? 1 : 2;
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = lm_and(lm_load(shape->valid + phase), lm_set(b->lanes));
        lm_digit_sites at;
        load_states(b, b->states, digits, t, at.own);
        load_around(b, b->states, digits, shape->dims, t, phase, &at);
        load_bonds(b, shape->dims, t, &at);
        for (int i = step - 1; i < 2 * shape->dims; i += step) {
            const lm_word alike =
                lm_andnot(lm_or(at.gone[i], lm_potts_apart(digits, at.own, at.around[i])), valid);
            add_bits(b, lm_andnot(at.sign[i], alike), n, 1, i / 2, sums);
            if (b->sign[i])
                add_bits(b, lm_and(at.sign[i], alike), n, -1, i / 2, sums);
        }
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

static void state_bonds(const lm_bits_band *b, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    if (b->states <= 4)
        state_bonds_by(b, 2, sums);
    else
        state_bonds_by(b, LM_POTTS_DIGITS, sums);
}

/* Sites in the first so many states, to the sums from number `first` on. */
static void count_states(const lm_bits_band *b, int first, int states,
                         int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = lm_and(lm_load(b->shape->valid + phase), lm_set(b->lanes));
        lm_word s[LM_POTTS_DIGITS];
        load_states(b, b->states, LM_POTTS_DIGITS, t, s);
        for (int a = 0; a < states; a++)
            add_bits(b, lm_and(valid, lm_potts_in_state(LM_POTTS_DIGITS, s, a)), n, 1, first + a,
                     sums);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

#define LM_STRING2(x) #x
#define LM_STRING(x)  LM_STRING2(x)

const lm_bits_loops LM_LANE_NAME(lm_potts_words_, ) = {
    .name = LM_STRING(LM_LANE),
    .lanes = LM_LANES,
    .metropolis = metropolis,
    .heat_bath = heat_bath,
    .hot_states = hot_states,
    .state_bonds = state_bonds,
    .count_states = count_states,
};
