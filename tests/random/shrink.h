/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases that are a little smaller than a case. */
#ifndef LM_RANDOM_SHRINK_H
#define LM_RANDOM_SHRINK_H

#include "tests/random/case.h"

/* The next candidate from *at on, which moves on; 0 if there is none left. Beginning anew with
 * each candidate that still fails ends, because every one has less of something. */
int shrink_next(const random_case *c, int *at, random_case *smaller);

#endif
