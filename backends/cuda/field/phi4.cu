/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the phi^4 model's kernels, for sites of LM_REAL_BITS. */
#include "backends/cuda/field/phi4.cuh"

#include "backends/cuda/exchange.cuh"
#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"
#include "backends/cuda/field/tiles.cuh"
#include "lib/physics/phi4_observe.h"

struct lm_hook_action {
    enum { PARAMS = LM_PHI4_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        return lm_phi4_action(params, lm_exchange_sums(x, replica));
    }
};

LM_FIELD_KERNELS(phi4) = LM_FIELD_LAUNCHES(launch_tiles, NULL);
