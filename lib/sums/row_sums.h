/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums that are no bundles of a plan: the plane waves of lattices in words, the sums with momenta,
 * and the sums with weights. lib/ makes them from the rows of the sites where the plan does not.
 * Whoever measures asks here which sums these are, and runs plans only for the others.
 */
#ifndef LM_ROW_SUMS_H
#define LM_ROW_SUMS_H

#include "lib/lattice/lattice.h"
#include "lib/sums/row_cache.h"

/* Returns the bundles that lib/ sums itself. */
unsigned lm_row_sums(const latmc_lattice *lattice, unsigned bundles);
/* Takes the memory for results before a recording. */
latmc_status lm_row_sums_prepare(latmc_lattice *lattice, const char *caller, unsigned bundles);
/* Makes these sums of all replicas. lm_reading_at() finds them. */
latmc_status lm_row_sums_measure(latmc_lattice *lattice, const char *caller, unsigned bundles);

/* A kind of sums that are made in one pass over the rows of a replica. Several threads have a
 * summing each, and each replica is summed by one of them. */
typedef struct lm_row_summing {
    unsigned bundle;
    /* Takes the memory for the results. */
    latmc_status (*prepare)(latmc_lattice *lattice, const char *caller);
    /* ask() asks the lattice's plan for the sums, if plans make such sums. It sets *made to whether
     * all replicas have them. made() is told. It returns whether no sums are left for the rows. */
    latmc_status (*ask)(latmc_lattice *lattice, const char *caller, int *made);
    int (*made)(latmc_lattice *lattice, int made);
    /* Returns a summing, or NULL with a message. */
    void *(*open)(const latmc_lattice *lattice, const char *caller);
    /* Adds the rows of a chunk, whose sites begin at `sites`. Chunks come in natural order. Other
     * rows of the replica are in the cache. */
    latmc_status (*add)(void *self, lm_row_cache *cache, int64_t replica, lm_chunk rows,
                        const char *sites);
    /* Stores the replica's sums after its last chunk. */
    void (*end)(void *self, int64_t replica);
    void (*close)(void *self); /* NULL is allowed */
    /* Returns how many rows it reads together. NULL: 1 */
    int (*together)(const latmc_lattice *lattice);
    /* Returns the time for a replica in nanoseconds of a core of 2024. */
    double (*time)(const latmc_lattice *lattice);
} lm_row_summing;

extern const lm_row_summing lm_momentum_summing, lm_weight_summing;

#endif
