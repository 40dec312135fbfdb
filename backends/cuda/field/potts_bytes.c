/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Potts model on GPUs, with one state a byte: its kernel and its row. */
#include <stddef.h>

#include "backends/cuda/cuda.h"
#include "backends/cuda/field/plan.h"
#include "lib/physics/potts_bytes.h"

extern const lm_field_kernels lm_potts_bytes_kernels_8;

static const lm_cuda_kernel kernels[] = {
    {.name = "potts colours", .sweep = lm_cuda_field_by_colours},
};

const lm_cuda_kernels lm_cuda_potts_bytes_kernels = {kernels, 1};

static const lm_cuda_field_model potts = {
    .kernels = &lm_cuda_potts_bytes_kernels,
    .launch = {[LM_FIELD_BYTES] = &lm_potts_bytes_kernels_8},
    .rule_bytes = sizeof(lm_states_rule),
    .rule_reals = offsetof(lm_states_rule, states) / sizeof(double),
    .rule_ints = 1,
    .updates = LM_POTTS_UPDATES,
    .params = LM_POTTS_FIELD + 1,
    .make_rule = lm_states_make_rule,
    .kind = lm_kind_by_values_and_ends,
    .terms = LM_TERMS_STATES,
    .proposals = lm_states_proposals,
    .fixed_value = lm_value_by_ends,
};

const lm_backend_model lm_cuda_potts_bytes =
    LM_CUDA_FIELD_ROW(LATMC_POTTS, LM_AS_BYTES, lm_cuda_states_ops, &potts, lm_cuda_field_open);
