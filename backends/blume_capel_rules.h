/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the thresholds of the Blume-Capel model (lib/physics/blume_capel.h). */
#ifndef LM_BLUME_CAPEL_RULES_H
#define LM_BLUME_CAPEL_RULES_H

#include "backends/rules.h"

extern const lm_rule_maker lm_blume_capel_rule_maker;

#endif
