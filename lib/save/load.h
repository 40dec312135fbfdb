/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a saved lattice in one pass. */
#ifndef LM_LOAD_H
#define LM_LOAD_H

#include "lib/save/stream.h"

latmc_status lm_load_from(lm_source *source, latmc_lattice **lattice);

#endif
