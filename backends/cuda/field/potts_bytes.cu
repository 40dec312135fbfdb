/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the Potts model's kernels for sites that are bytes: its hooks as the engine calls
 * them. */
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"
#include "lib/physics/potts_bytes.h"

#define LM_HOOK_COLOUR_BLOCKS 3
#define LM_HOOK_ONE_LOAD

#include "backends/cuda/field/hooks.cuh"

struct lm_hook_action {
    enum { PARAMS = LM_POTTS_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        return lm_potts_action(x.dims, x.coupling, params, lm_exchange_sums(x, replica));
    }
};

LM_FIELD_KERNELS(potts_bytes) = LM_FIELD_LAUNCHES(NULL, NULL);
