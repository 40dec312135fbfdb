/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a lattice's own schedule. */
#ifndef LM_SCHEDULE_H
#define LM_SCHEDULE_H

#include "lib/lattice/lattice.h"

enum { LM_MAX_EXCHANGES = 1024 }; /* the most exchanges after a step */

/* lm_rounds_exchange() returns whether some step ends with exchanges. lm_rounds_due() returns how
 * many exchanges follow when `done` sweeps of a round are made. `done` = 0 stands for the round's
 * end. */
int lm_rounds_exchange(const lm_rounds *rounds);
int64_t lm_rounds_due(const lm_rounds *rounds, int64_t done);

#endif
