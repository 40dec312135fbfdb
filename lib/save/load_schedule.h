/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads schedules, ramps, slots and walks. */
#ifndef LM_LOAD_SCHEDULE_H
#define LM_LOAD_SCHEDULE_H

#include "lib/save/section.h"

/* The schedule, the ramps, slots, exchanges and their counts, into a lattice that has its
 * parameters and its count of sweeps. */
lm_section_take lm_take_schedule, lm_take_ramps, lm_take_ladders, lm_take_slots, lm_take_exchange,
    lm_take_walks;

#endif
