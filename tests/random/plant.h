/* SPDX-License-Identifier: BSD-3-Clause */
/* Planted faults of the side under test: what shows that the comparison sees. */
#ifndef LM_RANDOM_PLANT_H
#define LM_RANDOM_PLANT_H

#include "tests/random/case.h"

typedef enum plant_kind {
    PLANT_NONE,
    PLANT_FLIP,      /* one site changes sign */
    PLANT_SOMETIMES, /* the same, every other time, like a race */
    PLANT_VALUE,     /* one measurement is the next number */
    PLANT_PAIRS,     /* the same of a pair of replicas */
    PLANT_STATUS,    /* a refusal has another status */
    PLANT_MESSAGE,   /* or another sentence */
    PLANT_HANG,
    PLANT_CRASH,
    PLANT_QUIT, /* the process ends as if all were well */
    PLANT_KINDS
} plant_kind;

/* PLANT_KINDS if there is none of that name. */
plant_kind plant_find(const char *name);
const char *plant_list(void);

/* Most faults want 3 sweeps or more in a call and an extent of 5 or more, so that a case that has
 * been made smaller still has something to show. */
int plant_armed(const random_case *c, const case_step *s);

/* After a step. */
void plant_step(plant_kind plant, const random_case *c, const case_step *s, latmc_lattice *lattice);
latmc_status plant_status(plant_kind plant, latmc_status status);
/* Changes the last of some measurements. */
void plant_value(plant_kind plant, const random_case *c, const case_step *s, double *values,
                 int64_t count);

#endif
