/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks all settings of a lattice together. */
#ifndef LM_CHECK_H
#define LM_CHECK_H

#include "lib/lattice/lattice.h"

/* Calls the model's check of all settings, with the parameters of sweep number `sweep`. */
latmc_status lm_check_settings(const latmc_lattice *lattice, const char *caller, int64_t sweep);

#endif
