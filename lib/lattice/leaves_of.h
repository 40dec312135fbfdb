/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a lattice is held and saved as leaves. */
#ifndef LM_LEAVES_OF_H
#define LM_LEAVES_OF_H

#include "lib/geometry/leaves.h"
#include "lib/lattice/lattice.h"

lm_leaves lm_leaves_of_sites(const latmc_lattice *lattice);
/* Of couplings or fields that are given. */
lm_leaves lm_leaves_of(const latmc_lattice *lattice, lm_owner owner);

#endif
