/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a lattice is divided among devices: by layers of the slowest axis, in slabs, or by replicas.
 * Which, hangs on the lattice and on how many devices all ranks have together, so that all ranks
 * divide it alike; on no result.
 */
#ifndef LM_DIVISION_H
#define LM_DIVISION_H

#include "backends/backend.h"
#include "lib/base/ranks.h"

/* The most pieces of a lattice, and those of one that is told where to be cut. */
enum { LM_MAX_PIECES = 4096, LM_MAX_SLABS = 64 };

/* Where a lattice is cut: the layers at which its second slab and those after it begin. */
typedef struct lm_cuts {
    int count; /* of cuts; 0: it is not said where */
    int64_t layer[LM_MAX_SLABS - 1];
} lm_cuts;

int lm_cuts_are_equal(const lm_cuts *a, const lm_cuts *b);

/* Pieces are slabs or lots of replicas, one behind another. Each of the devices, which are numbered
 * rank by rank, has some that follow each other, and so has each rank. */
typedef struct lm_division {
    latmc_division kind;
    const char *reason;
    int devices; /* of all ranks */
    int pieces;
    int64_t begin[LM_MAX_PIECES + 1];  /* [piece], and one more: layers or replicas */
    int64_t of_rank[LM_MAX_RANKS + 1]; /* [rank], and one more: pieces */
} lm_division;

/* What a division is made of. */
typedef struct lm_to_divide {
    const lm_spec *spec;
    latmc_division wish; /* LATMC_UNDIVIDED: none */
    const lm_cuts *cuts; /* with some: by layers, there */
    int64_t most_sites;  /* of a device's slab with its halos; 0: any number */
    lm_ranks *ranks;
    int devices; /* of this rank */
} lm_to_divide;

/* Collective. Refuses what cannot be divided so; free() it. */
latmc_status lm_divide(const lm_to_divide *what, lm_division **division);

/* The device that has a piece. */
static inline int lm_division_device(const lm_division *division, int piece)
{
    return (int)((int64_t)piece * division->devices / division->pieces);
}

#endif
