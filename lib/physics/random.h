/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes public streams of random numbers, block by block: doc/trajectory.md, "Public streams". A
 * block of Philox is four words, four floats or two doubles.
 *
 * Include a vocabulary of words first. For numbers made from the words, also include one of reals.
 * LM_REAL_BITS gives their type.
 */
#ifndef LM_RANDOM_H
#define LM_RANDOM_H

#include "lib/physics/philox.h"

#define LM_BLOCKS_MOST 4 /* the most that lm_random_blocks() makes, in LM_BLOCKS */

/* Returns the stream with that number. c1 has a block's number / 2^32. */
LM_INLINE lm_stream lm_public_stream(const lm_keys *keys, uint64_t number, uint64_t block)
{
    lm_stream s = lm_stream_of(keys, LM_DOMAIN_PUBLIC, number & (((uint64_t)1 << 40) - 1),
                               (uint32_t)(number >> 40), 0);
    s.c1 = (uint32_t)(block >> 32);
    return s;
}

/* Makes n times LM_BLOCKS consecutive blocks. `block` is the first block's number % 2^32. n is
 * known to the compiler. `first` receives the first two words of each block, and `last` the last
 * two. The rounds of all blocks go side by side, because each round waits for the one before it. */
LM_INLINE void lm_random_blocks(int n, const lm_stream *s, uint32_t block,
                                lm_word first[][LM_COUPLE], lm_word last[][LM_COUPLE])
{
    lm_half x[LM_BLOCKS_MOST][4];
    LM_UNROLL
    for (int i = 0; i < n; i++) {
        x[i][0] = lm_half_blocks(block + (uint32_t)(i * LM_BLOCKS));
        x[i][1] = lm_half_set(s->c1);
        x[i][2] = lm_half_set(s->c2);
        x[i][3] = lm_half_set(s->c3);
    }
    LM_UNROLL
    for (int round = 0; round < LM_PHILOX_ROUNDS; round++) {
        LM_UNROLL
        for (int i = 0; i < n; i++)
            lm_philox_round(&x[i][0], &x[i][1], &x[i][2], &x[i][3], s->keys.k[round]);
    }
    LM_UNROLL
    for (int i = 0; i < n; i++) {
        lm_couple(x[i][0], x[i][1], first[i]);
        lm_couple(x[i][2], x[i][3], last[i]);
    }
}

#ifdef LM_REAL_BITS

#include "lib/physics/decay.h"
#include "lib/physics/sphere.h"

/* The reals that two words of each block make: one real for each word, or one for both words. */
#if LM_REAL_BITS == 32
#define LM_COUPLE_REALS LM_COUPLE
#else
#define LM_COUPLE_REALS 1
#endif

/* Makes reals that are uniform in (0, 1): odd multiples of 2^-24 or 2^-53. */
LM_INLINE void lm_couple_uniform(const lm_word *a, lm_real *u)
{
#if LM_REAL_BITS == 32
    LM_UNROLL
    for (int i = 0; i < LM_COUPLE; i++)
        u[i] = lm_uniform(a[i]);
#else
    u[0] = lm_real_sub(lm_real_of_couple(a), lm_real_set(1.0 - 0x1p-53));
#endif
}

/* Makes reals that are uniform in (0, 1) for a radius, whose tail comes from the smallest of them.
 * A float uses 31 bits of its own word, and 8 bits of the angle's word that the angle does not use.
 * Floats begin at 2^-40, and are rounded once or twice to a float below 1. Doubles are odd
 * multiples of 2^-53. */
LM_INLINE void lm_couple_tail(const lm_word *a, const lm_word *angle, lm_real *u)
{
#if LM_REAL_BITS == 32
    LM_UNROLL
    for (int i = 0; i < LM_COUPLE; i++) {
        const lm_real rest = lm_real_of_31(lm_and(angle[i], lm_set(0x1FE)));
        const lm_real below = lm_real_fma(rest, lm_real_set(0x1p-8), lm_real_set(0x1p-9));
        const lm_real x =
            lm_real_mul(lm_real_add(lm_real_of_31(a[i]), below), lm_real_set(0x1p-31));
        u[i] = lm_real_min(x, lm_real_set(1.0 - 0x1p-24));
    }
#else
    (void)angle;
    lm_couple_uniform(a, u);
#endif
}

/* Makes Gaussian numbers by the method of G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 610
 * (1958). A block's first half gives the radii, and its second half the angles. Numbers from
 * cosines take the places of the first half, and numbers from sines those of the second. */
LM_INLINE void lm_couple_gaussian(const lm_word *first, const lm_word *last, lm_real *cosines,
                                  lm_real *sines)
{
    lm_real u[LM_COUPLE_REALS], turn[LM_COUPLE_REALS], f[LM_COUPLE_REALS], d[LM_COUPLE_REALS],
        log[LM_COUPLE_REALS];
    lm_couple_tail(first, last, u);
    lm_couple_uniform(last, turn);
    LM_UNROLL
    for (int i = 0; i < LM_COUPLE_REALS; i++)
        d[i] = lm_real_split(u[i], &f[i]);
    lm_real_log_of(LM_COUPLE_REALS, f, d, log);
    LM_UNROLL
    for (int i = 0; i < LM_COUPLE_REALS; i++) {
        const lm_real radius = lm_real_sqrt(lm_real_add(log[i], log[i]));
        lm_real s[2];
        lm_circle_at(turn[i], s);
        cosines[i] = lm_real_mul(radius, s[0]);
        sines[i] = lm_real_mul(radius, s[1]);
    }
}

#endif

#endif
