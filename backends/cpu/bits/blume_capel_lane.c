/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the inner loops of the Blume-Capel model, which are compiled once for each lane as those
 * of ising_words_lane.c are. */
#include LM_LANE_HEADER

#include "backends/cpu/bits/digit_loops.h"
#include "backends/cpu/bits/digits.h"
#include "lib/physics/blume_capel.h"

LM_INLINE lm_word by_moves(const lm_bits_band *b, const void *way, const lm_digit_sites *at,
                           lm_word valid, const lm_stream *stream, uint64_t index, lm_word *to)
{
    (void)b;
    return lm_blume_capel_metropolis(way, at, valid, stream, index, to);
}

LM_INLINE lm_word by_choices(const lm_bits_band *b, const void *way, const lm_digit_sites *at,
                             lm_word valid, const lm_stream *stream, uint64_t index, lm_word *to)
{
    (void)b;
    return lm_blume_capel_heatbath(way, at, valid, stream, index, to);
}

LM_INLINE void metropolis_by(const lm_bits_band *b, int d, int plain)
{
    const lm_blume_capel_way way = {.dims = d, .plain = plain, .rule = *b->rule};
    update_digits(b, LM_BLUME_CAPEL_DIGITS, LM_BLUME_CAPEL_DIGITS, d, plain, by_moves, &way);
}

/* There is code for plain sites in two and in three dimensions, and code for all others. */
static void metropolis(const lm_bits_band *b)
{
    const int d = b->shape->dims;
    if (b->plain && d == 2)
        metropolis_by(b, 2, 1);
    else if (b->plain && d == 3)
        metropolis_by(b, 3, 1);
    else
        metropolis_by(b, d, 0);
}

static void heat_bath(const lm_bits_band *b)
{
    update_digits(b, LM_BLUME_CAPEL_DIGITS, LM_BLUME_CAPEL_DIGITS, b->shape->dims, 0, by_choices,
                  b->rule);
}

LM_INLINE void hot(const lm_bits_band *b, lm_word valid, const lm_stream *stream, uint64_t index,
                   lm_word *s)
{
    (void)b;
    lm_blume_capel_hot(valid, stream, index, s);
}

static void hot_states(const lm_bits_band *b)
{
    hot_digits(b, LM_BLUME_CAPEL_DIGITS, LM_BLUME_CAPEL_DIGITS, hot);
}

static void state_bonds(const lm_bits_band *b, int count, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    sum_bonds(b, count, LM_BLUME_CAPEL_DIGITS, LM_BLUME_CAPEL_DIGITS, lm_blume_capel_meet, sums);
}

static void count_states(const lm_bits_band *b, int count, int first, int states,
                         int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    sum_sites(b, count, LM_BLUME_CAPEL_DIGITS, LM_BLUME_CAPEL_DIGITS, lm_blume_capel_sum, first,
              states, sums);
}

const lm_digit_loops LM_LANE_NAME(lm_blume_capel_loops_, ) = {
    .head = {.name = LM_LANE_STRING(LM_LANE), .words = LM_LANES, .hot = hot_states},
    .metropolis = metropolis,
    .heat_bath = heat_bath,
    .bonds = state_bonds,
    .sites = count_states,
};
