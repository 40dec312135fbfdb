/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what follows from a lattice's settings. */
#ifndef LM_DERIVED_H
#define LM_DERIVED_H

#include "lib/base/minmax.h"
#include "lib/lattice/disorder.h"
#include "lib/lattice/lattice.h"

static inline const lm_representation *lm_representation_of(const latmc_lattice *lattice)
{
    const lm_model *model = lattice->model;

    return model->only ? model->only
                       : model->representation(lattice->options, lm_kinds_of(lattice));
}

/* Brings up to date what depends on the options. It is called after they change. */
static inline void lm_options_changed(latmc_lattice *lattice)
{
    lattice->type = lm_representation_of(lattice)->type;
    if (lattice->model->table)
        lattice->model->table(lattice->options, lattice->table);
}

/* Returns the number of a bundle's first sum. For bundle `bundles` it returns the number of
 * a replica's sums. */
static inline int lm_bundle_begin_of(const latmc_lattice *lattice, int bundle)
{
    const lm_representation *r = lm_representation_of(lattice);

    return (r->bundle_begin ? r->bundle_begin : lattice->model->bundle_begin)(
        lattice->options, bundle, lattice->dims);
}
static inline int lm_sums_of(const latmc_lattice *lattice)
{
    return lm_bundle_begin_of(lattice, lattice->model->bundles);
}

/* Returns the numbers of a site. */
static inline int lm_components_of(const latmc_lattice *lattice)
{
    return lattice->model->components ? lattice->model->components(lattice->options) : 1;
}

/* Returns the components of lm_model.site_terms. */
static inline int lm_site_terms_of(const latmc_lattice *lattice)
{
    return lattice->model->site_terms_of ? lattice->model->site_terms_of(lattice->options)
                                         : lm_components_of(lattice);
}

/* Returns how the functions of a model read the sites' numbers. */
static inline lm_site_array lm_site_array_of(const latmc_lattice *lattice)
{
    return (lm_site_array){(latmc_type)lattice->type->entry.id, lm_components_of(lattice),
                           lattice->table};
}

/* Returns the number of a site's states, or 0. A type's checks take it (lm_site_type in
 * lib/models/model.h). */
static inline int lm_states_of(const latmc_lattice *lattice)
{
    return lattice->model->states ? lattice->model->states(lattice->options) : 0;
}

/* Returns the most replicas of an ensemble of such lattices, and the most samples. Counters have
 * room for so many (lib/physics/philox.h). */
static inline int64_t lm_ensemble_of(const latmc_lattice *lattice)
{
    return (int64_t)1 << (lattice->sites <= (int64_t)1 << 32 ? 32 : 24);
}

/* Returns the most replicas of the lattice. */
static inline int64_t lm_replicas_most(const latmc_lattice *lattice)
{
    return lm_min(LM_MAX_REPLICAS, LM_MAX_SITES / lattice->sites);
}

static inline int lm_state_limit(const latmc_lattice *lattice)
{
    return lattice->model->states ? lm_states_of(lattice) : lm_components_of(lattice);
}

/* These return the numbers of a row of sites, and of a replica. The functions of a type of sites
 * count in them. */
static inline int64_t lm_row_numbers(const latmc_lattice *lattice)
{
    return lattice->extents[0] * lm_components_of(lattice);
}
static inline int64_t lm_replica_numbers(const latmc_lattice *lattice)
{
    return lattice->sites * lm_components_of(lattice);
}

/* Returns the number of slots of a ladder, in a lattice with that many replicas. */
static inline int64_t lm_ladder_slots(const latmc_lattice *lattice, int64_t replicas)
{
    return replicas / (lattice->samples * lattice->ladders);
}

/* Returns how many numbers one measurement has. */
static inline int64_t lm_sums_count(const latmc_lattice *lattice)
{
    return lattice->replicas * lm_sums_of(lattice);
}

#endif
