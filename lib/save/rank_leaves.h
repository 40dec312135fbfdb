/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the leaves of sites that are in this process. */
#ifndef LM_RANK_LEAVES_H
#define LM_RANK_LEAVES_H

#include "lib/save/stream.h"

/* Does what lm_hash_sites() does, for ranks that have only their own sites. The sink has go(), or
 * is NULL. */
latmc_status lm_rank_leaves_hash(const latmc_lattice *lattice, const char *caller, lm_sink *sink,
                                 uint64_t offset, uint64_t *hash);

#endif
