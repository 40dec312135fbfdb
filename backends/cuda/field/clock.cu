/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the clock model's kernels: its hooks as the engine calls them. */
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"
#include "lib/physics/clock.h"

#include "backends/cuda/field/hooks.cuh"

struct lm_hook_action {
    enum { PARAMS = LM_CLOCK_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        return lm_clock_action(x.dims, x.coupling, params, lm_exchange_sums(x, replica));
    }
};

LM_FIELD_KERNELS(clock) = LM_FIELD_LAUNCHES(NULL, NULL);
