/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of an update rule of sites in words: into which classes it puts them
 * (lib/physics/ballot.h). */
#ifndef LM_RULE_SHAPE_H
#define LM_RULE_SHAPE_H

#include <stdint.h>

/* The most updates of a model that have a rule. */
enum { LM_RULE_UPDATES = 3 };

typedef struct lm_rule_shape {
    int heat_bath;   /* 1: the outcome is the new state; 0: whether to change */
    int sets, bonds; /* sets of bonds of equal coupling, and bonds of each */
    int missing;     /* may bonds be missing */
    int levels;      /* of a set */
    int classes;     /* levels^sets: of each kind of site */
    int kinds;       /* of sites by what they are themselves */
} lm_rule_shape;

#endif
