/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts the one-bits of many vectors, replica by replica. Counting the bits of one vector takes as
 * long as finding them, and if replicas share words, several times as long. So vectors are added up
 * bit by bit, with digit k of each bit's number in digit[k]. They are counted when the digits may
 * be full, and at the end.
 *
 * Files that are compiled for each lane include it after words.h.
 */
#ifndef LM_BITS_TALLY_H
#define LM_BITS_TALLY_H

#include <string.h>

#include "backends/cpu/bits/words.h"

enum { TALLY_DIGITS = 5, TALLY_MOST = (1 << TALLY_DIGITS) - 1 };

/* All members 0 mean an empty tally. */
typedef struct tally {
    lm_word digit[TALLY_DIGITS];
    int held; /* vectors in it, at most TALLY_MOST */
} tally;

/* Adds the tally to counts[replica of the word], and empties it. */
static void end_tally(tally *t, const lm_row_patterns *s, int64_t *counts)
{
    for (int k = 0; t->held >> k; k++) {
        for (int r = 0; r < s->per_word; r++) {
            const lm_word own = lm_set(segment_mask(s) << r * s->segment);
            counts[r] += lm_popcount(lm_and(t->digit[k], own)) << k;
        }
        t->digit[k] = lm_set(0);
    }
    t->held = 0;
}

/* Adds two vectors. */
LM_INLINE void add_to_tally(tally *t, lm_word a, lm_word b, const lm_row_patterns *s,
                            int64_t *counts)
{
    if (t->held > TALLY_MOST - 2)
        end_tally(t, s, counts);
    lm_word carry = lm_majority(t->digit[0], a, b);
    t->digit[0] = lm_xor3(t->digit[0], a, b);
    LM_UNROLL
    for (int k = 1; k < TALLY_DIGITS; k++) {
        const lm_word digit = t->digit[k];
        t->digit[k] = lm_xor(digit, carry);
        carry = lm_and(digit, carry);
    }
    t->held += 2;
}

/* A sum: the bits that count +1 or -1, and those among them that count -1. */
typedef struct sum_tally {
    tally all, turned;
    int64_t of_all[32], of_turned[32];
} sum_tally;

static inline void begin_sum(sum_tally *sum, const lm_row_patterns *s)
{
    sum->all = sum->turned = (tally){0};
    memset(sum->of_all, 0, (size_t)s->per_word * sizeof *sum->of_all);
    memset(sum->of_turned, 0, (size_t)s->per_word * sizeof *sum->of_turned);
}

LM_INLINE void add_all(sum_tally *sum, lm_word a, lm_word b, const lm_row_patterns *s)
{
    add_to_tally(&sum->all, a, b, s, sum->of_all);
}

LM_INLINE void add_turned(sum_tally *sum, lm_word a, lm_word b, const lm_row_patterns *s)
{
    add_to_tally(&sum->turned, a, b, s, sum->of_turned);
}

/* Adds the sum and `known` to number k of the replicas' sums. */
static void end_sum(sum_tally *sum, const lm_row_patterns *s, int k, int64_t known,
                    int64_t (*sums)[LM_BITS_MAX_SUMS])
{
    end_tally(&sum->all, s, sum->of_all);
    end_tally(&sum->turned, s, sum->of_turned);
    for (int r = 0; r < s->per_word; r++)
        sums[r][k] += known + sum->of_all[r] - 2 * sum->of_turned[r];
}

#endif
