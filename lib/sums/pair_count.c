/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/pair_count.h"

#include "lib/lattice/derived.h"
#include "lib/settings/momenta.h"
#include "lib/physics/pair_sums.h"

int lm_pair_sums_of(const latmc_lattice *lattice)
{
    return lm_pair_bundle_begin(LM_PAIR_BUNDLES, lattice->dims, lm_components_of(lattice));
}

int lm_pair_sums_at(const latmc_lattice *lattice, unsigned bundles)
{
    return bundles & LM_PAIR_MOMENTA
               ? lm_pair_begin_at(LM_PAIR_AT_END, lattice->dims, lm_components_of(lattice),
                                  lm_momentum_count(lattice))
               : 0;
}
