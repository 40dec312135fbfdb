/* SPDX-License-Identifier: BSD-3-Clause */
/* The updates of the Ising model in words, and which of their sweeps toss coins. */
#ifndef LM_ISING_SHAPE_H
#define LM_ISING_SHAPE_H

#include <stdint.h>

/* The order of the model's updates wherever they are numbers. */
enum { LM_ISING_METROPOLIS, LM_ISING_HEATBATH, LM_ISING_UPDATES };

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
