/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets parameters, one value per slot. */
#ifndef LM_PARAMS_H
#define LM_PARAMS_H

#include "lib/lattice/lattice.h"

/* Allocates the arrays per replica anew, for `replicas`. Remaining replicas keep their values. New
 * replicas get replica 0's values, or the presets if there is no replica yet. Every replica gets
 * its own slot. */
latmc_status lm_params_resize(latmc_lattice *lattice, const char *caller, int64_t replicas);
/* Returns one slot's values, in the order of the model's list. */
void lm_params_of(const latmc_lattice *lat, int64_t slot, double params[LM_MAX_PARAMS]);
/* Returns a parameter's index in the model's list. If there is none, it sets the message and
 * returns -1. */
int lm_params_index(const latmc_lattice *lattice, const char *caller, latmc_param param);
/* Refuses values[s * stride] of slot s if parameter number `index` cannot have this value. */
latmc_status lm_params_check(const latmc_lattice *lattice, const char *caller, int index,
                             const double *values, int64_t stride);

#endif
