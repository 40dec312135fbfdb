/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/measure/reading.h"

#include "lib/lattice/derived.h"
#include "lib/lattice/planes.h"
#include "lib/settings/momenta.h"
#include "lib/settings/params.h"
#include "lib/settings/weights.h"

lm_reading lm_reading_of(const latmc_lattice *lattice, const double *params, const double *sums)
{
    return (lm_reading){.dims = lattice->dims,
                        .options = lattice->options,
                        .table = lattice->table,
                        .components = lm_components_of(lattice),
                        .sites = (double)lattice->sites,
                        .type_coupling = lattice->type_couplings,
                        .params = params,
                        .sums = sums,
                        .momenta = lm_momentum_count(lattice),
                        .n = lattice->momenta ? lattice->momenta->n : NULL,
                        .terms = lm_site_terms_of(lattice),
                        .simplex = lattice->model->simplex,
                        .boundaries = lattice->boundaries,
                        .weights = lattice->weights.set,
                        .weights_most = lattice->weights.most,
                        .kept = lm_representation_of(lattice)->kept};
}

void lm_reading_turn(lm_reading *in, const latmc_lattice *lattice, int64_t replica,
                     const double *params, const double *sums)
{
    in->params = params;
    in->sums = sums;
    in->replica = replica;
    in->slot = lattice->slots[replica];
    in->waves = lm_plane_waves_of(lattice, replica);
    in->momentum_sums = lm_momentum_sums(lattice, replica);
    in->weight_sums = lm_weight_sums(lattice, replica);
}

lm_reading lm_reading_at(const latmc_lattice *lattice, int64_t replica, const double *params,
                         const double *sums)
{
    lm_reading in = lm_reading_of(lattice, NULL, NULL);

    lm_reading_turn(&in, lattice, replica, params, sums);
    return in;
}

double lm_quantity_value(const latmc_lattice *lattice, const latmc_quantity *quantity,
                         int64_t replica, const double *sums)
{
    double params[LM_MAX_PARAMS];
    lm_reading in;

    lm_params_of(lattice, lattice->slots[replica], params);
    in = lm_reading_at(lattice, replica, params, sums);
    in.index = quantity->index;
    in.second = quantity->second;
    return lm_entry_value(lm_entry_find(lattice->model, LATMC_OBSERVABLES, quantity->observable),
                          in);
}

/* Returns whether some site has a field, or some slot has one now or later. */
static int in_fields(const latmc_lattice *lattice)
{
    const int field = lattice->model->field;
    int any = lm_kinds_of(lattice).site_fields || lattice->ramps[field].sweeps > 0;

    for (int64_t s = 0; s < lattice->replicas; s++)
        any |= lattice->params[field * lattice->replicas + s] != 0.0;
    return any;
}

unsigned lm_bundles_in_use(const latmc_lattice *lattice, unsigned bundles)
{
    const lm_model *model = lattice->model;

    return model->idle_bundles
               ? bundles & ~model->idle_bundles(lattice->options, in_fields(lattice))
               : bundles;
}
