/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens plans on devices, and moves a lattice's sites from one device to another. */
#ifndef LM_HOME_H
#define LM_HOME_H

#include "lib/lattice/lattice.h"

static inline int lm_is_started(const latmc_lattice *lattice)
{
    return lattice->home.plan.ops || lattice->home.held;
}

/* A plan of the lattice on some devices, with its bonds but without sites: collective. */
latmc_status lm_home_open(const latmc_lattice *lattice, const char *caller, const lm_where *where,
                          lm_home *home);
/* Gives a plan of this lattice, or of a slab of it, the bonds and fields that the spec announces.
 */
latmc_status lm_home_put_disorder(const latmc_lattice *lattice, const char *caller,
                                  const lm_spec *spec, lm_plan plan);
void lm_home_close(lm_home *home);
/* The devices wanted, or the choice of "auto". */
latmc_status lm_home_choose(const latmc_lattice *lattice, const char *caller, lm_where *where);
/* Makes `home` the lattice's own; the old one is closed. */
void lm_home_take(latmc_lattice *lattice, lm_home home);
/* Sites that host memory holds move to the device wanted. If that fails they stay. */
latmc_status lm_home_settle(latmc_lattice *lattice, const char *caller);
/* A home, on the wanted device, with sites in their first state. */
latmc_status lm_home_start(const latmc_lattice *lattice, const char *caller, latmc_start_mode mode,
                           lm_home *home);

#endif
