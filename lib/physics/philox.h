/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes Philox4x32-10, the random number generator of every model, over the lanes of a device.
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2,
 * 3", SC11 (2011). The i-th output is a bijection of the counter i, keyed by the seed. So a number
 * depends only on where it is used.
 *
 * Include a lane vocabulary (lane_one.h, or one of backends/cpu/lane_*.h) first.
 */
#ifndef LM_PHILOX_H
#define LM_PHILOX_H

#include "lib/physics/philox_keys.h"

#define LM_PHILOX_M0 0xD2511F53u
#define LM_PHILOX_M1 0xCD9E8D57u

/*
 * The counter's words, doc/trajectory.md "Counters":
 *   c0 = index mod 2^32
 *   c1 = draw + 2^16 stage + 2^20 (high / 2^4 mod 2^4) + 2^24 (index / 2^32 + high / 2^8)
 *   c2 = step mod 2^32
 *   c3 = step / 2^32 + 2^8 (group mod 2^16) + 2^24 domain + 2^28 (high mod 2^4)
 * index < 2^40 numbers the words of a lattice, group its replicas, step < 2^40 the sweeps, stage <
 * 2^4 the colours and draw < 2^16 the numbers that one word consumes. high = group / 2^16 is in the
 * keys (lm_keys_of()), and not in a stream's words.
 */
typedef struct lm_stream {
    lm_keys keys;
    uint32_t c1; /* with draw 0; its high part of the index is 0, unless all indices have the same
                  */
    uint32_t c2, c3;
} lm_stream;

typedef enum lm_domain {
    LM_DOMAIN_UPDATE = 0,
    LM_DOMAIN_START = 1,
    LM_DOMAIN_COUPLINGS = 2,
    LM_DOMAIN_SITE_FIELDS = 3,
    LM_DOMAIN_EXCHANGE = 4,
    LM_DOMAIN_RESAMPLING = 5, /* 5, 6 and 8 are set aside: nothing draws from them yet */
    LM_DOMAIN_CLUSTER_BONDS = 6,
    LM_DOMAIN_PUBLIC = 7,
    LM_DOMAIN_CLUSTERS = 8
} lm_domain;

/* group_low is what the words themselves have of a group: its number modulo 2^16 (lm_group_low()).
 * A mask here would cost phi^4's kernels 3 to 8 % of their speed. The keys have the rest, unless
 * all indices of the domain tell the groups apart. */
LM_INLINE lm_stream lm_stream_of(const lm_keys *keys, lm_domain domain, uint64_t step,
                                 uint32_t group_low, uint32_t stage)
{
    lm_stream s;
    s.keys = *keys;
    s.c1 = stage << 16;
    s.c2 = (uint32_t)step;
    s.c3 = (uint32_t)(step >> 32) | group_low << 8 | (uint32_t)domain << 24;
    return s;
}

LM_INLINE void lm_philox_round(lm_half *x0, lm_half *x1, lm_half *x2, lm_half *x3,
                               const uint32_t key[2])
{
    const lm_prod p0 = lm_mul(*x0, LM_PHILOX_M0);
    const lm_prod p1 = lm_mul(*x2, LM_PHILOX_M1);
    *x0 = lm_half_xor3(lm_hi(p1), *x1, lm_half_set(key[0]));
    *x2 = lm_half_xor3(lm_hi(p0), *x3, lm_half_set(key[1]));
    *x1 = lm_lo(p1);
    *x3 = lm_lo(p0);
}

/* Computes one block of four 32-bit numbers for each counter. c0 and c1 come as halves of a word
 * (lane vocabulary). The other words are the same in all lanes. Four variables are used, because an
 * array costs some kernels a register. */
LM_INLINE void lm_philox(lm_half c0, lm_half c1, uint32_t c2, uint32_t c3, const lm_keys *keys,
                         lm_half out[4])
{
    lm_half x0 = c0, x1 = c1, x2 = lm_half_set(c2), x3 = lm_half_set(c3);
    LM_UNROLL
    for (int round = 0; round < LM_PHILOX_ROUNDS; round++)
        lm_philox_round(&x0, &x1, &x2, &x3, keys->k[round]);
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
}

/* Does the same if c1 is also the same in all lanes. The compiler can then move most of the first
 * two rounds out of the loop over sites. */
LM_INLINE void lm_philox_half(lm_half c0, uint32_t c1, uint32_t c2, uint32_t c3,
                              const lm_keys *keys, lm_half out[4])
{
    lm_philox(c0, lm_half_set(c1), c2, c3, keys, out);
}

/*
 * Makes draw number `draw` of the words index, index + 1, ..: four words of random bits for each.
 * The indices of one call must agree in index / 2^32. One half has its own function, because with
 * the loops for several halves some kernels compile differently.
 */
