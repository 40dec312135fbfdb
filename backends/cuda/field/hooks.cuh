/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls a model's hooks (lib/physics/field.h) in threads of a GPU, and then includes the engine's
 * kernels. A model's file includes its header of lib/physics before this one.
 */
#ifndef LM_CUDA_FIELD_HOOKS_CUH
#define LM_CUDA_FIELD_HOOKS_CUH

#include "lib/physics/element.h"

#include "lib/physics/hooks.h"

typedef lm_tally lm_hook_tally;

/* Reads a site. The compiler makes a text for each kind, unless LM_HOOK_ONE_LOAD says that one
 * serves all. */
template <int D, int REACH, class READER>
LM_INLINE lm_hook_site lm_site_load(const lm_hook_rule &rule, const READER *read, int kind)
{
    const lm_hook_common c = lm_hook_prepare(&rule, read->view->rounded, 0, D);
#ifdef LM_HOOK_ONE_LOAD
    lm_hook_site site = lm_hook_load(&c, read, D, REACH, kind);
#else
    lm_hook_site site = LM_HOOK_HAS(REACH, 0) && kind == 0 ? lm_hook_load(&c, read, D, REACH, 0)
                        : kind == 1                        ? lm_hook_load(&c, read, D, REACH, 1)
                                                           : lm_hook_load(&c, read, D, REACH, 2);
#endif
    lm_hook_keep(&site, &c);
    return site;
}

LM_INLINE void lm_site_update(const lm_hook_rule &rule, const lm_hook_site &site, lm_real *s,
                              int update, const lm_draws &draws, lm_hook_tally *accepted)
{
    const lm_hook_common c = lm_hook_prepare(&rule, site.table, update, 0);
    lm_hook_update(&c, &site, s, &draws, true, accepted);
}

#include "backends/cuda/exchange.cuh"
#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"

#endif
