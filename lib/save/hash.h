/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the hash of a lattice's state. */
#ifndef LM_HASH_H
#define LM_HASH_H

#include "lib/save/stream.h"

/* Writes all sites to a sink, and computes the state hash. The sink may be NULL. If the sink has
 * go(), the sites' section begins at `offset`. */
latmc_status lm_hash_sites(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                           uint64_t offset, uint64_t *hash);

#endif
