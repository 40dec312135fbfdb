/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls to which one rank gives something else than the others. */
#ifndef LM_TESTS_RANKS_CALLS_H
#define LM_TESTS_RANKS_CALLS_H

#include "tests/ranks/threads.h"

/* Lattices are squares. */
enum { CALLS_SIDE = 8, CALLS_REPLICAS = 2 };

/* A lattice of this rank. */
typedef struct mine {
    latmc_lattice *l;
    const latmc_ranks *ranks;
    int odd; /* this rank alone gives something else */
} mine;

typedef struct call {
    const char *name;
    latmc_status (*make)(const mine *m);
    const char *words; /* of the argument that differs */
    latmc_model model;
    int unstarted;
} call;

extern const call calls[];
extern const int calls_count;

#endif
