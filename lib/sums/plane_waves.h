/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the plane waves of a lattice whose sites are spins. */
#ifndef LM_PLANE_WAVES_H
#define LM_PLANE_WAVES_H

#include "lib/lattice/lattice.h"

/* Measures the waves of planes of all replicas (lib/lattice/planes.h). */
latmc_status lm_plane_waves_measure(latmc_lattice *lattice, const char *caller);

#endif
