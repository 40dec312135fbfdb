/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Potts model, one state in a byte, to the engine of fields on CPUs. */
#include "backends/cpu/cpu.h"
#include "backends/cpu/field/plan.h"
#include "lib/physics/potts_bytes.h"

LM_DECLARE_LANES(lm_field_loops, lm_potts_bytes_loops_, _8);

static const lm_field_loops *const bytes[] = {LM_EVERY_LANE(lm_potts_bytes_loops_, _8)};

static const lm_field_model potts = {
    .loops = {[LM_FIELD_BYTES] = bytes},
    .rule_bytes = sizeof(lm_states_rule),
    .make_rule = lm_states_make_rule,
    .kind = lm_kind_by_values_and_ends,
    .proposals = lm_states_proposals,
    .fixed_value = lm_value_by_ends,
};

const lm_backend_model lm_cpu_potts_bytes =
    LM_CPU_FIELD_ROW(LATMC_POTTS, LM_AS_BYTES, &potts, lm_field_open);
