/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the heat bath of the Potts model in words (potts_words.h): doc/trajectory-potts.md, "Sites
 * in words". Sites draw one by one, or as many at a time as a vocabulary of reals has. Each bit of
 * a word draws for itself.
 *
 * Include a vocabulary of words and one of reals of 32 bits first.
 */
#ifndef LM_POTTS_WORDS_HEATBATH_H
#define LM_POTTS_WORDS_HEATBATH_H

#include "lib/physics/accept.h"
#include "lib/physics/potts_words.h"

/* Loops over states are unrolled completely for four states, and in part for more. */
#ifdef __CUDACC__
#define LM_UNROLL_FEW LM_UNROLL
#else
#define LM_UNROLL_FEW _Pragma("GCC unroll 4")
#endif

/* What all sites share. Bonds are counted in `counts` numbers, and the bonds of a count have one
 * coupling in the gain. If all bonds have one coupling and there are many states, they are counted
 * together. */
typedef struct lm_potts_form {
    int states, digits, dims; /* digits is known to the compiler */
    int counts, together;
} lm_potts_form;

/* Returns the form. `sets` is the number of sets of bonds with one coupling (lm_rule_shape). A
 * count has four digits. */
LM_INLINE lm_potts_form lm_potts_form_of(int states, int digits, int dims, int sets)
{
    const int together = digits > 2 && sets == 1;
    const lm_potts_form form = {states, digits, dims,
                                !together   ? dims
                                : dims == 4 ? 2
                                            : 1,
                                together};
    return form;
}

/* Computes the digits of count number `which` for a state. It is the number of the count's bonds
 * plus the sum of the couplings of bonds that lead to sites in the state. */
LM_INLINE void lm_potts_count(const lm_potts_form *form, const lm_digit_sites *at, int which,
                              int state, lm_word digit[LM_LEVEL_DIGITS])
{
    const int bonds = 2 * form->dims / form->counts;
    LM_UNROLL
    for (int j = 0; j < LM_LEVEL_DIGITS; j++)
        digit[j] = lm_set(0);
    for (int b = which * bonds; b < (which + 1) * bonds; b++) {
        const lm_word there =
            lm_andnot(at->gone[b], lm_potts_in_state(form->digits, at->around[b], state));
        lm_count_two(digit, lm_andnot(at->sign[b], there), lm_not(lm_and(at->sign[b], there)));
    }
}

/* Packs numbers of four digits one after another into words. Site i has number i / 4 of word i %
 * 4. */
LM_INLINE void lm_potts_pack(const lm_word *digit, uint32_t to[4][LM_LANES])
{
    const lm_word ones = lm_set(0x55555555u), twos = lm_set(0x33333333u);
    lm_word pair[2][2];
    LM_UNROLL
    for (int p = 0; p < 2; p++) {
        const lm_word low = digit[2 * p], high = digit[2 * p + 1];
        pair[p][0] = lm_or(lm_and(low, ones), lm_shl(lm_and(high, ones), 1));
        pair[p][1] = lm_or(lm_and(lm_shr(low, 1), ones), lm_andnot(ones, high));
    }
    LM_UNROLL
    for (int h = 0; h < 2; h++) {
        const lm_word low = pair[0][h], high = pair[1][h];
        lm_store(to[h], lm_or(lm_and(low, twos), lm_shl(lm_and(high, twos), 2)));
        lm_store(to[h + 2], lm_or(lm_and(lm_shr(low, 2), twos), lm_andnot(twos, high)));
    }
}

/* The packed counts of a vector's sites, by state. */
typedef uint32_t lm_potts_sums[LM_POTTS_BORDER][4][4][LM_LANES];

LM_INLINE void lm_potts_all_sums(const lm_potts_form *form, const lm_digit_sites *at,
                                 lm_potts_sums sums)
{
    LM_UNROLL_FEW
    for (int state = 0; state < form->states; state++)
        LM_UNROLL_FEW
    for (int p = 0; p < form->counts; p++) {
        lm_word digit[LM_LEVEL_DIGITS];
        lm_potts_count(form, at, p, state, digit);
        lm_potts_pack(digit, sums[state][p]);
    }
}

/* Weights are whole numbers. They are multiples of this scale and at most 2^16. */
#define LM_POTTS_SCALE_OF_FEW  8192.0
#define LM_POTTS_SCALE_OF_MANY 2048.0

/* The place of LM_REALS sites of words, from one site on. */
typedef struct lm_potts_spot {
    int site, lane;
} lm_potts_spot;

/* Returns what a site gains in a state. */
LM_INLINE lm_real lm_potts_site_gain(const lm_potts_form *form, const lm_potts_bath *bath,
                                     int state, lm_potts_spot s, const lm_potts_sums sums)
{
    const lm_real bonds = lm_real_set((double)(2 * form->dims / form->counts));
    lm_real g = lm_real_set(state == 0 ? bath->field : 0.0), all = lm_real_set(0.0);
    LM_UNROLL_FEW
    for (int p = 0; p < form->counts; p++) {
        const lm_bits packed = lm_bits_load(sums[state][p][s.site & 3] + s.lane);
        const lm_bits twice = lm_bits_right(lm_bits_left(packed, 28 - 4 * (s.site >> 2)), 27);
        const lm_real m = lm_real_sub(lm_real_of_31(twice), bonds);
        if (form->together)
            all = lm_real_add(all, m);
        else
            g = lm_real_fma(lm_real_set(bath->coupling[p]), m, g);
    }
    return form->together ? lm_real_fma(lm_real_set(bath->coupling[0]), all, g) : g;
}

