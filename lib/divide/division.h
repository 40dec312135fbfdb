/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes how a lattice is divided among devices: by layers of the slowest axis, in slabs, or by
 * replicas. The choice depends only on the lattice and on the total number of devices, never on
 * results. So all ranks make the same choice.
 */
#ifndef LM_DIVISION_H
#define LM_DIVISION_H

#include "backends/backend.h"
#include "lib/base/ranks.h"

/* The most pieces of a lattice, and the most slabs of a lattice with given cuts. */
enum { LM_MAX_PIECES = 4096, LM_MAX_SLABS = 64 };

/* The layers at which a lattice is cut: the first layers of its second and further slabs. */
typedef struct lm_cuts {
    int count; /* number of cuts; 0: none are given */
    int64_t layer[LM_MAX_SLABS - 1];
} lm_cuts;

int lm_cuts_are_equal(const lm_cuts *a, const lm_cuts *b);

/* Pieces are slabs or lots of replicas, one after another. Devices are numbered rank by rank. Each
 * device has consecutive pieces, and so has each rank. The replicas of a lot agree in number /
 * 2^16, because the keys of its random numbers hold this part (lib/physics/philox_keys.h). */
typedef struct lm_division {
    latmc_division kind;
    const char *reason;
    int devices; /* of all ranks */
    int pieces;
    int64_t begin[LM_MAX_PIECES + 1]; /* [piece], and one more: first layers or replicas */
    int device[LM_MAX_PIECES];        /* [piece] */
    int64_t of_rank[];                /* [rank], and one more: first pieces */
} lm_division;

/* The input of a division. */
typedef struct lm_to_divide {
    const lm_spec *spec;
    int64_t ladder;      /* slots of a ladder, which stay together if that is even; 0: no ladders */
    latmc_division wish; /* LATMC_DIVIDE_AUTO: no wish */
    const lm_cuts *cuts; /* if it has cuts, the lattice is divided by layers at these cuts */
    int64_t most_sites;  /* the most sites of a device's slab with its halos; 0: no limit */
    lm_ranks *ranks;
    int devices; /* of this rank */
    /* [rank]: the devices of all ranks, as far as this one knows; NULL: the ranks tell each other
     */
    const int64_t *rank_devices;
} lm_to_divide;

/* Makes a division, which the caller frees with free(). It refuses lattices that cannot be divided
 * as wished. The call is collective unless rank_devices are given. */
latmc_status lm_divide(const lm_to_divide *what, lm_division **division);

#endif
