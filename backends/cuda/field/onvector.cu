/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles the O(n) vector model's kernels, for n = LM_ONVECTOR_N and sites of LM_REAL_BITS: its
 * hooks as the engine calls them. */
#if LM_ONVECTOR_N == 3
#define LM_DRAWS_PAIRS /* the heat bath takes words of blocks of pairs (lib/physics/draws.h) */
#endif
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"
#include "lib/physics/onvector.h"

#define LM_HOOK_BY_CLASS  0
#define LM_HOOK_BY_COLOUR 1
#define LM_HOOK_RAREST_BUNDLES                                                                     \
    (LM_ONVECTOR_N == 4 ? 0u : 1u << LM_ONVECTOR_VORTICES | 1u << LM_ONVECTOR_CHIRALITY)

template <int D, class READER>
LM_INLINE void lm_hook_find_bonds(const lm_hook_rule &rule, const READER *read, int kind,
                                  int upward, lm_real *b)
{
    const lm_hook_common c = lm_onvector_prepare(&rule, 0, D);
    if (kind == LM_ONVECTOR_PLAIN)
        lm_onvector_bonds(&c, read, D, LM_ONVECTOR_PLAIN, upward, b);
    else
        lm_onvector_bonds(&c, read, D, LM_ONVECTOR_COUPLED, upward, b);
}

#include "backends/cuda/field/hooks.cuh"

#define LM_JOIN_N(name, n)     LM_JOIN_VALUE(name, n)
#define LM_JOIN_VALUE(name, n) name##n

struct lm_hook_action {
    enum { PARAMS = LM_ONVECTOR_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const double *sums = lm_exchange_sums(x, replica);
        return lm_onvector_action(params, sums[0], x.sums_each > 1 ? sums + 1 : NULL);
    }
};

LM_FIELD_KERNELS(LM_JOIN_N(onvector, LM_ONVECTOR_N)) = LM_FIELD_LAUNCHES(NULL, launch_leaves);