/* Returns the states that sites draw by u: how many partial sums of weights are not above a number
 * below the whole sum. */
LM_INLINE lm_real lm_potts_drawn_state(const lm_potts_form *form, const lm_potts_bath *bath,
                                       lm_potts_spot s, const lm_potts_sums sums, lm_bits u)
{
    const lm_real scale =
        lm_real_set(form->digits > 2 ? LM_POTTS_SCALE_OF_MANY : LM_POTTS_SCALE_OF_FEW);
    const lm_real one = lm_real_set(1.0), none = lm_real_set(0.0);
    lm_real gain[LM_POTTS_BORDER], state = none;
    lm_bits sum[LM_POTTS_BORDER];
    lm_real most = gain[0] = lm_potts_site_gain(form, bath, 0, s, sums);
    LM_UNROLL_FEW
    for (int t = 1; t < form->states; t++) {
        gain[t] = lm_potts_site_gain(form, bath, t, s, sums);
        most = lm_real_max(most, gain[t]);
    }
    LM_UNROLL_FEW
    for (int t = 0; t < form->states; t++) {
        const lm_real x = lm_real_mul(lm_real_set(bath->beta), lm_real_sub(gain[t], most));
        const lm_bits w = lm_bits_of_large(lm_real_mul(lm_boltzmann_weight(x), scale));
        sum[t] = t ? lm_bits_sum(sum[t - 1], w) : w;
    }
    const lm_bits at = lm_bits_times(u, sum[form->states - 1]);
    LM_UNROLL_FEW
    for (int t = 0; t < form->states; t++) {
        const lm_mask beyond = lm_bits_less(lm_bits_add(sum[t], (uint32_t)-1), at);
        state = lm_real_add(state, lm_real_select(beyond, one, none));
    }
    return state;
}

/* Is the inverse of lm_potts_pack(). */
LM_INLINE void lm_potts_unpack(int digits, const lm_word *packed, lm_word *digit)
{
    const lm_word ones = lm_set(0x55555555u), twos = lm_set(0x33333333u);
    lm_word pair[2][2];
    LM_UNROLL
    for (int h = 0; h < 2; h++) {
        const lm_word low = packed[h], high = packed[h + 2];
        pair[0][h] = lm_or(lm_and(low, twos), lm_shl(lm_and(high, twos), 2));
        pair[1][h] = lm_or(lm_and(lm_shr(low, 2), twos), lm_andnot(twos, high));
    }
    LM_UNROLL
    for (int k = 0; k < digits; k++) {
        const lm_word low = pair[k / 2][0], high = pair[k / 2][1];
        digit[k] = k % 2 == 0 ? lm_or(lm_and(low, ones), lm_shl(lm_and(high, ones), 1))
                              : lm_or(lm_and(lm_shr(low, 1), ones), lm_andnot(ones, high));
    }
}

/* The packed states of LM_REALS words' sites. */
typedef struct lm_potts_made {
    lm_bits packed[4];
} lm_potts_made;

LM_INLINE void lm_potts_take(int digits, const lm_potts_made *made, lm_word *t)
{
    lm_word packed[4];
    LM_UNROLL
    for (int k = 0; k < 4; k++) {
        uint32_t words[LM_LANES];
        LM_UNROLL
        for (int c = 0; c < LM_LANES / LM_REALS; c++)
            lm_bits_store(words + c * LM_REALS, made[c].packed[k]);
        packed[k] = lm_load(words);
    }
    lm_potts_unpack(digits, packed, t);
}

/* Draws new states for all sites of a word. bath[i / segment] is the bath of site i. */
LM_INLINE void lm_potts_words_heatbath(const lm_potts_form *form, const lm_potts_bath *bath,
                                       int segment, const lm_digit_sites *at,
                                       const lm_stream *stream, uint64_t index, lm_word *t)
{
#ifdef __CUDACC__
    lm_potts_sums sums;
#else
    lm_potts_sums sums = {{{{0}}}}; /* compilers do not see that everything read has been written */
#endif
    lm_potts_made made[LM_LANES / LM_REALS];
    lm_potts_all_sums(form, at, sums);
    LM_UNROLL
    for (int c = 0; c < LM_LANES / LM_REALS; c++)
        LM_UNROLL
    for (int k = 0; k < 4; k++)
        made[c].packed[k] = lm_bits_set(0);
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
            const lm_potts_spot s = {4 * block + k, c * LM_REALS};
            const lm_real state = lm_potts_drawn_state(form, bath + s.site / segment, s, sums,
                                                       lm_bits_load(u[k] + s.lane));
            made[c].packed[k] =
                lm_bits_sum(made[c].packed[k], lm_bits_left(lm_bits_of_whole(state), 4 * block));
        }
    }
    lm_potts_take(form->digits, made, t);
}

#endif
