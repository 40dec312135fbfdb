/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the shape of an update rule for sites in words. It says how the rule puts sites into
 * classes (lib/physics/ballot.h). */
#ifndef LM_RULE_SHAPE_H
#define LM_RULE_SHAPE_H

#include <stdint.h>

/* The most updates of a model that have a rule. */
enum { LM_RULE_UPDATES = 3 };

typedef struct lm_rule_shape {
    int heat_bath;   /* 1: the outcome is the new state; 0: whether to change */
    int sets, bonds; /* sets of bonds of equal coupling; bonds of each set */
    int missing;     /* 1: bonds may be missing */
    int levels;      /* of a set */
    int classes;     /* levels^sets, for each kind of site */
    int kinds;       /* kinds of sites, by their own state */
} lm_rule_shape;

#endif
