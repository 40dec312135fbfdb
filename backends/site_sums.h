/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the sites of all replicas of a plan with numbers that the caller gives. */
#ifndef LM_SITE_SUMS_H
#define LM_SITE_SUMS_H

#include <stdint.h>

/* Sums with momenta: doc/trajectory.md, "Momenta". Two orders with the same mark differ in nothing,
 * so a plan may keep tables. Marks are not 0. */
typedef struct lm_momentum_order {
    uint64_t mark;
    int count, terms;         /* momenta; terms of a site: 1, or its states */
    const double *within;     /* factors of a bar's sites: [site][2][momentum] */
    const double *bits;       /* NULL, or of sites whose terms have two values the sums of a bar's
                                 even and odd sites by their bits: [2 kinds of bars]
                                 [2][LM_MOMENTUM_HALF][2][momentum]; lib/physics/momentum_bar.h */
    const double *factors[4]; /* [axis]: [x][2][momentum], and [bar][2][momentum] of axis 0 */
} lm_momentum_order;

/* Returns the sums of a replica, or of a replica's layer. */
static inline int64_t lm_momentum_order_width(const lm_momentum_order *order)
{
    return (int64_t)order->terms * 2 * order->count;
}

/* Weights -1, 0 and +1 of the sites of the whole lattice. */
typedef struct lm_sign_weights {
    int64_t samples;     /* 1: the same weights for all samples */
    const int8_t *signs; /* [sample][site] */
} lm_sign_weights;

/* Sums with such weights, with the same marks. */
typedef struct lm_weight_order {
    uint64_t mark;
    int sets, terms;
    const lm_sign_weights *set;
    int64_t first,
        each; /* the lattice's number of the plan's first replica; replicas of a sample */
} lm_weight_order;

#endif
