/* SPDX-License-Identifier: BSD-3-Clause */
/* What sums mean. */
#ifndef LM_READING_H
#define LM_READING_H

#include "lib/lattice/lattice.h"

/* The groups of sums that observables need, or the refusal of one that the model does not have. */
latmc_status lm_groups_of(const latmc_lattice *lattice, const char *caller, int count,
                          const latmc_observable *observables, unsigned *groups);
/* Those that options and the lack of fields do not leave idle. */
unsigned lm_groups_in_use(const latmc_lattice *lattice, unsigned groups);
/* What observables and actions are made of; of pairs without parameters. */
lm_reading lm_reading_of(const latmc_lattice *lattice, const double *params, const double *sums);
/* Those of a replica, which has a slot, and waves as its sites were measured last. */
lm_reading lm_reading_at(const latmc_lattice *lattice, int64_t replica, const double *params,
                         const double *sums);
/* One replica's observable from the sums of its groups. */
double lm_value_of(const latmc_lattice *lattice, const lm_entry *observable, int64_t replica,
                   const double *sums);

/* How many sums a pair of replicas has. */
int lm_pair_sums_of(const latmc_lattice *lattice);

#endif
