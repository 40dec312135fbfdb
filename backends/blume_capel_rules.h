/* SPDX-License-Identifier: BSD-3-Clause */
/* The thresholds of the Blume-Capel model (lib/physics/blume_capel.h). */
#ifndef LM_BLUME_CAPEL_RULES_H
#define LM_BLUME_CAPEL_RULES_H

#include "backends/rules.h"

extern const lm_rule_maker lm_capel_rule_maker;

/* Whether sites are plain: no bond is turned or missing, all have one coupling, and no slot has a
 * field. Of an update whose table was made. */
int lm_capel_is_plain(const lm_rules *rules, int update);

#endif
