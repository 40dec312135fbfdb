/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the phi^4 model to the engine of fields on CPUs. */
#include "backends/cpu/cpu.h"
#include "backends/cpu/field/plan.h"
#include "lib/physics/phi4_rule.h"

LM_DECLARE_LANES(lm_field_loops, lm_phi4_loops_, _32);
LM_DECLARE_LANES(lm_field_loops, lm_phi4_loops_, _64);

static const lm_field_loops *const floats[] = {LM_EVERY_LANE(lm_phi4_loops_, _32)};
static const lm_field_loops *const doubles[] = {LM_EVERY_LANE(lm_phi4_loops_, _64)};

static int local_sweeps(const void *rule)
{
    return ((const lm_phi4_rule *)rule)->local_sweeps;
}

/* Returns a static value, which is the degree of the site x. */
static double degree(const lm_spec *spec, int k, const int64_t *x)
{
    int degree = 2 * spec->dims;
    (void)k;
    for (int a = 0; a < spec->dims; a++)
        if (spec->boundaries[a] == LATMC_OPEN)
            degree -= (x[a] == 0) + (x[a] == spec->extents[a] - 1);
    return degree;
}

static const lm_field_model phi4 = {
    .loops = {floats, doubles},
    .rule_bytes = sizeof(lm_phi4_rule),
    .make_rule = lm_phi4_make_rule,
    .kind = lm_kind_by_open_axes,
    .local_sweeps = local_sweeps,
    .proposals = lm_phi4_proposals,
    .fixed_value = degree,
};

const lm_backend_model lm_cpu_phi4[2] = {
    LM_CPU_FIELD_ROW(LATMC_PHI4, LM_AS_FLOATS, &phi4, lm_field_open),
    LM_CPU_FIELD_ROW(LATMC_PHI4, LM_AS_DOUBLES, &phi4, lm_field_open)};
