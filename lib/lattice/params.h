/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets parameters, one value per slot. */
#ifndef LM_PARAMS_H
#define LM_PARAMS_H

#include "lib/lattice/lattice.h"

/* Makes the arrays per replica anew for `replicas`. Those that stay keep
 * their values; new ones have replica 0's, or the presets where there is none yet. Slots are the
 * replicas' own. */
latmc_status lm_params_resize(latmc_lattice *lattice, const char *caller, int64_t replicas);
/* One slot's values, in the order of the model's list. */
void lm_params_of(const latmc_lattice *lat, int64_t slot, double params[LM_MAX_PARAMS]);
/* Where a parameter is in the model's list, or -1 with the message set. */
int lm_params_place(const latmc_lattice *lattice, const char *caller, latmc_param param);
/* Refuses values[s * stride] of slot s that parameter number `place` cannot have. */
latmc_status lm_params_check(const latmc_lattice *lattice, const char *caller, int place,
                             const double *values, int64_t stride);

#endif
