/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the Ising model with real couplings and site fields, one spin in a byte, to the engine
 * of fields on CPUs. */
#include "backends/cpu/cpu.h"
#include "backends/cpu/field/plan.h"
#include "lib/physics/ising_bytes.h"

LM_DECLARE_LANES(lm_field_loops, lm_ising_bytes_loops_, _8);

static const lm_field_loops *const bytes[] = {LM_EVERY_LANE(lm_ising_bytes_loops_, _8)};

static const lm_field_model ising = {
    .loops = {[LM_FIELD_BYTES] = bytes},
    .rule_bytes = sizeof(lm_ising_bytes_rule),
    .make_rule = lm_ising_bytes_make_rule,
    .kind = lm_kind_by_values,
    .proposals = lm_states_proposals,
    .fixed_value = lm_value_not_given,
};

const lm_backend_model lm_cpu_ising_bytes =
    LM_CPU_FIELD_ROW(LATMC_ISING, LM_AS_BYTES, &ising, lm_field_open);
