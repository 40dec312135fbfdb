/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads sites, given couplings and given fields. */
#ifndef LM_LOAD_LEAVES_H
#define LM_LOAD_LEAVES_H

#include "lib/save/parts.h"

/* Couplings and fields that are given, and the sites. */
latmc_status lm_load_leaves(lm_source *source, const lm_header *header, latmc_lattice *lat);

#endif
