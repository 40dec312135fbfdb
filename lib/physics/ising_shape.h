/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of a general update rule of the Ising model: see lm_ising_rule in ising.h. */
#ifndef LM_ISING_SHAPE_H
#define LM_ISING_SHAPE_H

#include <stdint.h>

/* The order of the model's updates wherever they are numbers. */
enum { LM_ISING_METROPOLIS, LM_ISING_HEATBATH, LM_ISING_UPDATES };

typedef struct lm_ising_shape {
    int heat_bath;   /* 1: the outcome is the new spin; 0: whether to flip */
    int sets, bonds; /* sets of bonds of equal coupling, and bonds of each */
    int missing;     /* may bonds be missing */
    int levels;      /* of a set: bonds + 1, or 2 bonds + 1 where bonds may be missing */
    int classes;     /* levels^sets: of either spin for Metropolis, of both for the heat bath */
} lm_ising_shape;

/* Metropolis sweeps with numbers divisible by this toss coins: lm_ising_toss. */
#define LM_ISING_COIN_SWEEPS 4096

#ifdef __CUDACC__
__host__ __device__
#endif
    static inline int
    lm_ising_tosses(uint64_t step)
{
    return step % LM_ISING_COIN_SWEEPS == 0;
}

#endif
