/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moves sites of words to arrays and back, through rows of bits in natural order. Rows of a folded
 * lattice are woven from the words of both sublattices.
 */
#ifndef LM_BITS_CROSS_H
#define LM_BITS_CROSS_H

#include "backends/cpu/copies.h"
#include "backends/cpu/lanes.h"
#include "backends/crossing.h"
#include "lib/geometry/siteword.h"

enum { LM_CROSS_DIGITS = 4 }; /* the most digits of a site in words */

/* Some rows of sites as bits. Site x of row r is bit (shift + x) % 64 of word r * words + (shift +
 * x) / 64, in each digit. */
typedef struct lm_natural {
    uint64_t *digit[LM_CROSS_DIGITS];
    int digits;
    lm_site_values numbers; /* the values of sites */
    int64_t rows, words;    /* words of a row */
    int64_t extent;         /* sites of a row */
    int shift;              /* 0 if a row has more than one word */
} lm_natural;

/* Words of two sublattices, in rows that follow each other. The sites with even x of the first row
 * are in even[], those of the second row in odd[], and so on. */
typedef struct lm_woven {
    uint32_t *even, *odd;
    int64_t width, rows;
    uint32_t last; /* bits of a row's last word that are sites of the crossing */
} lm_woven;

/* Inner loops, compiled for each lane (cross_lane.c). */
typedef struct lm_cross_loops {
    void (*weave)(const lm_woven *rows, uint64_t *bits);
    void (*unweave)(const lm_woven *rows, const uint64_t *bits); /* keeps bits of no site */
    void (*to_bytes)(const lm_natural *n, int8_t *sites);
    void (*of_bytes)(const lm_natural *n, const int8_t *sites); /* adds bits that were 0 */
} lm_cross_loops;

LM_DECLARE_LANES(lm_cross_loops, lm_cross_loops_, );

/* Returns a lane's loops. */
const lm_cross_loops *lm_cross_loops_of(int device);

/* Returns how many rows begin at whole bytes of an array and are moved at once: at most `rows` of
 * all, and about `wanted`. */
int64_t lm_cross_rows(const lm_crossing *c, int64_t extent, int64_t wanted);
/* Returns the place in the array of a replica's row. */
int64_t lm_cross_place(const lm_crossing *c, int64_t extent, int64_t replica, int64_t row);

/* Moves rows to an array or from it. Bits that are read are added to bits that were 0. */
void lm_natural_write(const lm_cross_loops *loops, const lm_natural *n, int saved, char *to);
void lm_natural_read(const lm_cross_loops *loops, const lm_natural *n, int saved, const char *from);

#endif
