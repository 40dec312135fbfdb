/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles a model's kernels, once for each type of site: its hooks (lib/physics/field.h) in
 * threads of a GPU, and then the engine. LM_REAL_BITS gives the type of arithmetic, and
 * LM_ELEMENT_BITS that of components in memory if it is another (element.h). LM_MODEL is the
 * model's name. LM_MODEL_HEADER has its hooks.
 */
#include "lib/physics/real_one.h"

#include "backends/cuda/field/view.h"

#include LM_MODEL_HEADER

#include "lib/physics/element.h"

#include "lib/physics/hooks.h"

#if !LM_HOOK_TILES /* a model with tiles has its own */
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
#endif

#include "backends/cuda/exchange.cuh"
#include "backends/cuda/field/colours.cuh"
#include "backends/cuda/field/sums.cuh"

#if LM_HOOK_TILES
#include "backends/cuda/field/tiles.cuh"
#else
#define launch_tiles NULL
#endif
#ifndef LM_HOOK_BONDS
#define launch_leaves NULL
#endif

struct lm_field_action {
    enum { PARAMS = LM_HOOK_PARAMS };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        const double *sums = lm_exchange_sums(x, replica);
        return lm_hook_action(x.dims, x.coupling, params, sums, x.sums_each);
    }
};

#define KERNELS_OF(model, bits)    KERNELS_NAMED(model, bits)
#define KERNELS_NAMED(model, bits) lm_##model##_kernels_##bits

extern "C" const lm_field_kernels KERNELS_OF(LM_MODEL, LM_ELEMENT_BITS) = {
    LM_HOOK_BY_COLOUR, LM_HOOK_BY_CLASS, fixed_values,
    launch_start,      launch_colour,    launch_tiles,
    launch_sums,       launch_leaves,    lm_exchange_by<lm_field_action>};
