/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks that all public functions share. */
#ifndef LM_NEED_H
#define LM_NEED_H

#include "lib/lattice/lattice.h"

/* The status of a public function, if it is so on all ranks (lib/base/ranks.h): before it changes
 * anything, and at its end. Where the function may not use the lattice the ranks know nothing of
 * it.
 */
static inline latmc_status lm_everywhere(const latmc_lattice *lattice, latmc_status status)
{
    return !lattice || lattice->watch.calling ? status : lm_ranks_agree(lattice->ranks, status);
}

/* Refusals shared by the public functions, `caller` being the function's name. lm_need() is every
 * such function's first call. */
latmc_status lm_need(const latmc_lattice *lattice, const char *caller);
latmc_status lm_need_started(const latmc_lattice *lattice, const char *caller);
latmc_status lm_need_unstarted(const latmc_lattice *lattice, const char *caller);
/* A model whose bonds have couplings, whose sites have fields. */
latmc_status lm_need_owner(const latmc_lattice *lattice, const char *caller, lm_owner owner);

#endif
