/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The heat bath of the Potts model in words (potts_bits.h): sites draw one by one, or as many as a
 * vocabulary of reals has, each bit of a word by itself. doc/trajectory-potts.md, "Sites in words".
 *
 * Include a vocabulary of words and one of reals of 32 bits first.
 */
#ifndef LM_POTTS_HEATBATH_H
#define LM_POTTS_HEATBATH_H

#include "lib/physics/accept.h"
#include "lib/physics/potts_bits.h"

/* Digits of 2 + the sum of the couplings of the bonds along an axis to sites in a state. */
enum { LM_POTTS_SUM_DIGITS = 3 };

LM_INLINE void lm_potts_axis_sum(int states, const lm_potts_sites *at, int axis, int state,
                                 lm_word digit[LM_POTTS_SUM_DIGITS])
{
    lm_word count[LM_LEVEL_DIGITS];
    LM_UNROLL
    for (int j = 0; j < LM_LEVEL_DIGITS; j++)
        count[j] = lm_set(0);
    LM_UNROLL
    for (int b = 2 * axis; b < 2 * axis + 2; b++) {
        const lm_word there =
            lm_andnot(at->gone[b], lm_potts_in_state(states, at->around[b], state));
        lm_count_two(count, lm_andnot(at->sign[b], there), lm_not(lm_and(at->sign[b], there)));
    }
    LM_UNROLL
    for (int j = 0; j < LM_POTTS_SUM_DIGITS; j++)
        digit[j] = count[j];
}

/* Bit i of words, as 0 or 1. */
LM_INLINE lm_real lm_potts_bit(const uint32_t *words, int i)
{
    return lm_real_of_31(lm_bits_right(lm_bits_left(lm_bits_load(words), 31 - i), 30));
}

/* The words of a vector, by state, axis and digit. */
typedef uint32_t lm_potts_sums[LM_POTTS_BORDER][4][LM_POTTS_SUM_DIGITS][LM_LANES];

/* What a site gains in a state. */
LM_INLINE lm_real lm_potts_site_gain(const lm_potts_bath *bath, int dims, int state, int i,
                                     int lane, const lm_potts_sums sums)
{
    lm_real g = lm_real_set(state == 0 ? bath->field : 0.0);
    LM_UNROLL
    for (int a = 0; a < dims; a++) {
        lm_real m = lm_real_sub(lm_potts_bit(sums[state][a][0] + lane, i), lm_real_set(2.0));
        m = lm_real_fma(lm_potts_bit(sums[state][a][1] + lane, i), lm_real_set(2.0), m);
        m = lm_real_fma(lm_potts_bit(sums[state][a][2] + lane, i), lm_real_set(4.0), m);
        g = lm_real_fma(lm_real_set(bath->coupling[a]), m, g);
    }
    return g;
}

/* Sites whose number below the sum of all weights is that of the first states, up to `last`, or
 * more: [last]. */
LM_INLINE void lm_potts_beyond(const lm_potts_bath *bath, int states, int dims, int i, int lane,
                               const lm_potts_sums sums, lm_bits u, lm_mask *beyond)
{
    lm_real gain[LM_POTTS_BORDER];
    lm_bits sum[LM_POTTS_BORDER];
    lm_real most = gain[0] = lm_potts_site_gain(bath, dims, 0, i, lane, sums);
    LM_UNROLL
    for (int t = 1; t < states; t++) {
        gain[t] = lm_potts_site_gain(bath, dims, t, i, lane, sums);
        most = lm_real_max(most, gain[t]);
    }
    LM_UNROLL
    for (int t = 0; t < states; t++) {
        const lm_real x = lm_real_mul(lm_real_set(bath->beta), lm_real_sub(gain[t], most));
        const lm_bits w = lm_bits_of_large(lm_real_mul(lm_weight(x), lm_real_set(8192.0)));
        sum[t] = t ? lm_bits_sum(sum[t - 1], w) : w;
    }
    const lm_bits at = lm_bits_times(u, sum[states - 1]);
    LM_UNROLL
    for (int t = 0; t < states - 1; t++)
        beyond[t] = lm_bits_less(lm_bits_add(sum[t], (uint32_t)-1), at);
}

