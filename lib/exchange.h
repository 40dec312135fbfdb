/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of slots between sweeps. */
#ifndef LM_EXCHANGES_H
#define LM_EXCHANGES_H

#include "lib/lattice.h"

enum { LM_MAX_EXCHANGES = 1024 }; /* after a step */

/* One exchange, by a measurement of the sites as they are; room for lm_sums_count() sums. On
 * failure no slot has moved. */
latmc_status lm_exchange(latmc_lattice *lattice, const char *caller, double *sums);

/* Does some step end with exchanges? How many come when `done` sweeps of a round are: 0 stands for
 * its end. */
int lm_rounds_exchange(const lm_rounds *rounds);
int64_t lm_rounds_due(const lm_rounds *rounds, int64_t done);

#endif
