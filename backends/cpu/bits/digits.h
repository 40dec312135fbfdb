/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inner loops of models whose sites have digits (lib/physics/digits.h), for files that are
 * compiled for each lane. What a model does with a vector's sites are functions, which the compiler
 * knows where a loop is made of them.
 *
 * `digits` are known to the compiler and may be more than those that sites have, `has`; the others
 * are 0.
 */
#ifndef LM_BITS_DIGITS_H
#define LM_BITS_DIGITS_H

#include "backends/cpu/bits/words.h"
#include "lib/physics/digits.h"

/* Writes new sites and returns which of them change. */
typedef lm_word digit_update(const lm_bits_band *b, const void *way, const lm_digit_sites *at,
                             lm_word valid, const lm_stream *stream, uint64_t index, lm_word *to);
/* Random sites. */
typedef void digit_hot(const lm_bits_band *b, lm_word valid, const lm_stream *stream,
                       uint64_t index, lm_word *s);
/* Bonds, by one digit of their ends after the other; sum number k of sites. */
typedef void digit_meet(int digit, lm_word s, lm_word t, lm_digit_count *bond);
typedef lm_digit_count digit_sum(int k, const lm_word *s);

/* A vector's sites. */
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
            lm_store_part(b->own + k * b->digit_stride + t, s[k], n);
}

/* And what is around them. */
LM_INLINE void load_sites(const lm_bits_band *b, int has, int digits, int d, int plain, int64_t t,
                          int64_t phase, lm_digit_sites *at)
{
    load_digits(b, has, digits, t, at->own);
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
    for (int i = 0; !plain && i < 2 * d; i++) {
        at->sign[i] = b->sign[i] ? lm_load(b->sign[i] + t) : lm_set(0);
        at->gone[i] = b->gone[i] ? lm_load(b->gone[i] + t) : lm_set(0);
    }
}

LM_INLINE void update_digits(const lm_bits_band *b, int has, int digits, int d, int plain,
                             digit_update *update, const void *way)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_UPDATE);
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        lm_digit_sites at;
        lm_word to[LM_MOST_DIGITS], now[LM_MOST_DIGITS];
        load_sites(b, has, digits, d, plain, t, phase, &at);
        const lm_word changes =
            update(b, way, &at, active_at(b, phase), &stream, b->index + (uint64_t)t, to);
        LM_UNROLL
        for (int k = 0; k < digits; k++)
            now[k] = lm_select(changes, to[k], at.own[k]);
        store_digits(b, has, digits, t, now, n);
        if (b->changed)
            count_bits(b->shape, changes, n, b->changed, 1);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

LM_INLINE lm_word valid_at(const lm_bits_band *b, int64_t phase)
{
    return lm_and(lm_load(b->shape->valid + phase), lm_set(b->lanes));
}

LM_INLINE void hot_digits(const lm_bits_band *b, int has, int digits, digit_hot *hot)
{
    const lm_stream stream = stream_of(b, LM_DOMAIN_START);
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        lm_word s[LM_MOST_DIGITS];
        hot(b, valid_at(b, phase), &stream, b->index + (uint64_t)t, s);
        store_digits(b, has, digits, t, s, n);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

/* Adds those of the first n words of `some` to number k of the replicas' sums. */
static void add_count(const lm_bits_band *b, lm_digit_count c, lm_word some, int n, int k,
                      int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const lm_word turned = lm_and(some, c.turned);
    int64_t all[32] = {0}, less[32] = {0};
    count_bits(b->shape, lm_and(some, c.all), n, all, 1);
    if (lm_any(turned))
        count_bits(b->shape, turned, n, less, 1);
    for (int r = 0; r < b->shape->pack; r++)
        sums[r][k] += all[r] - 2 * less[r];
}

/* Folded: the bonds of sublattice 0 are all there are. Natural: those upward. */
LM_INLINE void sum_bonds(const lm_bits_band *b, int has, int digits, digit_meet *meet,
                         int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    const int step = b->shape->folded ? 1 : 2, d = b->shape->dims;
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = valid_at(b, phase);
        lm_digit_sites at;
        load_sites(b, has, digits, d, 0, t, phase, &at);
        for (int i = step - 1; i < 2 * d; i += step) {
            lm_digit_count bond;
            LM_UNROLL
            for (int k = 0; k < digits; k++)
                meet(k, at.own[k], at.around[i][k], &bond);
            add_count(b, lm_digit_bond(bond, at.sign[i], at.gone[i]), valid, n, i / 2, sums);
        }
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

/* So many sums of sites, to those from number `first` on. */
LM_INLINE void sum_sites(const lm_bits_band *b, int has, int digits, digit_sum *sum, int first,
                         int count, int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    int64_t phase = b->phase;
    for (int64_t t = b->begin; t < b->end;) {
        const int n = next_count(b, t);
        const lm_word valid = valid_at(b, phase);
        lm_word s[LM_MOST_DIGITS];
        load_digits(b, has, digits, t, s);
        for (int k = 0; k < count; k++)
            add_count(b, sum(k, s), valid, n, first + k, sums);
        phase = next_phase(b, phase, n);
        t += n;
    }
    lm_leave();
}

#endif
