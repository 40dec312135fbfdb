/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes sites of the Blume-Capel model, for code that makes tables for them. */
#ifndef LM_BLUME_CAPEL_SHAPE_H
#define LM_BLUME_CAPEL_SHAPE_H

#include "lib/physics/specifiers.h"

enum { LM_BLUME_CAPEL_DIGITS = 2 };

/*
 * Kinds of Metropolis' classes. They are the moves. Plain sites have pairs of a move and its
 * reverse, of which one is certain: a spin +1 that comes or goes, a spin -1 that comes or goes, or
 * a spin that turns. Without a field the law does not change when all spins are turned. PAIR_UP
 * then serves both pairs, by the sum of the neighbours times the spin. TURN then has only the
 * levels above the middle, by the sum's magnitude.
 */
enum {
    LM_BLUME_CAPEL_TO_UP,     /* 0 to +1 */
    LM_BLUME_CAPEL_TO_DOWN,   /* 0 to -1 */
    LM_BLUME_CAPEL_FROM_UP,   /* +1 to 0 */
    LM_BLUME_CAPEL_FROM_DOWN, /* -1 to 0 */
    LM_BLUME_CAPEL_UP_DOWN,   /* +1 to -1 */
    LM_BLUME_CAPEL_DOWN_UP,   /* -1 to +1 */
    LM_BLUME_CAPEL_MOVES,
    LM_BLUME_CAPEL_PAIR_UP = LM_BLUME_CAPEL_MOVES,
    LM_BLUME_CAPEL_PAIR_DOWN,
    LM_BLUME_CAPEL_TURN,
    LM_BLUME_CAPEL_KINDS
};

/* Kinds of the heat bath's classes: the new spin is not 0; a spin that is not 0 is -1. */
enum { LM_BLUME_CAPEL_NOT_ZERO, LM_BLUME_CAPEL_NEGATIVE, LM_BLUME_CAPEL_CHOICES };

/* Blocks of a number of up to 32 bits, and the first block of the heat bath's second number. */
enum { LM_BLUME_CAPEL_DRAWS = 8, LM_BLUME_CAPEL_SECOND_DRAW = 8 };

#endif
