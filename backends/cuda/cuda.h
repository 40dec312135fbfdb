/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LM_CUDA_H
#define LM_CUDA_H

#include "backends/backend.h"

extern const lm_backend lm_cuda_backend;

/* The models' own tables, which it passes calls on to; they have no count and no describe. */
extern const lm_backend lm_cuda_ising, lm_cuda_phi4;

/* Kernels that can sweep; LM_KERNEL_BEST picks by the lattice's shape and size. */
typedef enum lm_kernel {
    LM_KERNEL_BEST = 0,
    LM_KERNEL_WORDS,
    LM_KERNEL_PLAIN,
    LM_KERNEL_PERSISTENT,
    LM_KERNEL_RESIDENT
} lm_kernel;

/* Has a plan use that kernel wherever it serves; for tests, which compare them. Returns 0 if it
 * does not serve the plan with its present parameters. Plans of the Ising model only. */
int lm_cuda_use(void *plan, lm_kernel kernel);

#endif
