/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Ising model on GPUs with sites that are bytes: its kernel and its row. */
#include "backends/cuda/cuda.h"
#include "backends/cuda/field/plan.h"
#include "lib/physics/ising_bytes.h"

extern const lm_field_kernels lm_ising_bytes_kernels_8;

static const lm_cuda_kernel kernels[] = {
    {.name = "ising colours", .sweep = lm_cuda_field_by_colours},
};

const lm_cuda_kernels lm_cuda_ising_bytes_kernels = {kernels, 1};

static const lm_cuda_field_model ising = {
    .kernels = &lm_cuda_ising_bytes_kernels,
    .launch = {[LM_FIELD_BYTES] = &lm_ising_bytes_kernels_8},
    .rule_bytes = sizeof(lm_ising_bytes_rule),
    .rule_reals = sizeof(lm_ising_bytes_rule) / sizeof(double),
    .updates = LM_ISING_UPDATES,
    .params = LM_ISING_FIELD + 1,
    .make_rule = lm_ising_bytes_make_rule,
    .kind = lm_kind_by_values,
    .proposals = lm_states_proposals,
    .fixed_value = lm_value_not_given,
    .spins = 1,
};

const lm_backend_model lm_cuda_ising_bytes =
    LM_CUDA_FIELD_ROW(LATMC_ISING, LM_AS_BYTES, lm_cuda_spins_ops, &ising, lm_cuda_field_open);
