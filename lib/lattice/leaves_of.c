/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/leaves_of.h"

#include "lib/base/least.h"
#include "lib/lattice/derived.h"
#include "lib/models/reals.h"
#include "lib/models/saved_bits.h"

enum { CHAIN_LEAF = 65536 }; /* sites of a chain's leaf */

/* Returns the leaves of that many trunks. Each site has `components` numbers. */
static lm_leaves shape(const latmc_lattice *lattice, int64_t trunks, int components)
{
    const int64_t sites = lattice->dims > 1 ? lattice->sites / lattice->extents[lattice->dims - 1]
                                            : lm_least(CHAIN_LEAF, lattice->sites);

    return (lm_leaves){.trunks = trunks,
                       .numbers = lattice->sites * components,
                       .leaf_numbers = sites * components,
                       .per_trunk = (lattice->sites - 1) / sites + 1};
}

lm_leaves lm_leaves_of_sites(const latmc_lattice *lattice)
{
    lm_leaves l = shape(lattice, lattice->replicas, lm_components_of(lattice));

    l.size = lattice->type->entry.bytes;
    l.bits = lattice->type->entry.bits;
    l.encode = lattice->type->encode;
    return l;
}

lm_leaves lm_leaves_of(const latmc_lattice *lattice, lm_owner owner)
{
    const int signs = lm_keeps_signs(lattice, owner);
    lm_leaves l = shape(lattice, lattice->samples * (owner == LM_OF_BONDS ? lattice->dims : 1), 1);

    l.size = signs ? 1 : (int)sizeof(double);
    l.bits = 8 * l.size;
    l.encode = signs ? lm_save_bytes : lm_save_doubles;
    return l;
}