#if LM_HALVES == 1
LM_INLINE void lm_random_words(const lm_stream *s, uint64_t index, uint32_t draw, lm_word out[4])
{
    const uint32_t c1 = s->c1 | draw | (uint32_t)(index >> 32) << 24;
    lm_half half[LM_HALVES][4];
    LM_UNROLL
    for (int h = 0; h < LM_HALVES; h++)
        lm_philox_half(lm_half_count((uint32_t)index, h), c1, s->c2, s->c3, &s->keys, half[h]);
    LM_UNROLL
    for (int j = 0; j < 4; j++)
        out[j] = lm_join(half[0][j], half[LM_HALVES - 1][j]);
}
#else
/* Makes the last round of a block's two halves and joins them. It joins the products themselves, so
 * one of them stays where it is. */
LM_INLINE void lm_philox_join(lm_half (*x)[4], const uint32_t key[2], lm_word out[4])
{
    const lm_prod p0 = lm_mul(x[0][0], LM_PHILOX_M0), q0 = lm_mul(x[1][0], LM_PHILOX_M0);
    const lm_prod p1 = lm_mul(x[0][2], LM_PHILOX_M1), q1 = lm_mul(x[1][2], LM_PHILOX_M1);
    out[0] = lm_xor3(lm_join_hi(p1, q1), lm_join(x[0][1], x[1][1]), lm_set(key[0]));
    out[1] = lm_join(lm_lo(p1), lm_lo(q1));
    out[2] = lm_xor3(lm_join_hi(p0, q0), lm_join(x[0][3], x[1][3]), lm_set(key[1]));
    out[3] = lm_join(lm_lo(p0), lm_lo(q0));
}

/* Computes blocks side by side, because each waits for its own multiplications. x has their
 * counters. The halves of a block are neighbours in x. */
LM_INLINE void lm_philox_abreast(lm_half (*x)[4], int blocks, const lm_keys *keys, lm_word *out)
{
    const lm_keys *const at = lm_keys_at(keys);
    LM_UNROLL
    for (int round = 0; round < LM_PHILOX_ROUNDS - 1; round++) {
        LM_UNROLL
        for (int i = 0; i < blocks * LM_HALVES; i++)
            lm_philox_round(&x[i][0], &x[i][1], &x[i][2], &x[i][3], at->k[round]);
    }
    LM_UNROLL
    for (int b = 0; b < blocks; b++)
        lm_philox_join(x + b * LM_HALVES, at->k[LM_PHILOX_ROUNDS - 1], out + 4 * b);
}

enum { LM_MAX_DRAWS = 2 };

/* Makes draws number `draw`, draw + 1, .. */
LM_INLINE void lm_random_draws(const lm_stream *s, uint64_t index, uint32_t draw, int draws,
                               lm_word *out)
{
    const uint32_t c1 = s->c1 | (uint32_t)(index >> 32) << 24;
    lm_half x[LM_HALVES * LM_MAX_DRAWS][4];
    LM_UNROLL
    for (int i = 0; i < draws * LM_HALVES; i++) {
        x[i][0] = lm_half_count((uint32_t)index, i % LM_HALVES);
        x[i][1] = lm_half_set(c1 | (draw + (uint32_t)(i / LM_HALVES)));
        x[i][2] = lm_half_set(s->c2);
        x[i][3] = lm_half_set(s->c3);
    }
    lm_philox_abreast(x, draws, &s->keys, out);
}

LM_INLINE void lm_random_words(const lm_stream *s, uint64_t index, uint32_t draw, lm_word out[4])
{
    lm_random_draws(s, index, draw, 1, out);
}
#endif

#ifdef LM_INDEXED
/* Makes draws for any words, by the low halves of their indices. c1 has the high half and the draw,
 * for each word or for all words. */
LM_INLINE void lm_random_of(const lm_stream *s, lm_word index, lm_word c1, lm_word out[4])
{
    lm_half x[LM_HALVES][4];
    LM_UNROLL
    for (int h = 0; h < LM_HALVES; h++) {
        x[h][0] = lm_half_of(index, h);
        x[h][1] = lm_half_of(c1, h);
        x[h][2] = lm_half_set(s->c2);
        x[h][3] = lm_half_set(s->c3);
    }
    lm_philox_abreast(x, 1, &s->keys, out);
}

/* Makes draws for words whose high halves are all in the stream. */
LM_INLINE void lm_random_at(const lm_stream *s, lm_word index, uint32_t draw, lm_word out[4])
{
    lm_random_of(s, index, lm_set(s->c1 | draw), out);
}
#endif

#endif
