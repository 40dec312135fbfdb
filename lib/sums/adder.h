/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a sum that takes numbers one after another. Its result is that of lm_sums_tree()
 * (lib/physics/sums.h), which takes them all at once. */
#ifndef LM_ADDER_H
#define LM_ADDER_H

#include <stdint.h>

#include "lib/physics/sums.h"

enum {
    LM_ADDER_LEVELS = 5
}; /* levels of blocks: 1024^4 numbers, the most sites, leave one number on the last level */

/* Is {0} before the first number. */
typedef struct lm_adder {
    double partial[LM_ADDER_LEVELS][LM_SUMS_STRIDE];
    int count[LM_ADDER_LEVELS];
} lm_adder;

void lm_adder_one(lm_adder *adder, double x);
/* Adds n numbers, no more than the present block still takes: LM_SUMS_BLOCK - count[0]. */
void lm_adder_some(lm_adder *adder, const double *x, int64_t n);
/* Returns the sum. The adder then begins anew. */
double lm_adder_end(lm_adder *adder);

#endif
