/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a lattice as a device sees it, and checks all of its settings together. */
#ifndef LM_SPEC_H
#define LM_SPEC_H

#include "lib/lattice/lattice.h"

/* Returns the lattice as a device sees it. */
lm_spec lm_spec_of(const latmc_lattice *lattice);
/* Calls the model's check of all settings, with the parameters of sweep number `sweep`. */
latmc_status lm_spec_check(const latmc_lattice *lattice, const char *caller, int64_t sweep);

#endif
