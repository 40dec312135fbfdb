/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the checks that all public functions share. */
#ifndef LM_NEED_H
#define LM_NEED_H

#include "lib/lattice/lattice.h"

/* Makes the ranks agree on a public function's status (lib/base/ranks.h). A function calls it
 * before it changes anything, and at its end. The ranks do not take part in a call that must not
 * use the lattice. */
static inline latmc_status lm_everywhere(const latmc_lattice *lattice, latmc_status status)
{
    return !lattice || lattice->watch.calling ? status : lm_ranks_agree(lattice->ranks, status);
}

/* Refusals that public functions share. Messages name `caller`, the public function. Every public
 * function calls lm_need_lattice() first. */
latmc_status lm_need_lattice(const latmc_lattice *lattice, const char *caller);
latmc_status lm_need_started(const latmc_lattice *lattice, const char *caller);
latmc_status lm_need_unstarted(const latmc_lattice *lattice, const char *caller);
/* Returns the status, or refuses an argument that is NULL. `name` is its name. */
latmc_status lm_need_pointer(latmc_status status, const char *caller, const char *name,
                             const void *pointer);
/* Refuses models whose bonds have no couplings, or whose sites have no fields. */
latmc_status lm_need_owner(const latmc_lattice *lattice, const char *caller, lm_owner owner);

#endif
