/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges slots between sweeps. */
#ifndef LM_EXCHANGES_H
#define LM_EXCHANGES_H

#include "lib/lattice/lattice.h"

/* One exchange, by a measurement of the sites as they are; room for lm_sums_count() sums. On
 * failure no slot has moved. Where the plan makes it (lm_plan_exchanges()) it goes by what a run
 * has left with it, of these groups, if *measured, which is so afterwards in any case; and the plan
 * alone has the state of exchanges until it is fetched, before anything but a sweep reads it. */
latmc_status lm_exchange(latmc_lattice *lattice, const char *caller, double *sums, int *measured);
unsigned lm_exchange_groups(const latmc_lattice *lattice);

#endif