/* A digit of the states that are drawn. */
LM_INLINE lm_mask lm_potts_digit(int states, const lm_mask *beyond, int digit)
{
    if (states == 2)
        return beyond[0];
    if (digit == 1)
        return beyond[1];
    const lm_mask one = lm_mask_andnot(beyond[1], beyond[0]);
    return states == 3 ? one : lm_mask_or(one, beyond[2]);
}

/* The digits, as sums of 2^(i % 16), of LM_REALS words from one on, for the lower and the upper
 * half of their sites. */
typedef struct lm_potts_made {
    lm_real half[2][LM_POTTS_DIGITS];
} lm_potts_made;

/* Site i of words draws by u. */
LM_INLINE void lm_potts_draw(const lm_potts_bath *bath, int states, int dims, int i, int lane,
                             const lm_potts_sums sums, lm_bits u, lm_potts_made *made)
{
    const lm_real place = lm_real_set((double)(1 << i % 16)), none = lm_real_set(0.0);
    lm_mask beyond[LM_POTTS_BORDER - 1];
    lm_potts_beyond(bath, states, dims, i, lane, sums, u, beyond);
    LM_UNROLL
    for (int k = 0; k < lm_potts_digits(states); k++) {
        const lm_real one = lm_real_select(lm_potts_digit(states, beyond, k), place, none);
        if (i < 16)
            made->half[0][k] = lm_real_add(made->half[0][k], one);
        else
            made->half[1][k] = lm_real_add(made->half[1][k], one);
    }
}

LM_INLINE void lm_potts_all_sums(int states, int dims, const lm_potts_sites *at, lm_potts_sums sums)
{
    LM_UNROLL
    for (int state = 0; state < states; state++)
        LM_UNROLL
    for (int a = 0; a < dims; a++) {
        lm_word digit[LM_POTTS_SUM_DIGITS];
        lm_potts_axis_sum(states, at, a, state, digit);
        LM_UNROLL
        for (int j = 0; j < LM_POTTS_SUM_DIGITS; j++)
            lm_store(sums[state][a][j], digit[j]);
    }
}

/* The digits that were made as words. */
LM_INLINE void lm_potts_take(int states, const lm_potts_made *made, lm_word *t)
{
    LM_UNROLL
    for (int k = 0; k < lm_potts_digits(states); k++) {
        uint32_t half[2][LM_LANES];
        LM_UNROLL
        for (int h = 0; h < 2; h++)
            LM_UNROLL
        for (int c = 0; c < LM_LANES / LM_REALS; c++)
            lm_bits_store(half[h] + c * LM_REALS, lm_bits_of_whole(made[c].half[h][k]));
        t[k] = lm_or(lm_shl(lm_load(half[1]), 16), lm_load(half[0]));
    }
}

/* The new states of all sites of a word. bath[i / segment] is that of site i. */
LM_INLINE void lm_potts_heatbath(const lm_potts_bath *bath, int segment, int states, int dims,
                                 const lm_potts_sites *at, const lm_stream *stream, uint64_t index,
                                 lm_word *t)
{
    const lm_real none = lm_real_set(0.0);
    lm_potts_sums sums = {{{{0}}}}; /* compilers do not see that what is read was written */
    lm_potts_made made[LM_LANES / LM_REALS];
    lm_potts_all_sums(states, dims, at, sums);
    LM_UNROLL
    for (int c = 0; c < LM_LANES / LM_REALS; c++)
        made[c].half[0][0] = made[c].half[0][1] = made[c].half[1][0] = made[c].half[1][1] = none;
    for (int block = 0; block < LM_POTTS_DRAWS; block++) {
        uint32_t u[4][LM_LANES];
        lm_word r[4];
        lm_random_words(stream, index, (uint32_t)block, r);
        LM_UNROLL
        for (int k = 0; k < 4; k++)
            lm_store(u[k], r[k]);
        LM_UNROLL
        for (int k = 0; k < 4; k++)
            LM_UNROLL
        for (int c = 0; c < LM_LANES / LM_REALS; c++) {
            const int i = 4 * block + k, lane = c * LM_REALS;
            lm_potts_draw(bath + i / segment, states, dims, i, lane, sums,
                          lm_bits_load(u[k] + lane), made + c);
        }
    }
    lm_potts_take(states, made, t);
}

#endif
