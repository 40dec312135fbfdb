/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the O(n) vector model on GPUs: its kernel and its row. */
#include <stddef.h>

#include "backends/cuda/cuda.h"
#include "backends/cuda/field/plan.h"
#include "lib/physics/onvector_observe.h"

extern const lm_field_kernels lm_onvector2_kernels_32, lm_onvector2_kernels_64,
    lm_onvector3_kernels_32, lm_onvector3_kernels_64, lm_onvector4_kernels_32,
    lm_onvector4_kernels_64;

static int packs_serve(const void *plan, int update)
{
    (void)update;
    return ((const lm_cuda_field_plan *)plan)->view.by_colour;
}

/* The second kernel is for tests, whose lattices are small: it takes packs as large as a row
 * allows. */
static const lm_cuda_kernel kernels[] = {
    {.name = "onvector colours", .sweep = lm_cuda_field_by_colours},
    {.name = "onvector packs", .serves = packs_serve, .sweep = lm_cuda_field_by_packs},
};

const lm_cuda_kernels lm_cuda_onvector_kernels = {kernels, 2};

#define MODEL(n)                                                                                   \
    {                                                                                              \
        .kernels = &lm_cuda_onvector_kernels,                                                      \
        .launch = {&lm_onvector##n##_kernels_32, &lm_onvector##n##_kernels_64},                    \
        .rule_bytes = sizeof(lm_onvector_rule),                                                    \
        .rule_reals = offsetof(lm_onvector_rule, hits) / sizeof(double), .rule_ints = 1,           \
        .updates = LM_ONVECTOR_UPDATES, .params = LM_ONVECTOR_FIELD + 1,                           \
        .make_rule = lm_onvector_make_rule, .kind = lm_kind_by_values,                             \
        .proposals = lm_onvector_proposals, .fixed_value = lm_value_not_given                      \
    }

/* Models by the number of components, which the kernels know. */
static const lm_cuda_field_model models[] = {MODEL(2), MODEL(3), MODEL(4)};

static latmc_status open_plan(const lm_spec *spec, const void *engine, int device, void **plan)
{
    const lm_cuda_field_model *const of_two = engine;

    return lm_cuda_field_open(spec, of_two + spec->components - LM_ONVECTOR_LEAST, device, plan);
}

const lm_backend_model lm_cuda_onvector[2] = {
    LM_CUDA_FIELD_ROW(LATMC_ONVECTOR, LM_AS_FLOATS, lm_cuda_vectors_ops, models, open_plan),
    LM_CUDA_FIELD_ROW(LATMC_ONVECTOR, LM_AS_DOUBLES, lm_cuda_vectors_ops, models, open_plan)};
