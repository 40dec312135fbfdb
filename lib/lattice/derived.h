/* SPDX-License-Identifier: BSD-3-Clause */
/* What follows from the settings of a lattice. */
#ifndef LM_DERIVED_H
#define LM_DERIVED_H

#include "lib/lattice/disorder.h"
#include "lib/lattice/lattice.h"

static inline const lm_representation *lm_representation_of(const latmc_lattice *lattice)
{
    return lattice->model->representation(lattice->options, lm_kinds_of(lattice));
}

/* What follows from options that are new. */
static inline void lm_options_changed(latmc_lattice *lattice)
{
    lattice->type = lm_representation_of(lattice)->type;
    if (lattice->model->table)
        lattice->model->table(lattice->options, lattice->table);
}

/* The first sum of a group; of `groups`, how many sums a replica has. */
static inline int lm_group_begin_of(const latmc_lattice *lattice, int group)
{
    const lm_representation *r = lm_representation_of(lattice);

    return (r->group_begin ? r->group_begin : lattice->model->group_begin)(lattice->options, group,
                                                                           lattice->dims);
}
static inline int lm_sums_of(const latmc_lattice *lattice)
{
    return lm_group_begin_of(lattice, lattice->model->groups);
}

/* Numbers of a site. */
static inline int lm_components_of(const latmc_lattice *lattice)
{
    return lattice->model->components ? lattice->model->components(lattice->options) : 1;
}

/* States that a site may have, or 0; what checks of a type's values want to know
 * (lib/models/model.h). */
static inline int lm_states_of(const latmc_lattice *lattice)
{
    return lattice->model->states ? lattice->model->states(lattice->options) : 0;
}

static inline int lm_parts_of(const latmc_lattice *lattice)
{
    return lattice->model->states ? lm_states_of(lattice) : lm_components_of(lattice);
}

/* Numbers of a row of sites, and of a replica: what the functions of a type of sites count. */
static inline int64_t lm_row_numbers(const latmc_lattice *lattice)
{
    return lattice->extents[0] * lm_components_of(lattice);
}
static inline int64_t lm_replica_numbers(const latmc_lattice *lattice)
{
    return lattice->sites * lm_components_of(lattice);
}

/* Numbers that one measurement takes. */
static inline int64_t lm_sums_count(const latmc_lattice *lattice)
{
    return lattice->replicas * lm_sums_of(lattice);
}

#endif
