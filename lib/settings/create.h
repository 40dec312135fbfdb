/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and frees lattices. */
#ifndef LM_CREATE_H
#define LM_CREATE_H

#include "lib/lattice/lattice.h"

/* Does what latmc_create() does. Messages name `caller`. */
latmc_status lm_create(const char *caller, latmc_lattice **lattice, latmc_model model, int64_t dims,
                       const int64_t *extents);

#endif
