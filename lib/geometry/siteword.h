/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Says which sites of a lattice of bits share a 32-bit word, and which counter of the random number
 * generator belongs to a word. Both are part of the trajectory contract: doc/trajectory.md, "Site
 * words".
 *
 * A lattice is folded if all extents are even. The sites of sublattice c = (x0 + x1 + x2 + x3) mod
 * 2 of a row are then numbered k = x0 / 2 (rounded down), and H = L0 / 2. Otherwise a lattice is
 * natural. All sites of a row are then numbered k = x0, and H = L0.
 *
 * Let H > 16. Site k of a row is in word k / 32 of the row's W = ceil(H / 32) words, at bit k % 32.
 * In shorter rows, P = 32 / S replicas share a word, where S is the smallest power of two >= H.
 * Replica r then has bits (r % P) S to (r % P) S + H - 1 of the words of group r / P. Longer rows
 * have S = 32 and P = 1.
 */
#ifndef LM_SITEWORD_H
#define LM_SITEWORD_H

#include "lib/geometry/spec.h"

typedef struct lm_words {
    int folded;      /* 1: two sublattices, half a row each */
    int sublattices; /* 2 if folded, otherwise 1 */
    int colours;     /* lm_near_colours() */
    int segment;     /* S, bits of a word that belong to one replica */
    int per_word;    /* P, replicas of a word */
    int64_t bits;    /* H, used bits of a row */
    int64_t width;   /* W, words of a row */
    int64_t rows;    /* of the whole lattice */
    int64_t first_group;
    int64_t groups; /* groups of P replicas; the first and the last may be partial */
} lm_words;

lm_words lm_words_of(const lm_spec *spec);

/* Returns the parity of a row's coordinates x1 + x2 + x3. */
int lm_row_parity(const lm_spec *spec, int64_t row);

/* Returns what all coordinates but x add to a site's colour in a natural lattice. In a folded
 * lattice the colour is the sublattice. */
int lm_row_colour(const lm_spec *spec, const lm_words *words, int64_t row);

/* Returns the bits that belong to replicas of this plan, in a word of group number `group`. Group 0
 * is the first of this plan. */
uint32_t lm_replicas_mask(const lm_words *words, const lm_spec *spec, int64_t group);

/* Returns the low S bits, copied to all P replicas of a word. */
uint32_t lm_replicate(const lm_words *words, uint32_t bits);

/*
 * These move one digit of the sites of a replica's row (int8_t) to the row's words and back. Digit
 * d >= 0 is bit d of a state. Unpacking keeps the state's other bits, except that digit 0 sets them
 * to 0. LM_SIGN is for sites -1 and +1: bit 1 means +1. LM_NEGATIVE is digit 1 of sites -1, 0 and
 * +1. Their digit 0 says that they are not 0. row[c] points to the W words of sublattice c of the
 * row. Packing keeps the bits of other replicas, and bits without a site.
 */
enum { LM_SIGN = -1, LM_NEGATIVE = -2 };
void lm_row_pack(const lm_words *words, int row_parity, int nth, int digit, const int8_t *sites,
                 int64_t extent, uint32_t *const row[2]);
void lm_row_unpack(const lm_words *words, int row_parity, int nth, int digit, int8_t *sites,
                   int64_t extent, const uint32_t *const row[2]);

/* The values of a model's sites: numbers; -1 and +1; or -1, 0 and +1. lm_digit_of() returns digit
 * number k. */
typedef enum lm_site_values { LM_STATES, LM_TWO_SPINS, LM_THREE_SPINS } lm_site_values;

static inline int lm_digit_of(lm_site_values numbers, int k)
{
    return numbers == LM_TWO_SPINS ? LM_SIGN : numbers == LM_THREE_SPINS && k ? LM_NEGATIVE : k;
}

#endif
