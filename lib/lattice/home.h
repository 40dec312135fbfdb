/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens plans on devices, and moves a lattice's sites from one device to another. */
#ifndef LM_HOME_H
#define LM_HOME_H

#include "lib/lattice/lattice.h"

static inline int lm_is_started(const latmc_lattice *lattice)
{
    return lattice->home.plan.ops || lattice->home.held;
}

void lm_home_close(lm_home *home);
/* Returns the devices wanted, or the choice of "auto". */
latmc_status lm_home_choose(const latmc_lattice *lattice, const char *caller,
                            lm_device_list *where);
/* Returns what is to be divided among these devices of this rank. */
lm_to_divide lm_home_to_divide(const latmc_lattice *lattice, const lm_spec *spec,
                               const lm_device_list *where);
/* Makes `home` the lattice's own and closes the old one. */
void lm_home_take(latmc_lattice *lattice, lm_home home);
/* Moves sites from host memory to the device wanted. If that fails, they stay in host memory. */
latmc_status lm_home_to_device(latmc_lattice *lattice, const char *caller);
/* Opens a home on the wanted device, with sites in their first state. The caller closes it with
 * lm_home_close(). */
latmc_status lm_home_start(const latmc_lattice *lattice, const char *caller, latmc_start_mode mode,
                           lm_home *home);

#endif
