/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares a set of weights, as observables see it and as a lattice keeps it. */
#ifndef LM_MODELS_WEIGHTS_H
#define LM_MODELS_WEIGHTS_H

#include "lib/models/draw.h"

/* A set of weights, of the sites or of the bonds. */
struct lm_weights {
    lm_owner owner;
    int64_t samples; /* 1: the same weights for all samples; 0: the set does not exist */
    int as_signs;    /* 1: all weights are -1, 0 or +1. `signs` has them, otherwise `reals` */
    int8_t *signs;   /* [sample][bond type][cell], or [sample][site] */
    double *reals;
    int first_sum; /* number of the set's first sum among those of all sets */
    int by_plan;   /* 1: the lattice's plans made the sums of this measurement */
};

/* Returns how many sums a set has, if a site adds `terms` numbers. */
static inline int lm_weights_sums(const struct lm_weights *set, int terms)
{
    return !set->samples ? 0 : set->owner == LM_OF_BONDS ? 1 : terms;
}

#endif
