/* SPDX-License-Identifier: BSD-3-Clause */
/* A lattice's own schedule. */
#ifndef LM_SCHEDULE_H
#define LM_SCHEDULE_H

#include "lib/lattice/lattice.h"

enum { LM_MAX_EXCHANGES = 1024 }; /* after a step */

/* Has the step arguments of its own? */
int lm_rounds_own(const lm_rounds *rounds, int step);

/* Does some step end with exchanges? How many come when `done` sweeps of a round are: 0 stands for
 * its end. */
int lm_rounds_exchange(const lm_rounds *rounds);
int64_t lm_rounds_due(const lm_rounds *rounds, int64_t done);

#endif
