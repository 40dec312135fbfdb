/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the thresholds of the Ising model. */
#ifndef LM_ISING_RULES_H
#define LM_ISING_RULES_H

#include "backends/rules.h"

extern const lm_rule_maker lm_ising_rule_maker;

#endif
