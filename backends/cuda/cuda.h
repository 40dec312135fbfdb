/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LM_CUDA_H
#define LM_CUDA_H

#include "backends/backend.h"

extern const lm_backend lm_cuda_backend;

extern const lm_backend_model lm_cuda_ising, lm_cuda_phi4;

/* Kernels that can sweep; LM_KERNEL_BEST picks by the lattice's shape and size. The last two are
 * those of the phi^4 model. */
typedef enum lm_kernel {
    LM_KERNEL_BEST = 0,
    LM_KERNEL_GENERAL,
    LM_KERNEL_LARGE,
    LM_KERNEL_PERSISTENT,
    LM_KERNEL_RESIDENT,
    LM_KERNEL_COLOURS,
    LM_KERNEL_TILES,
    LM_KERNELS
} lm_kernel;

/* "persistent" and so on. */
extern const char *const lm_kernel_names[LM_KERNELS];

/* What every plan of this backend begins with. */
typedef struct lm_cuda_head {
    int64_t swept[LM_KERNELS];
} lm_cuda_head;

/* Sweeps that a kernel has made for a plan: a test that means one kernel asks whether it ran. */
int64_t lm_cuda_swept(const void *plan, lm_kernel kernel);

/* Has a plan use that kernel wherever it serves; for tests, which compare them. Returns 0 if it
 * does not serve the plan with its present parameters. Plans of the Ising model only. */
int lm_cuda_use(void *plan, lm_kernel kernel);

#endif
