/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the weights of weighted sums. */
#ifndef LM_WEIGHTS_H
#define LM_WEIGHTS_H

#include "lib/lattice/lattice.h"

/* Returns how many numbers a set has. */
int64_t lm_weights_count(const latmc_lattice *lattice, const lm_weights *weights);
/* Returns where the numbers of a set are: int8_t or double. */
void *lm_weights_numbers(const lm_weights *weights);
/* Allocates zeros for the numbers of a set of which the other members are set. */
latmc_status lm_weights_room(const latmc_lattice *lattice, const char *caller, lm_weights *weights);
/* Frees a set's numbers. The set does not exist any more. */
void lm_weights_free(lm_weights *weights);
/* Sets lattice->weights.most after a set has come or gone. */
void lm_weights_counted(latmc_lattice *lattice);
/* Takes the memory for the weighted sums of all replicas, and numbers them. */
latmc_status lm_weights_prepare(latmc_lattice *lattice, const char *caller);
/* Returns the weighted sums of a replica, or NULL. */
static inline const double *lm_weight_sums(const latmc_lattice *lattice, int64_t replica)
{
    return lattice->weights.sums ? lattice->weights.sums + replica * lattice->weights.width : NULL;
}
/* Returns a checksum of the numbers of all sets, which ranks compare. */
uint64_t lm_weights_sum(const latmc_lattice *lattice);

#endif
