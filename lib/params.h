/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LM_PARAMS_H
#define LM_PARAMS_H

#include "lib/lattice.h"

/* Makes the arrays per replica anew for `replicas`. Those that stay keep their values;
 * new ones have replica 0's, or the presets where there is none yet. */
latmc_status lm_params_resize(latmc_lattice *lattice, const char *caller, int64_t replicas);

/* One replica's values, in the order of the model's list. */
void lm_params_of(const latmc_lattice *lat, int64_t replica, double params[LM_MAX_PARAMS]);

#endif
