/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps couplings that bonds have of their own, and fields that sites have of their own. */
#ifndef LM_DISORDER_H
#define LM_DISORDER_H

#include "lib/lattice/lattice.h"

/* What its bonds and sites have of their own. */
lm_kinds lm_kinds_of(const latmc_lattice *lattice);
/* Has the lattice's model such a thing? */
int lm_has(const latmc_lattice *lattice, lm_owner owner);
/* Are they here? */
int lm_is_given(const lm_disorder *disorder);
/* Are they kept as signs, and not as real numbers? */
int lm_keeps_signs(const latmc_lattice *lattice, lm_owner owner);
/* Those of a sample: one for each bond, for each site. */
int64_t lm_disorder_each(const latmc_lattice *lattice, lm_owner owner);
/* Numbers of sample number `sample` of the lattice, 0 being the first, from site `first` on, and of
 * bonds along `axis`; without the boundaries. */
void lm_disorder_own(const latmc_lattice *lattice, lm_owner owner, int64_t sample, int axis,
                     int64_t first, int64_t count, double *numbers);
/* Room for those that are given, zeros; LATMC_ERROR_MEMORY with none. */
latmc_status lm_disorder_room(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                              lm_disorder *disorder);
/* Makes them the lattice's own. */
void lm_disorder_take(latmc_lattice *lattice, lm_owner owner, lm_disorder disorder);
void lm_disorder_free(lm_disorder *disorder);
/* Those that are given, where they are. */
void *lm_disorder_given(const lm_disorder *disorder);
void lm_disorder_flags(const latmc_lattice *lattice, lm_spec *spec);

#endif
