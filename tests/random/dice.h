/* SPDX-License-Identifier: BSD-3-Clause */
/* A generator, and choices made with it. */
#ifndef LM_RANDOM_DICE_H
#define LM_RANDOM_DICE_H

#include <stdint.h>

typedef struct draw_dice {
    uint64_t state;
} draw_dice;

int64_t draw_between(draw_dice *d, int64_t least, int64_t most); /* both included */
int draw_chance(draw_dice *d, double probability);
double draw_log(draw_dice *d, double least, double most); /* even in the logarithm */
double draw_uniform(draw_dice *d, double least, double most);
double draw_rounded(double x);    /* to few digits, so that the text of a case is short */
uint64_t draw_seed(draw_dice *d); /* mostly a short one */

#endif
