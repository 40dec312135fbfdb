/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declares colourings for stencils. Sites of one colour do not read each other, so all of them may
 * be updated at once. Colourings are part of the trajectory contract: doc/trajectory.md, "Colours
 * of a field model".
 *
 * A site's colour is computed from tables with one entry for each coordinate of each axis:
 *   (sum_a sum[a][x_a] mod modulus) + modulus * (far[0][x_0] + far_numbers[0] * (far[1][x_1] + ..))
 */
#ifndef LM_COLOURING_H
#define LM_COLOURING_H

#include "lib/geometry/spec.h"

typedef struct lm_colouring {
    int dims, colours, modulus, stretched;
    int far_numbers[LATMC_MAX_DIMS]; /* 1 for an axis that takes part only in the sum */
    uint8_t *sum[LATMC_MAX_DIMS];
    uint8_t *far[LATMC_MAX_DIMS];
    int64_t extents[LATMC_MAX_DIMS];
    uint8_t *memory;
} lm_colouring;

/* These are for nearest neighbours, reach 1. They return the number of colours, and what coordinate
 * x of an axis adds to a site's colour, modulo that number. Bits need no table of it
 * (lib/geometry/siteword.h). */
int lm_near_colours(const lm_spec *spec);
int lm_near_colour(const lm_spec *spec, int axis, int64_t x);

/* Makes the colouring of a lattice. Reach 1 means nearest neighbours, and reach 2 all sites within
 * two steps. It may fail with LATMC_ERROR_MEMORY. */
latmc_status lm_colouring_make(const lm_spec *spec, int reach, lm_colouring *colouring);
/* Makes the colouring of a tile with these extents. The tile's surroundings do not change, so no
 * axis is closed. */
latmc_status lm_colouring_tile(int dims, const int64_t *extents, int reach,
                               lm_colouring *colouring);
/* These describe where the sum of a stretched colouring begins anew along an axis. They return the
 * number of blocks, 1, 2 or 4, and the first coordinate of block k, k <= blocks. */
int lm_colouring_blocks(int64_t extent, int modulus);
int64_t lm_colouring_block(int64_t extent, int blocks, int k);
void lm_colouring_free(lm_colouring *colouring);

/* The class of coordinate x along axis 0 is sum + modulus * far. It is less than
 * lm_colour_classes(). */
static inline int lm_colour_classes(const lm_colouring *c)
{
    return c->modulus * c->far_numbers[0];
}
static inline int lm_colour_class(const lm_colouring *c, int64_t x)
{
    return c->sum[0][x] + c->modulus * c->far[0][x];
}

/* Returns the class of a colour's sites in the row with coordinates x[1 ..], or -1 if the row has
 * none. */
int lm_colour_class_in_row(const lm_colouring *c, int colour, const int64_t *x);

int lm_colour_of(const lm_colouring *c, const int64_t *x);

#endif
