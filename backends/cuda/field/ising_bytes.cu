/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the Ising model's kernels for sites that are bytes: its hooks as the engine calls
 * them. */
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"
#include "lib/physics/ising_bytes.h"

#include "backends/cuda/field/hooks.cuh"

struct lm_hook_action {
    enum { PARAMS = LM_ISING_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const double *sums = lm_exchange_sums(x, replica);
        return lm_ising_action(x.dims, x.coupling, params, sums, sums[x.dims + 1], sums + x.dims);
    }
};

LM_FIELD_KERNELS(ising_bytes) = LM_FIELD_LAUNCHES(NULL, NULL);
