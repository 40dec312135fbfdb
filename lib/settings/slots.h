/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows which replica is at which slot. */
#ifndef LM_SLOTS_H
#define LM_SLOTS_H

#include "lib/lattice/lattice.h"

/* Put every replica at its own slot. The first function also allocates the slots anew. */
latmc_status lm_slots_resize(latmc_lattice *lattice, const char *caller, int64_t replicas);
void lm_slots_reset(latmc_lattice *lattice, int64_t replicas);
/* Returns whether some replica is not at its own slot. */
int lm_slots_moved(const latmc_lattice *lattice);

/* Refuses a number that is no order. It also gives the order to the comparison of ranks. */
latmc_status lm_order_check(const latmc_lattice *lattice, const char *caller, int64_t order);
/* Returns the replica that the caller counts as number i. */
static inline int64_t lm_replica_at(const latmc_lattice *lattice, int by_slot, int64_t i)
{
    return by_slot ? lattice->holders[i] : i;
}

#endif
