/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the Potts model's kernels for sites that are bytes: its hooks as the engine calls
 * them. */
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"
#include "lib/physics/potts_bytes.h"

#define LM_HOOK_COLOUR_BLOCKS 3

typedef lm_tally lm_hook_tally;

template <int D, int REACH, class READER>
LM_INLINE lm_hook_site lm_hook_load(const lm_hook_rule &rule, const READER *read, int kind)
{
    const lm_hook_common c = lm_potts_prepare(&rule, 0, D);
    return lm_potts_load(&c, read, D, kind);
}

LM_INLINE void lm_hook_update(const lm_hook_rule &rule, const lm_hook_site &site, lm_real *s,
                              int update, const lm_draws &draws, lm_hook_tally *changed)
{
    const lm_hook_common c = lm_potts_prepare(&rule, update, 0);
    lm_potts_update(&c, &site, s, &draws, true, changed);
}

#include "backends/cuda/exchange.cuh"
#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"

struct lm_hook_action {
    enum { PARAMS = LM_POTTS_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        return lm_potts_action(x.dims, x.coupling, params, lm_exchange_sums(x, replica));
    }
};

LM_FIELD_KERNELS(potts_bytes) = LM_FIELD_LAUNCHES(NULL, NULL);
