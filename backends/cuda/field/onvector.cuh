/* SPDX-License-Identifier: BSD-3-Clause */
/* The hooks of the O(n) vector model in threads of a GPU, for n = LM_ONVECTOR_N. */
#ifndef LM_CUDA_ONVECTOR_CUH
#define LM_CUDA_ONVECTOR_CUH

#if LM_ONVECTOR_N == 3
#define LM_DRAWS_PAIRS /* the heat bath takes words of blocks of pairs (lib/physics/draws.h) */
#endif
#include "lib/physics/onvector.h"

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

#endif
