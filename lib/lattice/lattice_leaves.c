/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/lattice_leaves.h"

#include "lib/base/minmax.h"
#include "lib/lattice/derived.h"
#include "lib/models/reals.h"
#include "lib/models/saved_digits.h"

enum { CHAIN_LAYER = 8 }; /* sites of a chain that are treated as a layer */

/* Completes the leaves of trunks of sites with `components` numbers each. */
static lm_leaves complete(const latmc_lattice *lattice, lm_leaves leaves, int components)
{
    const int64_t layer = lattice->dims > 1 ? lattice->sites / lattice->extents[lattice->dims - 1]
                                            : lm_min(CHAIN_LAYER, lattice->sites);

    leaves.numbers = lattice->sites * components;
    return lm_leaves_shape(leaves, layer * components);
}

lm_leaves lm_leaves_of_sites(const latmc_lattice *lattice)
{
    const lm_site_type *type = lattice->type;

    return complete(lattice,
                    (lm_leaves){.trunks = lattice->replicas,
                                .size = type->entry.bytes,
                                .bits = type->entry.bits,
                                .encode = type->encode},
                    lm_components_of(lattice));
}

int lm_trunks_of_sample(const latmc_lattice *lattice, lm_owner owner)
{
    return owner == LM_OF_BONDS ? lm_bond_types(lattice) : 1;
}

/* Returns the leaves of signs or real numbers of sites or bonds. */
static lm_leaves leaves_of_numbers(const latmc_lattice *lattice, lm_owner owner, int64_t samples,
                                   int signs)
{
    const int size = signs ? 1 : (int)sizeof(double);

    return complete(lattice,
                    (lm_leaves){.trunks = samples * lm_trunks_of_sample(lattice, owner),
                                .size = size,
                                .bits = 8 * size,
                                .encode = signs ? lm_save_bytes : lm_save_doubles},
                    1);
}

lm_leaves lm_leaves_of_disorder(const latmc_lattice *lattice, lm_owner owner)
{
    return leaves_of_numbers(lattice, owner, lattice->samples, lm_keeps_signs(lattice, owner));
}

lm_leaves lm_leaves_of_weights(const latmc_lattice *lattice, const lm_weights *weights)
{
    return leaves_of_numbers(lattice, weights->owner, weights->samples, weights->as_signs);
}
