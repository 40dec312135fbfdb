/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a random case, and what they share with its settings. */
#ifndef LM_RANDOM_DRAW_STEPS_H
#define LM_RANDOM_DRAW_STEPS_H

#include "tests/random/draw.h"
#include "tests/random/models.h"

/* Sweeps that cost so much together, and what comes between. */
void draw_steps(draw_dice *d, draw_kind kind, const draw_wish *wish, double cost, random_case *c);

/* draw.c: values of a parameter, for one replica or several. */
case_values draw_values(draw_dice *d, const random_param *p, int64_t replicas);
/* Does a kind have the uniform rule? */
int draw_is_plain(draw_kind kind);

#endif
