/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the bonds' own couplings and the sites' own fields. `owner` says which of the two. */
#ifndef LM_DISORDER_H
#define LM_DISORDER_H

#include "lib/lattice/lattice.h"

/* Returns what the lattice's bonds and sites have of their own. */
lm_kinds lm_kinds_of(const latmc_lattice *lattice);
/* Returns whether the lattice's model has couplings, or fields, of their own. */
int lm_model_has_own(const latmc_lattice *lattice, lm_owner owner);
static inline int lm_is_sign(double value)
{
    return value == 1.0 || value == -1.0 || value == 0.0;
}

/* Returns whether the numbers are in memory. */
int lm_is_given(const lm_disorder *disorder);
/* Returns whether the numbers are kept as signs. */
int lm_keeps_signs(const latmc_lattice *lattice, lm_owner owner);
/* Returns how many numbers a sample has: one for each bond, or one for each site. */
int64_t lm_disorder_each(const latmc_lattice *lattice, lm_owner owner);
/* Writes numbers of sites from `first` on, or of bonds of a type in cells from `first` on, without
 * the boundaries. Samples count from 0 in this lattice. */
void lm_disorder_own(const latmc_lattice *lattice, lm_owner owner, int64_t sample, int type,
                     int64_t first, int64_t count, double *numbers);
/* Allocates zeros for given numbers. On failure it returns LATMC_ERROR_MEMORY and allocates
 * nothing. */
latmc_status lm_disorder_room(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                              lm_disorder *disorder);
/* Makes the numbers the lattice's own. The lattice then owns their memory. */
void lm_disorder_take(latmc_lattice *lattice, lm_owner owner, lm_disorder disorder);
void lm_disorder_free(lm_disorder *disorder);
/* Returns where the given numbers are. */
void *lm_disorder_given(const lm_disorder *disorder);
/* Sets spec->couplings, spec->site_fields and spec->samples. */
void lm_disorder_flags(const latmc_lattice *lattice, lm_spec *spec);

#endif
