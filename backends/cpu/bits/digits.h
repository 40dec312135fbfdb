/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the inner loops of models whose sites have digits (lib/physics/digits.h), for files that
 * are compiled for each lane. A model gives functions for a vector's sites. The compiler knows them
 * where it makes a loop of them.
 *
 * `digits` is known to the compiler and may be larger than `has`, the number of digits that sites
 * have. The further digits are 0.
 */
#ifndef LM_BITS_DIGITS_H
#define LM_BITS_DIGITS_H

#include "backends/cpu/bits/tally.h"
#include "lib/physics/digits.h"

/* Writes new sites and returns which of them change. */
typedef lm_word digit_update(const lm_bits_band *b, const void *way, const lm_digit_sites *at,
                             lm_word valid, const lm_stream *stream, uint64_t index, lm_word *to);
/* Writes random sites. */
typedef void digit_first(const lm_bits_band *b, lm_word valid, const lm_stream *stream,
                         uint64_t index, lm_word *s);
/* The first adds a digit of both ends to a bond's count. The second returns sum number k of
 * sites. */
typedef void digit_meet(int digit, lm_word s, lm_word t, lm_digit_count *bond);
typedef lm_digit_count digit_count(int k, const lm_word *s);

/* Loads the sites of a vector. */
LM_INLINE void load_digits(const lm_bits_band *b, int has, int digits, int64_t t, lm_word *s)
{
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        s[k] = k < has ? lm_load(b->own + k * b->digit_stride + t) : lm_set(0);
}

LM_INLINE void store_digits(const lm_bits_band *b, int has, int digits, int64_t t, const lm_word *s,
                            int n)
{
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        if (k < has)
            lm_store_first(b->own + k * b->digit_stride + t, s[k], n);
}

/* Loads the sites of a vector with their surroundings. */
LM_INLINE void load_sites(const lm_bits_band *b, int has, int digits, int d, int plain, int64_t t,
                          int64_t in_pattern, lm_digit_sites *at)
{
    load_digits(b, has, digits, t, at->own);
    LM_UNROLL
    for (int k = 0; k < digits; k++) {
        lm_word v[LM_MAX_BONDS];
        LM_UNROLL
        for (int i = 0; i < LM_MAX_BONDS; i++)
            v[i] = lm_set(0);
        if (k < has)
            neighbours_of(b, d, k, t, in_pattern, v);
        LM_UNROLL
        for (int i = 0; i < LM_MAX_BONDS; i++)
            at->around[i][k] = v[i];
    }
    for (int i = 0; !plain && i < 2 * d; i++) {
        at->sign[i] = b->sign[i] ? lm_load(b->sign[i] + t) : lm_set(0);
        at->gone[i] = b->gone[i] ? lm_load(b->gone[i] + t) : lm_set(0);
    }
}

LM_INLINE void update_digits(const lm_bits_band *b, int has, int digits, int d, int plain,
                             digit_update *update, const void *way)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_UPDATE);
    int64_t in_pattern = b->in_pattern;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        lm_digit_sites at;
        lm_word to[LM_MAX_DIGITS], now[LM_MAX_DIGITS];
        load_sites(b, has, digits, d, plain, t, in_pattern, &at);
        const lm_word changes =
            update(b, way, &at, active_at(b, in_pattern), &stream, b->index + (uint64_t)t, to);
        LM_UNROLL
        for (int k = 0; k < digits; k++)
            now[k] = lm_select(changes, to[k], at.own[k]);
        store_digits(b, has, digits, t, now, n);
        if (b->changed)
            count_bits(b->shape, changes, n, b->changed);
        in_pattern = next_in_pattern(b, in_pattern, n);
        t += n;
    }
    lm_leave();
}

LM_INLINE void hot_digits(const lm_bits_band *b, int has, int digits, digit_first *hot)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_START);
    int64_t in_pattern = b->in_pattern;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        lm_word s[LM_MAX_DIGITS];
        hot(b, valid_at(b, in_pattern), &stream, b->index + (uint64_t)t, s);
        store_digits(b, has, digits, t, s, n);
        in_pattern = next_in_pattern(b, in_pattern, n);
        t += n;
    }
    lm_leave();
}

/* Adds the counts of one or two vectors, for the sites `valid`. */
LM_INLINE void add_counts(sum_tally *sum, lm_digit_count a, lm_digit_count b, lm_word valid,
                          const lm_row_patterns *s)
{
    const lm_word turned[] = {lm_and(valid, a.turned), lm_and(valid, b.turned)};
    add_all(sum, lm_and(valid, a.all), lm_and(valid, b.all), s);
    if (lm_any(lm_or(turned[0], turned[1])))
        add_turned(sum, turned[0], turned[1], s);
}

LM_INLINE lm_digit_count bond_of(const lm_digit_sites *at, int digits, int i, digit_meet *meet)
{
    lm_digit_count bond;
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        meet(k, at->own[k], at->around[i][k], &bond);
    return lm_digit_bond(bond, at->sign[i], at->gone[i]);
}

/* Sums the bonds of some bands of a group. In a folded lattice, the bonds of sublattice 0 are all
 * bonds. In a natural one, each site counts its bonds upward. */
LM_INLINE void sum_bonds(const lm_bits_band *bands, int count, int has, int digits,
                         digit_meet *meet, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const lm_digit_count none = {lm_set(0), lm_set(0)};
    const lm_row_patterns *const shape = bands->shape;
    const int d = shape->dims;
    sum_tally of[LM_MAX_BONDS / 2];
    for (int a = 0; a < d; a++)
        begin_sum(&of[a], shape);
    for (const lm_bits_band *b = bands; b < bands + count; b++) {
        int64_t in_pattern = b->in_pattern;
        for (int64_t t = b->begin, n; t < b->end;
             t += n, in_pattern = next_in_pattern(b, in_pattern, (int)n)) {
            n = next_count(b, t);
            const lm_word valid = first_of(valid_at(b, in_pattern), (int)n);
            lm_digit_sites at;
            load_sites(b, has, digits, d, 0, t, in_pattern, &at);
            for (int a = 0; a < d; a++)
                add_counts(&of[a], shape->folded ? bond_of(&at, digits, 2 * a, meet) : none,
                           bond_of(&at, digits, 2 * a + 1, meet), valid, shape);
        }
    }
    for (int a = 0; a < d; a++)
        end_sum(&of[a], shape, a, 0, sums);
    lm_leave();
}

/* Adds `wanted` sums of the sites of some bands, from sum number `first` on. */
LM_INLINE void sum_sites(const lm_bits_band *bands, int count, int has, int digits,
                         digit_count *sum, int first, int wanted, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const lm_digit_count none = {lm_set(0), lm_set(0)};
    const lm_row_patterns *const shape = bands->shape;
    sum_tally of[LM_BITS_MAX_SUMS];
    for (int k = 0; k < wanted; k++)
        begin_sum(&of[k], shape);
    for (const lm_bits_band *b = bands; b < bands + count; b++) {
        int64_t in_pattern = b->in_pattern;
        for (int64_t t = b->begin, n; t < b->end;
             t += n, in_pattern = next_in_pattern(b, in_pattern, (int)n)) {
            n = next_count(b, t);
            const lm_word valid = first_of(valid_at(b, in_pattern), (int)n);
            lm_word s[LM_MAX_DIGITS];
            load_digits(b, has, digits, t, s);
            for (int k = 0; k < wanted; k++)
                add_counts(&of[k], sum(k, s), none, valid, shape);
        }
    }
    for (int k = 0; k < wanted; k++)
        end_sum(&of[k], shape, first + k, 0, sums);
    lm_leave();
}

#endif
