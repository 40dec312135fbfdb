/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/lattice/spec.h"

#include <string.h>

#include "lib/lattice/bonds.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/disorder.h"
#include "lib/lattice/params.h"
#include "lib/lattice/ramp.h"

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

/* Checks the settings as they will be for sweep number `sweep`. */
latmc_status lm_spec_check(const latmc_lattice *lattice, const char *caller, int64_t sweep)
{
    const lm_model *model = lattice->model;
    const lm_spec spec = lm_spec_of(lattice);
    double params[LM_MAX_PARAMS];
    latmc_status status = LATMC_OK;

    for (int64_t s = 0; model->check && s < lattice->replicas && !status; s++) {
        lm_params_of(lattice, s, params);
        for (int p = 0; p < LM_MAX_PARAMS; p++)
            if (lattice->ramps[p].sweeps)
                params[p] = lm_ramp_value(&lattice->ramps[p], s, sweep);
        status = model->check(&spec, caller, params);
    }
    return status;
}
