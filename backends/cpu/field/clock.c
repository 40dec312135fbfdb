/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock model on CPUs. */
#include "backends/cpu/cpu.h"
#include "backends/cpu/field/plan.h"
#define LM_SUMS_INLINE static inline
#include "lib/physics/clock.h"

LM_DECLARE_LANES(lm_field_loops, lm_clock_loops_, _8);

static const lm_field_loops *const bytes[] = {LM_EVERY_LANE(lm_clock_loops_, _8)};

static const lm_field_model model = {
    .loops = {[LM_FIELD_BYTES] = bytes},
    .rule_bytes = sizeof(lm_clock_rule),
    .make_rule = lm_clock_make_rule,
    .kind = lm_kind_by_values_and_ends,
    .proposals = lm_clock_proposals,
    .fixed_value = lm_value_by_ends,
};

static latmc_status open_plan(const lm_spec *spec, int device, void **plan)
{
    return lm_field_open(spec, &model, device, (lm_field_plan **)plan);
}

const lm_backend_model lm_cpu_clock = {
    .model = LATMC_CLOCK, .kept = LM_AS_BYTES, .ops = &lm_field_ops, .open = open_plan};
