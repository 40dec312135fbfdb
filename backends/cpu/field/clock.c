/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the clock model to the engine of fields on CPUs. */
#include "backends/cpu/cpu.h"
#include "backends/cpu/field/plan.h"
#include "lib/physics/clock_observe.h"

LM_DECLARE_LANES(lm_field_loops, lm_clock_loops_, _8);

static const lm_field_loops *const bytes[] = {LM_EVERY_LANE(lm_clock_loops_, _8)};

static const lm_field_model model = {
    .loops = {[LM_FIELD_BYTES] = bytes},
    .rule_bytes = sizeof(lm_states_rule),
    .make_rule = lm_states_make_rule,
    .kind = lm_kind_by_values_and_ends,
    .proposals = lm_states_proposals,
    .fixed_value = lm_value_by_ends,
};

const lm_backend_model lm_cpu_clock =
    LM_CPU_FIELD_ROW(LATMC_CLOCK, LM_AS_BYTES, &model, lm_field_open);
