/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws numbers from a distribution, for bonds and sites: doc/trajectory.md, "Drawn couplings". */
#ifndef LM_DRAW_H
#define LM_DRAW_H

#include <stdint.h>

#include "lib/models/model.h"

enum {
    LM_DISTRIBUTIONS = 2,
    LM_DESCRIBED_ARGUMENTS = 5, /* of all distributions, one distribution after the other */
    LM_ARGUMENTS = 4            /* enumerators of latmc_argument; LATMC_DRAW_PLUS is the first */
};

/* Models refer to these lists of distributions and arguments in their rows. */
extern const lm_entry lm_distributions[LM_DISTRIBUTIONS];
extern const lm_entry lm_arguments[LM_DESCRIBED_ARGUMENTS];

typedef struct lm_draw {
    latmc_distribution distribution;
    uint64_t seed;
    double values[LM_ARGUMENTS]; /* by LM_ARGUMENT; 0 if the distribution has no such argument */
} lm_draw;

#define LM_ARGUMENT(argument) ((int)(argument)-LATMC_DRAW_PLUS)

/* What a drawn number belongs to. */
typedef enum lm_owner {
    LM_OF_BONDS, /* a coupling of a bond along an axis */
    LM_OF_SITES, /* a field of a site */
    LM_OWNERS
} lm_owner;

/* Returns a draw with the arguments' presets. */
lm_draw lm_draw_of(latmc_distribution distribution, uint64_t seed);

/* Draws numbers[0 .. count - 1] of the given sample. They belong to the sites from `first` on, or
 * to these sites' bonds along `axis`. The axis is 0 for sites. */
void lm_draw_numbers(const lm_draw *how, lm_owner owner, int axis, int64_t sample, int64_t first,
                     int64_t count, double *numbers);

#endif
