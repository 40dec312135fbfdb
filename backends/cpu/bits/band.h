/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares what the inner loops of words work on: a band of consecutive words of one plane. A plane
 * is the rows that differ only in x1. Rows follow each other without a gap, so a vector may span
 * rows. A ghost row lies before the first row and after the last.
 *
 * A word's place in its rows decides several things: whether it is the row's first word, which way
 * its bits lean, which of its sites have the colour. All of this repeats after two rows. It is read
 * from pattern arrays, which are as long as this period and one vector.
 */
#ifndef LM_BITS_BAND_H
#define LM_BITS_BAND_H

#include <stdint.h>

#include "backends/cpu/lanes.h"

#define LM_MAX_LANES 16 /* words of the widest vector */
#define LM_MAX_BONDS 8  /* bonds of a site */

/* The most sums of a replica, without the sum of changes. */
enum { LM_BITS_MAX_SUMS = 22 };

typedef struct lm_row_patterns {
    int dims, folded;
    int per_word, segment;  /* replicas of a word; bits of each */
    int64_t width;          /* W, words of a row */
    int bits;               /* used bits of a row in its last word, 1 .. 32 */
    int64_t period;         /* of the patterns, in words; at least LM_MAX_LANES */
    uint32_t segment_first; /* bit 0 of every segment */
    const uint32_t *first;  /* ~0 in the first word of a row, otherwise 0 */
    const uint32_t *last;   /* the same for the last word */
    const uint32_t
        *upward; /* folded: ~0 in rows whose sites have their second x-neighbour at k + 1 */
    const uint32_t *valid; /* the bits that are sites */
    const uint32_t
        *active[3]; /* natural: sites whose axis colours have x0 + (x1 mod 2) = c mod colours */
} lm_row_patterns;

struct lm_word_rule;
struct lm_keys;

typedef struct lm_bits_band {
    const lm_row_patterns *shape;
    int64_t begin, end; /* words of the plane */
    int64_t in_pattern; /* pattern index of word `begin` */
    /* All of these point at word 0 of row 0 of a plane. Digit k of the sites is k strides further
     * on. */
    int64_t digit_stride;
    uint32_t *own;
    const uint32_t *other;              /* the sublattice of the x- and x1-neighbours */
    const uint32_t *down[2], *up[2];    /* the planes below and above along x2 and x3 */
    const uint32_t *sign[LM_MAX_BONDS]; /* bonds that are -1; all NULL if none can be */
    const uint32_t *gone[LM_MAX_BONDS]; /* bonds that are 0; all NULL if none can be */

    const uint32_t *active; /* pattern: sites that may change */
    uint32_t replicas_mask; /* bits of the replicas that exist */
    uint64_t index;         /* counter index of word 0 */
    uint64_t step;
    const struct lm_keys *keys; /* of the random numbers: the seed */
    uint32_t group, colour;
    const uint32_t *planes;          /* uniform rule: thresholds */
    uint32_t flip;                   /* uniform rule: replicas with the opposite sign of bonds */
    const struct lm_word_rule *rule; /* for any other rule */
    int plain;                       /* 1: sites are plain (lib/physics/digits.h) */
    int states;                      /* number of states of a site, in models that have one */
    const void *more;                /* what the model's own loops need besides */
    int64_t *changed; /* [per_word], counters to which changed sites are added, or NULL */
} lm_bits_band;

/* The words of two replicas, from plane to plane. */
typedef struct lm_bits_twins {
    const uint32_t *a, *b; /* word 0 of row 0 of plane 0 */
    int64_t plane_words;   /* W times the rows of a plane */
    int64_t plane_stride;  /* from plane to plane, ghosts included */
    int64_t begin, end;    /* words, counted without ghosts */
    int shift_a, shift_b;  /* first bits of the replicas in their words */
    uint32_t bits;         /* the low S bits */
} lm_bits_twins;

/* What all models give for one lane. A model's table of inner loops begins with it, is called
 * lm_NAME_loops_LANE, and is all that a lane exports. */
typedef struct lm_bits_loops {
    const char *name;
    int words;
    void (*hot)(const lm_bits_band *band); /* writes random sites */
    /* For models of two values, otherwise NULL: the number of sites in which two replicas differ.
     */
    int64_t (*count_apart)(const lm_bits_twins *twins);
    /* Adds to links[axis], over the bonds that the sites of a band see. These are all bonds in a
     * folded lattice, and the bonds upward in a natural one. The first number counts the bonds with
     * exactly one site that differs between the replicas. The second number counts bonds that are
     * missing in neither replica, if bonds may be missing. The function serves 1 to 4 dimensions. a
     * and b are the same rows of each replica's group, without signs. The twins give shifts and
     * bits. */
    void (*count_links[4])(const lm_bits_band *a, const lm_bits_band *b, const lm_bits_twins *twins,
                           int64_t (*links)[2]);
} lm_bits_loops;

#endif
