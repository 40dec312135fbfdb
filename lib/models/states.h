/* SPDX-License-Identifier: BSD-3-Clause */
/* Models whose sites have one of q states. A state is a byte in arrays and in saved files. */
#ifndef LM_STATES_H
#define LM_STATES_H

#include "lib/models/model.h"

extern const lm_site_type lm_state_type;

/* A state has no opposite, so no axis is antiperiodic. */
enum { LM_STATE_BOUNDARIES = 2, LM_STATE_STARTS = 2 };
extern const lm_entry lm_state_boundaries[LM_STATE_BOUNDARIES], lm_state_starts[LM_STATE_STARTS];

#endif
