/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/spec.h"

#include <string.h>

#include "lib/lattice/bonds.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/disorder.h"

lm_spec lm_spec_of(const latmc_lattice *lattice)
{
    const lm_list *updates = lm_list_of(lattice->model, LATMC_UPDATES);
    lm_spec spec = {
        .model = (latmc_model)lattice->model->entry.id,
        .kept = lm_representation_of(lattice)->kept,
        .reach = lattice->model->reach ? lattice->model->reach(lattice->options) : 1,
        .bundles = lattice->model->bundles,
        .components = lm_components_of(lattice),
        .states = lm_states_of(lattice),
        .dims = lattice->dims,
        .first_layer = 0,
        .layers = lattice->extents[lattice->dims - 1],
        .first_replica = lattice->first_replica,
        .replicas = lattice->replicas,
        .seed = lattice->seed,
    };

    for (int i = 0; i < updates->count; i++)
        spec.tiled |= (unsigned)updates->entries[i].tiled << i;
    memcpy(spec.options, lattice->options, sizeof spec.options);
    memcpy(spec.table, lattice->table, sizeof spec.table);
    for (int g = 0; g <= spec.bundles; g++)
        spec.bundle_begin[g] = lm_bundle_begin_of(lattice, g);
    memcpy(spec.extents, lattice->extents, sizeof spec.extents);
    memcpy(spec.boundaries, lattice->boundaries, sizeof spec.boundaries);
    lm_disorder_flags(lattice, &spec);
    /* In words, boundaries are bonds. Fields treat them at the lattice's ends. */
    if (spec.kept == LM_IN_WORDS)
        lm_bonds_flags(lattice, &spec);
    return spec;
}
