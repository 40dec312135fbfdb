/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the clock model's kernels: its hooks as the engine calls them. */
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"
#include "lib/physics/clock.h"

typedef lm_tally lm_hook_tally;

template <int D, int REACH, class READER>
LM_INLINE lm_hook_site lm_hook_load(const lm_hook_rule &rule, const READER *read, int kind)
{
    const lm_hook_common c = lm_clock_prepare(&rule, read->view->rounded, 0, D);
    lm_hook_site site = kind == LM_CLOCK_PLAIN     ? lm_clock_load(&c, read, D, LM_CLOCK_PLAIN)
                        : kind == LM_CLOCK_COUPLED ? lm_clock_load(&c, read, D, LM_CLOCK_COUPLED)
                                                   : lm_clock_load(&c, read, D, LM_CLOCK_IN_FIELDS);
    site.table = c.table;
    return site;
}

LM_INLINE void lm_hook_update(const lm_hook_rule &rule, const lm_hook_site &site, lm_real *s,
                              int update, const lm_draws &draws, lm_hook_tally *changed)
{
    const lm_hook_common c = lm_clock_prepare(&rule, site.table, update, 0);
    lm_clock_update(&c, &site, s, &draws, true, changed);
}

#include "backends/cuda/exchange.cuh"
#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"

struct lm_hook_action {
    enum { PARAMS = LM_CLOCK_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        return lm_clock_action(x.dims, x.coupling, params, lm_exchange_sums(x, replica));
    }
};

LM_FIELD_KERNELS(clock) = LM_FIELD_LAUNCHES(NULL, NULL);
