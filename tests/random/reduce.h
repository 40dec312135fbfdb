/* SPDX-License-Identifier: BSD-3-Clause */
/* A case that failed, made as small as it can be while it still fails. */
#ifndef LM_RANDOM_REDUCE_H
#define LM_RANDOM_REDUCE_H

#include "tests/random/supervise.h"

typedef struct reduction {
    double limit;   /* seconds that a candidate may take */
    double seconds; /* that all may take */
    int tries;      /* the most for a candidate, where the case fails only sometimes */
    /* How it went */
    int failed, confirmed; /* of the plays of the case itself */
    int candidates;
    int in_time; /* 1: nothing smaller fails */
    random_case smallest;
    verdict verdict; /* of the smallest */
} reduction;

/* 0 if the case did not fail again. */
int reduce_case(supervisor *s, const char *text, reduction *r);

#endif
