/* SPDX-License-Identifier: BSD-3-Clause */
/* A sum that takes one number after another, as lm_sums_tree() (lib/physics/sums.h) takes them all.
 */
#ifndef LM_ADDER_H
#define LM_ADDER_H

#include <stdint.h>

#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"

enum {
    LM_ADDER_LEVELS = 5
}; /* blocks of blocks: 1024^4 numbers, the most sites, leave one on the
      last */

/* {0} before the first number. */
typedef struct lm_adder {
    double partial[LM_ADDER_LEVELS][LM_SUMS_STRIDE];
    int count[LM_ADDER_LEVELS];
} lm_adder;

/* How many numbers the present block still takes, 1 or more. */
static inline int64_t lm_adder_room(const lm_adder *adder)
{
    return LM_SUMS_BLOCK - adder->count[0];
}

void lm_adder_one(lm_adder *adder, double x);
/* No more than there is room for. */
void lm_adder_some(lm_adder *adder, const double *x, int64_t n);
/* The sum, and the adder begins anew. */
double lm_adder_end(lm_adder *adder);

#endif
