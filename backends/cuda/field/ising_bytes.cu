/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the Ising model's kernels for sites that are bytes: its hooks as the engine calls
 * them. */
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"
#include "lib/physics/ising_bytes.h"

typedef lm_tally lm_hook_tally;

template <int D, int REACH, class READER>
LM_INLINE lm_hook_site lm_hook_load(const lm_hook_rule &rule, const READER *read, int kind)
{
    const lm_hook_common c = lm_ising_bytes_prepare(&rule, 0, D);
    return kind == LM_ISING_COUPLED ? lm_ising_bytes_load(&c, read, D, LM_ISING_COUPLED)
                                    : lm_ising_bytes_load(&c, read, D, LM_ISING_IN_FIELDS);
}

LM_INLINE void lm_hook_update(const lm_hook_rule &rule, const lm_hook_site &site, lm_real *s,
                              int update, const lm_draws &draws, lm_hook_tally *changed)
{
    const lm_hook_common c = lm_ising_bytes_prepare(&rule, update, 0);
    lm_ising_bytes_update(&c, &site, s, &draws, true, changed);
}

#include "backends/cuda/exchange.cuh"
#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"

struct lm_hook_action {
    enum { PARAMS = LM_ISING_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const double *sums = lm_exchange_sums(x, replica);
        return lm_ising_action(x.dims, x.coupling, params, sums, sums[x.dims + 1], sums + x.dims);
    }
};

LM_FIELD_KERNELS(ising_bytes) = LM_FIELD_LAUNCHES(NULL, NULL);
