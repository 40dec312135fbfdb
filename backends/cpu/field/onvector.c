/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the O(n) vector model to the engine of fields on CPUs. */
#include "backends/cpu/cpu.h"
#include "backends/cpu/field/plan.h"
#include "lib/physics/onvector_observe.h"

#define DECLARE(n)                                                                                 \
    LM_DECLARE_LANES(lm_field_loops, lm_onvector##n##_loops_, _32);                                \
    LM_DECLARE_LANES(lm_field_loops, lm_onvector##n##_loops_, _64);                                \
    static const lm_field_loops *const floats_##n[] = {                                            \
        LM_EVERY_LANE(lm_onvector##n##_loops_, _32)};                                              \
    static const lm_field_loops *const doubles_##n[] = {                                           \
        LM_EVERY_LANE(lm_onvector##n##_loops_, _64)};
DECLARE(2)
DECLARE(3)
DECLARE(4)

#define MODEL(n)                                                                                   \
    {                                                                                              \
        .loops = {floats_##n, doubles_##n}, .rule_bytes = sizeof(lm_onvector_rule),                \
        .make_rule = lm_onvector_make_rule, .kind = lm_kind_by_values,                             \
        .proposals = lm_onvector_proposals, .fixed_value = lm_value_not_given                      \
    }

/* The models by the number of components, which the loops know. */
static const lm_field_model models[] = {MODEL(2), MODEL(3), MODEL(4)};

static latmc_status open_plan(const lm_spec *spec, const void *engine, int device, void **plan)
{
    const lm_field_model *const of_two = engine;

    return lm_field_open(spec, of_two + spec->components - LM_ONVECTOR_LEAST, device, plan);
}

const lm_backend_model lm_cpu_onvector[2] = {
    LM_CPU_FIELD_ROW(LATMC_ONVECTOR, LM_AS_FLOATS, models, open_plan),
    LM_CPU_FIELD_ROW(LATMC_ONVECTOR, LM_AS_DOUBLES, models, open_plan)};
