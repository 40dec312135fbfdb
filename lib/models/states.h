/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves models whose sites have one of q states. A state is a byte in arrays. In saved files it
 * is a byte, too, or its binary digits. */
#ifndef LM_STATES_H
#define LM_STATES_H

#include "lib/models/model.h"

/* States have a byte or, in arrays like saved files, their digits. The second array is
 * [digits - 1]. */
enum { LM_STATE_DIGITS = 4 };
extern const lm_site_type lm_state_types[2], lm_digit_types[LM_STATE_DIGITS];

/* A state has no opposite, so no axis is antiperiodic. */
enum { LM_STATE_BOUNDARIES = 2, LM_STATE_STARTS = 2 };
extern const lm_entry lm_state_boundaries[LM_STATE_BOUNDARIES], lm_state_starts[LM_STATE_STARTS];

#endif
