/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the phi^4 model on GPUs: its kernels and its row. */
#include <stddef.h>

#include "backends/cuda/cuda.h"
#include "backends/cuda/field/plan.h"
#include "lib/physics/phi4_rule.h"

extern const lm_field_kernels lm_phi4_kernels_32, lm_phi4_kernels_64;

static int variant(int update)
{
    return lm_phi4_update_of(update).reflects;
}

static int tiles_serve(const void *plan, int update)
{
    return ((const lm_cuda_field_plan *)plan)->spec.tiled >> update & 1;
}

static int colours_serve(const void *plan, int update)
{
    return !tiles_serve(plan, update);
}

/* Each update has one kernel. */
static const lm_cuda_kernel kernels[LM_FIELD_SWEEPS] = {
    [LM_FIELD_BY_COLOURS] = {.name = "phi4 colours",
                             .serves = colours_serve,
                             .sweep = lm_cuda_field_by_colours},
    [LM_FIELD_BY_TILES] = {.name = "phi4 tiles",
                           .serves = tiles_serve,
                           .sweep = lm_cuda_field_by_tiles},
};

const lm_cuda_kernels lm_cuda_phi4_kernels = {kernels, LM_FIELD_SWEEPS};

static const lm_cuda_field_model phi4 = {
    .kernels = &lm_cuda_phi4_kernels,
    .launch = {&lm_phi4_kernels_32, &lm_phi4_kernels_64},
    .rule_bytes = sizeof(lm_phi4_rule),
    .rule_reals = offsetof(lm_phi4_rule, hits) / sizeof(double),
    .rule_ints = 2,
    .updates = LM_PHI4_UPDATES,
    .params = LM_PHI4_FIELD + 1,
    .make_rule = lm_phi4_make_rule,
    .kind = lm_kind_by_open_axes,
    .proposals = lm_phi4_proposals,
    .variant = variant,
};

const lm_backend_model lm_cuda_phi4[2] = {
    LM_CUDA_FIELD_ROW(LATMC_PHI4, LM_AS_FLOATS, lm_cuda_numbers_ops, &phi4, lm_cuda_field_open),
    LM_CUDA_FIELD_ROW(LATMC_PHI4, LM_AS_DOUBLES, lm_cuda_numbers_ops, &phi4, lm_cuda_field_open)};
