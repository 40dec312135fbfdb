/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the inner loops of the Potts model in words, which are compiled once for each lane as
 * those of ising_words_lane.c are. */
#include LM_REAL_HEADER

#include "backends/cpu/bits/digits.h"
#include "backends/cpu/bits/potts_words.h"
#include "lib/physics/potts_words_heatbath.h"

LM_INLINE const lm_potts_more *more_of(const lm_bits_band *b)
{
    return b->more;
}

LM_INLINE lm_word by_classes(const lm_bits_band *b, const void *way, const lm_digit_sites *at,
                             lm_word valid, const lm_stream *stream, uint64_t index, lm_word *to)
{
    (void)b;
    return lm_potts_metropolis(way, at, valid, stream, index, to);
}

LM_INLINE void metropolis_by(const lm_bits_band *b, int states, int digits, int d, int plain)
{
    const lm_potts_way way = {.states = states,
                              .digits = digits,
                              .dims = d,
                              .plain = plain,
                              .other = more_of(b)->other_state,
                              .rule = *b->rule};
    update_digits(b, lm_potts_digits(states), digits, d, plain, by_classes, &way);
}

LM_INLINE lm_word by_weights(const lm_bits_band *b, const void *form, const lm_digit_sites *at,
                             lm_word valid, const lm_stream *stream, uint64_t index, lm_word *to)
{
    const lm_potts_form *f = form;
    lm_potts_words_heatbath(f, more_of(b)->bath, b->shape->segment, at, stream, index, to);
    return lm_and(valid, lm_potts_apart(f->digits, at->own, to));
}

LM_INLINE void heat_bath_by(const lm_bits_band *b, int states, int digits, int d)
{
    const lm_potts_form form = lm_potts_form_of(states, digits, d, more_of(b)->sets);
    update_digits(b, lm_potts_digits(states), digits, d, 0, by_weights, &form);
}

#ifdef LM_ONE_TEXT /* for tests: few states and many, by code that knows no more */
static void metropolis(const lm_bits_band *b)
{
    const int d = b->shape->dims, plain = b->plain && (d == 2 || d == 3);
    if (b->states <= 4)
        metropolis_by(b, b->states, 2, d, plain);
    else
        metropolis_by(b, b->states, LM_POTTS_DIGITS, d, plain);
}

static void bath_of_few(const lm_bits_band *b)
{
    heat_bath_by(b, b->states, 2, b->shape->dims);
}

static void bath_of_many(const lm_bits_band *b)
{
    heat_bath_by(b, b->states, LM_POTTS_DIGITS, b->shape->dims);
}

static void heat_bath(const lm_bits_band *b)
{
    static void (*const of_states[])(const lm_bits_band *b) = {bath_of_few, bath_of_many};
    of_states[b->states > 4](b);
}
#else
/* There is code for two, three and four states. Code for up to 8 and up to 16 states knows only the
 * number of digits. */
typedef void loop(const lm_bits_band *b);
enum { TEXTS = 5 };

static int text_of(int states)
{
    return states <= 4 ? states - 2 : lm_potts_digits(states);
}

/* There is code for plain sites of two and three dimensions, and for all others with few states and
 * with many. */
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
#endif

LM_INLINE void hot(const lm_bits_band *b, lm_word valid, const lm_stream *stream, uint64_t index,
                   lm_word *s)
{
    lm_potts_hot(b->states, valid, stream, index, s);
}

static void hot_states(const lm_bits_band *b)
{
    hot_digits(b, lm_potts_digits(b->states), LM_POTTS_DIGITS, hot);
}

static void state_bonds(const lm_bits_band *b, int count, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    if (b->states <= 4)
        sum_bonds(b, count, lm_potts_digits(b->states), 2, lm_potts_meet, sums);
    else
        sum_bonds(b, count, lm_potts_digits(b->states), LM_POTTS_DIGITS, lm_potts_meet, sums);
}

LM_INLINE lm_digit_count in_state(int a, const lm_word *s)
{
    return lm_potts_sum(LM_POTTS_DIGITS, a, s);
}

/* Counts the sites in each of the first `states` states. */
static void count_states(const lm_bits_band *b, int count, int first, int states,
                         int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    sum_sites(b, count, lm_potts_digits(b->states), LM_POTTS_DIGITS, in_state, first, states, sums);
}

const lm_digit_loops LM_LANE_NAME(lm_potts_words_loops_, ) = {
    .head = {.name = LM_LANE_STRING(LM_LANE), .words = LM_LANES, .hot = hot_states},
    .metropolis = metropolis,
    .heat_bath = heat_bath,
    .bonds = state_bonds,
    .sites = count_states,
};
