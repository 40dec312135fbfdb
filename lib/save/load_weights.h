/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads weights. `section` is NULL where there are none. */
#ifndef LM_LOAD_WEIGHTS_H
#define LM_LOAD_WEIGHTS_H

#include "lib/save/section.h"

/* The list of weights. */
lm_section_take lm_take_weights;

/* Compares the section's length with the list, and allocates memory for the weights. */
latmc_status lm_weights_room_for(const lm_source *source, const lm_section *section,
                                 latmc_lattice *lattice);
/* The weights. */
latmc_status lm_load_weights(lm_source *source, const lm_section *section, latmc_lattice *lattice);

#endif
