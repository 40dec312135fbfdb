/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Public streams of random numbers, block by block: doc/trajectory.md, "Public streams". A block of
 * Philox is four words, four floats or two doubles.
 *
 * Include a vocabulary of words first; of reals for what is made of them, whose type LM_REAL_BITS
 * says.
 */
#ifndef LM_RANDOM_H
#define LM_RANDOM_H

#include "lib/physics/philox.h"

#define LM_BLOCKS_MOST 4 /* the most of lm_random_blocks(), in LM_BLOCKS */

/* The stream of that number; c1 has a block's number / 2^32. */
LM_INLINE lm_stream lm_public_stream(const lm_keys *keys, uint64_t number, uint64_t block)
{
    lm_stream s = lm_stream_of(keys, LM_DOMAIN_PUBLIC, number & (((uint64_t)1 << 40) - 1),
                               (uint32_t)(number >> 40), 0);
    s.c1 = (uint32_t)(block >> 32);
    return s;
}

/* n times LM_BLOCKS blocks that follow each other, the first one's number % 2^32 given, n known to
 * the compiler: the first two words of each, and the last two. Round by round of all of them, since
 * each round waits for the one before it, and those of others fill the time. */
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

/* Reals that two words of each block make: one for each word, or one of both. */
#if LM_REAL_BITS == 32
#define LM_COUPLE_REALS LM_COUPLE
#else
#define LM_COUPLE_REALS 1
#endif

/* Uniform in (0, 1): odd multiples of 2^-24, 2^-53. */
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

/* Uniform in (0, 1) for a radius, whose tail is the smallest of them. A float has 31 bits of its
 * own word, and 8 of the angle's that this does not take: it begins at 2^-40, and is rounded once
 * or twice to a float below 1. A double's are odd multiples of 2^-53. */
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

/* Gaussian numbers by the method of G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 610 (1958):
 * a block's first half gives the radii, its second half the angles. Numbers made of cosines have
 * the places of the first half, those of sines the places of the second. */
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
