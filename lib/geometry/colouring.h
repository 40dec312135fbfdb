/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Colourings for stencils: sites of one colour do not need each other, so all of them may be
 * updated at once. Part of the trajectory contract: doc/trajectory.md, "Colours of a
 * field model".
 *
 * The colour of a site is a number made of tables, one entry for each coordinate of each axis:
 *   (sum_a sum[a][x_a] mod modulus) + modulus * (part[0][x_0] + parts[0] * (part[1][x_1] + ..))
 */
#ifndef LM_COLOURING_H
#define LM_COLOURING_H

#include "backends/backend.h"

typedef struct lm_colouring {
    int dims, colours, modulus, stretched;
    int parts[LATMC_MAX_DIMS]; /* 1 for an axis that takes part in the sum only */
    uint8_t *sum[LATMC_MAX_DIMS];
    uint8_t *part[LATMC_MAX_DIMS];
    int64_t extents[LATMC_MAX_DIMS];
    uint8_t *memory;
} lm_colouring;

/* Nearest neighbours, reach 1: the number of colours, and what coordinate x of an axis adds to a
 * site's colour, modulo that number. Bits need no table of it (lib/geometry/siteword.h). */
int lm_near_colours(const lm_spec *spec);
int lm_near_colour(const lm_spec *spec, int axis, int64_t x);

/* reach 1: nearest neighbours; reach 2: all sites within two steps. LATMC_ERROR_MEMORY. */
latmc_status lm_colouring_make(const lm_spec *spec, int reach, lm_colouring *colouring);
/* A tile of these extents, whose surroundings stand still: no axis is closed. */
latmc_status lm_colouring_tile(int dims, const int64_t *extents, int reach,
                               lm_colouring *colouring);
/* Where the sum of a stretched colouring begins anew along an axis: the number of blocks, 1, 2 or
 * 4; the first coordinate of block k, k <= blocks. */
int lm_colouring_blocks(int64_t extent, int modulus);
int64_t lm_colouring_block(int64_t extent, int blocks, int k);
void lm_colouring_free(lm_colouring *colouring);

/* The class of coordinate x along axis 0: sum + modulus * part, less than lm_colour_classes(). */
static inline int lm_colour_classes(const lm_colouring *c)
{
    return c->modulus * c->parts[0];
}
static inline int lm_colour_class(const lm_colouring *c, int64_t x)
{
    return c->sum[0][x] + c->modulus * c->part[0][x];
}

/* The class that sites of a colour have in the row with coordinates x[1 ..], or -1 for none. */
int lm_colour_class_in_row(const lm_colouring *c, int colour, const int64_t *x);

int lm_colour_of(const lm_colouring *c, const int64_t *x);

#endif
