/* SPDX-License-Identifier: BSD-3-Clause */
/* The lanes compiled in, and which of them this CPU can run. */
#ifndef LM_LANES_H
#define LM_LANES_H

#include "backends/cpu/band.h"
#include "backends/cpu/phi4_box.h"

extern const lm_lane lm_lane_scalar, lm_lane_avx2, lm_lane_avx512, lm_lane_neon;
extern const lm_phi4_lane lm_phi4_lane_scalar_32, lm_phi4_lane_scalar_64, lm_phi4_lane_avx2_32,
    lm_phi4_lane_avx2_64, lm_phi4_lane_avx512_32, lm_phi4_lane_avx512_64, lm_phi4_lane_neon_32,
    lm_phi4_lane_neon_64;

typedef struct lm_lane_entry {
    const lm_lane *lane;        /* NULL: not compiled in */
    const lm_phi4_lane *phi4[2]; /* of floats and of doubles; likewise */
    const char *name;           /* "avx2" */
    const char *text;           /* what it is */
    const char *(*lacks)(void); /* what the CPU lacks for it, or NULL */
} lm_lane_entry;

extern const lm_lane_entry lm_lane_table[]; /* best first */
int lm_lane_count(void);

#endif
