/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the walks of replicas over the slots of a ladder. */
#ifndef LM_WALKS_H
#define LM_WALKS_H

#include "lib/lattice/lattice.h"
#include "lib/physics/exchange_state.h"

/* lm_walks_restart() begins new walks where the replicas are. lm_walks_reset() also sets the counts
 * to 0. lm_walks_counted() returns whether anything is counted. */
void lm_walks_restart(latmc_lattice *lattice, int64_t replicas);
void lm_walks_reset(latmc_lattice *lattice, int64_t replicas);
int lm_walks_counted(const latmc_lattice *lattice);
static inline int64_t *lm_walk_of(const latmc_lattice *lattice, lm_walk_row kind)
{
    return lattice->walks + kind * lattice->replicas;
}

#endif
