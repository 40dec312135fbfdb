/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which sites of a bit lattice share a 32-bit word, and which counter of the random
 * number generator belongs to a word. Part of the trajectory contract:
 * doc/trajectory.md, "Site words".
 *
 * Folded: all extents are even. The sites of sublattice c = (x0 + x1 + x2 + x3) mod 2
 * of one row are numbered k = x0 / 2 (rounded down), and H = L0 / 2.
 * Natural: any other extents. All sites of a row are numbered k = x0, and H = L0.
 *
 * Site k of a row lies in word k / 32 of the row's W = ceil(H / 32) words, at bit k % 32,
 * if H > 16. Shorter rows share a word among P = 32 / S replicas, S being the smallest
 * power of two >= H: replica r has bits (r % P) S to (r % P) S + H - 1 of the words of
 * group r / P. (Longer rows: S = 32, P = 1.)
 */
#ifndef LM_SITEWORD_H
#define LM_SITEWORD_H

#include "backends/backend.h"

typedef struct lm_words {
    int folded;      /* 1: two sublattices, half a row each */
    int sublattices; /* 2 if folded, otherwise 1 */
    int colours;     /* lm_near_colours() */
    int segment;     /* S, bits of a word that belong to one replica */
    int pack;        /* P, replicas of a word */
    int64_t bits;    /* H, used bits of a row */
    int64_t width;   /* W, words of a row */
    int64_t rows;    /* of the whole lattice */
    int64_t first_group;
    int64_t groups; /* of P replicas each, the first and the last perhaps in part */
} lm_words;

lm_words lm_words_of(const lm_spec *spec);

/* Parity of a row's coordinates x1 + x2 + x3. */
int lm_row_parity(const lm_spec *spec, int64_t row);

/* Of a natural lattice: what all coordinates but x add to a site's colour. (Folded: the colour is
 * the sublattice.) */
int lm_row_colour(const lm_spec *spec, const lm_words *words, int64_t row);

/* Where in its row the site x lies. */
typedef struct lm_site_place {
    int sublattice;
    int64_t k;
} lm_site_place;
lm_site_place lm_site_place_of(const lm_words *words, int row_parity, int64_t x);

/* The bits of a word of group number `group` (0 is the first held) that belong to replicas held. */
uint32_t lm_lane_mask(const lm_words *words, const lm_spec *spec, int64_t group);

/* The low S bits, copied to all P replicas of a word. */
uint32_t lm_replicate(const lm_words *words, uint32_t bits);

/*
 * A digit of the sites of one replica's row (int8_t) to and from the row's words: bit `digit` of
 * their states, whose other bits unpacking leaves as they are but for digit 0, which sets them to
 * 0; LM_SIGN of sites that are -1 or +1, where bit 1 is +1; or LM_NEGATIVE, digit 1 of sites that
 * are -1, 0 or +1, whose digit 0 is that they are not 0. words[c] points at the W words of
 * sublattice c of that row. Packing leaves the bits of other replicas, and bits of no site, as they
 * are.
 */
enum { LM_SIGN = -1, LM_NEGATIVE = -2 };
void lm_row_pack(const lm_words *words, int row_parity, int lane, int digit, const int8_t *sites,
                 int64_t extent, uint32_t *const row[2]);
void lm_row_unpack(const lm_words *words, int row_parity, int lane, int digit, int8_t *sites,
                   int64_t extent, const uint32_t *const row[2]);

/* What a model's sites are: numbers; -1 and +1; -1, 0 and +1. Which digit is number k. */
typedef enum lm_site_values { LM_STATES, LM_TWO_SPINS, LM_THREE_SPINS } lm_site_values;

static inline int lm_digit_of(lm_site_values numbers, int k)
{
    return numbers == LM_TWO_SPINS ? LM_SIGN : numbers == LM_THREE_SPINS && k ? LM_NEGATIVE : k;
}

#endif
