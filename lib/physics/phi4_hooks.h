/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Holds the hooks of lib/physics/field.h for the phi^4 model that lanes of a CPU and threads of a
 * GPU share. Include lib/physics/phi4.h first.
 */
#ifndef LM_PHI4_HOOKS_H
#define LM_PHI4_HOOKS_H

#include "lib/physics/phi4_sums.h"

#define LM_HOOK_COMPONENTS            1
#define LM_HOOK_SUM_FIXED(dims)       0
#define lm_hook_fixed_preset(k, dims) 0.0
#define LM_HOOK_BEYOND(own)           (own)
#define lm_hook_first                 lm_phi4_first
#define lm_hook_site_sums             lm_phi4_site_sums
#define lm_hook_bundle_begin          lm_phi4_bundle_begin
#define lm_hook_bundle_reads          lm_phi4_bundle_reads
#define LM_HOOK_SUMS(dims)            (LM_PHI4_SUM_WAVES + 2 * (dims))
#define LM_HOOK_RARE_BUNDLES          (1u << LM_PHI4_WAVES)
#define LM_HOOK_EVERY_BUNDLE(DO)                                                                   \
    DO(LM_PHI4_GRADIENT) DO(LM_PHI4_POWERS) DO(LM_PHI4_CUTOFF) DO(LM_PHI4_WAVES)

#endif
