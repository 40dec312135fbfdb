/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads schedules, ramps, slots and walks. */
#ifndef LM_LOAD_SCHEDULE_H
#define LM_LOAD_SCHEDULE_H

#include "lib/save/parts.h"

/* The schedule, the ramps, slots, exchanges and their counts, if there
 * are any, into a lattice that has its parameters and its count of sweeps. */
latmc_status lm_load_schedule(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_ramps(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_ladders(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_slots(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_exchange(lm_source *source, const lm_header *header, latmc_lattice *lat);
latmc_status lm_load_walks(lm_source *source, const lm_header *header, latmc_lattice *lat);

#endif
