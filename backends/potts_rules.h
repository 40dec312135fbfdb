/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the thresholds of the Potts model in words (lib/physics/potts_words.h). */
#ifndef LM_POTTS_RULES_H
#define LM_POTTS_RULES_H

#include "backends/rules.h"

extern const lm_rule_maker lm_potts_rule_maker;

#endif
