/* SPDX-License-Identifier: BSD-3-Clause */
/* Presets hooks of field.h as most models have them. Engines include it after the model's
 * header. */
#ifndef LM_HOOKS_H
#define LM_HOOKS_H

#ifndef LM_HOOK_TILES
#define LM_HOOK_TILES 0
#endif
#ifndef LM_HOOK_TOGETHER
#define LM_HOOK_TOGETHER 0
#endif
#ifndef LM_HOOK_ACROSS
#define LM_HOOK_ACROSS(update) 0
#endif
#ifndef LM_HOOK_TEXTS
#define LM_HOOK_TEXTS 1
#endif
#ifndef LM_HOOK_DRAWS
#define LM_HOOK_DRAWS(update) ((void)(update), 1)
#endif
#ifndef LM_HOOK_BEYOND
#define LM_HOOK_BEYOND(own) ((void)(own), 0.0)
#endif
#ifndef LM_HOOK_RARE_BUNDLES
#define LM_HOOK_RARE_BUNDLES 0u
#endif

/* Static values in lib/'s order: couplings of bonds, then the site's field. */
#ifndef LM_HOOK_FIXED
#define LM_HOOK_FIXED(dims, kind) ((kind) ? (dims) + (kind)-1 : 0)
#endif
#ifndef LM_HOOK_HAS
#define LM_HOOK_HAS(reach, kind) ((reach) == 1)
#endif
#ifndef LM_HOOK_SUM_FIXED
#define LM_HOOK_SUM_FIXED(dims)       ((dims) + 1)
#define lm_hook_fixed_preset(k, dims) ((k) < (dims) ? 1.0 : 0.0)
#endif

#ifdef __CUDACC__
#ifndef lm_hook_keep
#define lm_hook_keep(site, common) ((void)0)
#endif
#ifndef LM_HOOK_BY_COLOUR
#define LM_HOOK_BY_COLOUR 0
#endif
#ifndef LM_HOOK_BY_CLASS
#define LM_HOOK_BY_CLASS 0
#endif
#ifndef LM_HOOK_RAREST_BUNDLES
#define LM_HOOK_RAREST_BUNDLES 0u
#endif
#endif

#if defined LM_HOOK_BONDS && LM_ELEMENT_BITS != LM_REAL_BITS
#error "LM_HOOK_BONDS: a bond is a number of LM_REAL_BITS, and these sites have bytes alone"
#endif

#endif
